"""What is quoted around a statement so that it can be understood where it stands: an excerpt. Pure.

An excerpt is contiguous and never reaches over a marker. It grows from the statement:

* a short algorithm, or a paragraph, is taken whole, and so is a short section when there is room;
* a step that opens a branch takes what is done in it, and the `Else` that follows;
* a step inside a branch takes the condition above it;
* then come the neighbours, the better one first, as long as the excerpt stays short;
* a production in front of an algorithm is quoted with that algorithm;
* a row of a table is quoted behind the caption and the header, an algorithm of a syntax-directed operation
  behind the production that it is for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.offline_score import is_announcement
from agent.offline_statements import Shape, Statement
from agent.offline_thresholds import Thresholds
from agent.quotes import is_meaningful
from storage.markers import MARKER
from tools.results import Passage

_ELSE = re.compile(r"^Else\b")
_TOGETHER = frozenset({Shape.STEP, Shape.SENTENCE, Shape.NOTE, Shape.ITEM})
"""Shapes whose neighbours say more about them: rows and productions stand for themselves."""
HEAD = 120
"""Characters up to which a line with a colon in front of an algorithm is a production."""
_PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Characters `[start, end)` of a passage's text, grown from one statement."""

    passage: Passage
    start: int
    end: int
    decisive: tuple[Statement, ...]
    """Those in it that bear on the question, the best first."""
    before: tuple[int, int] | None = None
    """What is quoted in front of it: a production, or a table's caption."""

    @property
    def text(self) -> str:
        """The exact words."""
        return self.passage.text[self.start : self.end]

    def holds(self, other: Statement) -> bool:
        """Whether a statement stands in it, or in what is quoted in front of it."""
        spans = [(self.start, self.end), *([self.before] if self.before else [])]
        same = other.passage == self.passage
        return same and any(start <= other.start and other.end <= end for start, end in spans)

    def overlaps(self, other: "Excerpt") -> bool:
        """Whether they share words: then they are quoted as one."""
        return self.passage == other.passage and self.start < other.end and other.start < self.end


def joined(overlapping: Sequence[Excerpt]) -> Excerpt:
    """Excerpts that share words, as one from where the first begins to where the last ends."""
    first = min(overlapping, key=lambda one: one.start)
    return replace(
        first,
        end=max(one.end for one in overlapping),
        decisive=tuple(dict.fromkeys(said for one in overlapping for said in one.decisive)),
    )


def excerpt(
    statement: Statement, around: Sequence[Statement], worth: Mapping[Statement, float], by: Thresholds
) -> Excerpt:
    """What to quote for a statement; `around` are all statements of its passage, in order."""
    if steps := _headed(statement, around):
        return replace(excerpt(steps, around, worth, by), decisive=(statement,))
    run = _run(statement, around)
    place = run.index(statement)
    if statement.shape not in _TOGETHER:
        first, last = place, place
    elif _size(run, 0, len(run) - 1) <= by.whole:
        first, last = 0, len(run) - 1
    else:
        first, last = _unit(run, place, by.excerpt)
        first, last = _grown(run, first, last, worth, by.excerpt)
    begin = run[first]
    return Excerpt(
        passage=statement.passage,
        start=_line_start(begin),
        end=run[last].end,
        decisive=(statement,),
        before=_before(begin, around) if first == 0 or statement.shape is Shape.ROW else None,
    )


def entire(quoted: Excerpt, held: Sequence[Statement]) -> Excerpt | None:
    """Everything that its passage says, from behind what only announces it; None with a marker between."""
    said = next((one for one in held if not is_announcement(one)), held[0])
    start, end = min(said.start, quoted.start), max(held[-1].end, quoted.end)
    if MARKER.search(quoted.passage.text, start, end):
        return None
    return replace(quoted, start=_line_start(said) if start == said.start else start, end=end, before=None)


def _headed(statement: Statement, around: Sequence[Statement]) -> Statement | None:
    """The first step of the algorithm that a production stands in front of."""
    place = next(n for n, one in enumerate(around) if one.start == statement.start)
    following = around[place + 1] if place + 1 < len(around) else None
    first = following is not None and following.shape is Shape.STEP and following.label == "1"
    return following if first and _heads(statement) else None


def _heads(statement: Statement) -> bool:
    """Whether a statement is a production on one line, such as stands in front of an algorithm."""
    return statement.shape is not Shape.STEP and " : " in statement.text and len(statement.text) <= HEAD


def _run(statement: Statement, around: Sequence[Statement]) -> list[Statement]:
    """The algorithm, paragraph or list that a statement belongs to."""
    place = next(n for n, one in enumerate(around) if one.start == statement.start)
    first = last = place
    while first > 0 and _joined(around[first - 1], around[first]):
        first -= 1
    while last + 1 < len(around) and _joined(around[last], around[last + 1]):
        last += 1
    return list(around[first : last + 1])


def _joined(one: Statement, following: Statement) -> bool:
    """Whether two statements in a row belong to one algorithm, paragraph or list."""
    between = one.passage.text[one.end : following.start]
    if one.shape is not following.shape or MARKER.search(between) or _PARAGRAPH.search(between):
        return False
    return one.shape is not Shape.STEP or bool(following.parents) or following.label != "1"


def _unit(run: Sequence[Statement], place: int, most: int) -> tuple[int, int]:
    """A step with the branch that it opens or the condition that it stands under, as far as that fits."""
    first = last = place
    step = run[place]
    while last + 1 < len(run) and step in run[last + 1].parents and _size(run, first, last + 1) <= most:
        last += 1
    after = last + 1
    if last > place and after < len(run) and _ELSE.match(run[after].text):
        while after < len(run) and _in_branch(run[after], run[last + 1]):
            after += 1
        last = after - 1 if _size(run, first, after - 1) <= most else last
    if step.parents:
        above = next((n for n, one in enumerate(run) if one == step.parents[-1]), first)
        first = above if _size(run, above, last) <= most else first
    return first, last


def _in_branch(one: Statement, opened: Statement) -> bool:
    return one == opened or opened in one.parents


def _grown(
    run: Sequence[Statement], first: int, last: int, worth: Mapping[Statement, float], most: int
) -> tuple[int, int]:
    """The neighbours as well, the better one first, while the excerpt stays short."""
    while True:
        sides = [
            (worth.get(run[side], 0.0), side)
            for side in (first - 1, last + 1)
            if 0 <= side < len(run) and _size(run, min(first, side), max(last, side)) <= most
        ]
        if not sides:
            return first, last
        _, side = max(sides)
        first, last = min(first, side), max(last, side)


def _size(run: Sequence[Statement], first: int, last: int) -> int:
    return run[last].end - _line_start(run[first])


def _line_start(statement: Statement) -> int:
    """Where its label begins; a sentence begins where it begins."""
    if statement.shape is not Shape.STEP:
        return statement.start
    text = statement.passage.text
    line = text.rfind("\n", 0, statement.start) + 1
    return line + len(text[line : statement.start]) - len(text[line : statement.start].lstrip())


def _before(statement: Statement, around: Sequence[Statement]) -> tuple[int, int] | None:
    """The production that an algorithm is for; the caption and the header over a row."""
    place = next(n for n, one in enumerate(around) if one.start == statement.start)
    if statement.shape is Shape.STEP:
        earlier = around[place - 1] if place else None
        fits = earlier is not None and _heads(earlier) and is_meaningful(earlier.text)
        return (earlier.start, earlier.end) if earlier and fits else None
    if statement.shape is not Shape.ROW:
        return None
    first = place
    while first > 0 and around[first - 1].shape is Shape.ROW:
        first -= 1
    caption = around[first - 1] if first else None
    if caption is None or not caption.text.startswith("Table"):
        return None
    return (caption.start, around[first].end) if place > first else (caption.start, caption.end)
