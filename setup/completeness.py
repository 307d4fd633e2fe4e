"""Whether every visible word of the HTML stands in the canonical text, in order: a proof beside the five.

Independent of the renderer: its words come from `setup.words`, which has a parser of its own, and why the
text has a word besides is told by how its line looks, not by asking who wrote it. Faults show here that the
five proofs cannot see: an element that was never rendered, words run together or torn apart, invented text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from setup.alignment import align
from setup.words import WORD, Word, visible_words

UNEXPLAINED = "unexplained"

_EXAMPLES = 10
_AROUND = 30
"""Characters shown on either side of a word of the text."""

_LABEL = re.compile(r" *(?:- )*(?P<label>\d+|[a-z]+)\.(?: (?P=label)\b|(?= |$))| *-(?: -)*")
_STOP_BEFORE_LABEL = re.compile(r"\.\n+ *(?:- )*(?:\d+|[a-z]+)\.")
"""Where the item's first word, or the full stop before it, looks like its label, either may be counted."""
_INNER_LABEL = re.compile(r"(?<= )(?:(?:\d+|[a-z]+)\.|-)(?= )")
_RULE = re.compile(r" *\|(?: --- \|)+")
_IMAGE = re.compile(r"(?<![^ ])\[Image: (?:.*\]$|.*?\](?= |$))")
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Difference:
    """One word on one side only, or one pair of words whose spacing differs."""

    word: str
    why: str
    """For a word of the HTML, the elements around it; for one of the text, the reason why it is there."""
    around: str


@dataclass(frozen=True, slots=True)
class Completeness:
    """What the comparison of some pages found."""

    words: int
    """Visible words of the HTML, marks of punctuation included."""
    in_order: int
    missing: Mapping[str, int]
    """Words of the HTML that are not in their place in the text, by the elements around them."""
    moved: int
    """How many of them stand elsewhere in the text: a browser moves stray text out of a table, so do we."""
    generated: Mapping[str, int]
    """Words of the text that the HTML does not have, by reason; moved ones are not among them."""
    respaced: Mapping[str, int]
    """Words that were run together with the one before, or torn from it, by the elements around them."""
    examples: tuple[Difference, ...]
    """The first differences that break the promise."""

    @property
    def share(self) -> float:
        """Visible words in order over all visible words."""
        return self.in_order / self.words if self.words else 1.0

    @property
    def lost(self) -> int:
        """Visible words that the text does not have at all."""
        return self.words - self.in_order - self.moved

    @property
    def passed(self) -> bool:
        """Whether no word is lost, none invented without a reason, and none run together or torn apart."""
        return not (self.lost or self.generated.get(UNEXPLAINED) or self.respaced)


def compare(pages: Iterable[tuple[bytes | str, str]]) -> Completeness:
    """Compare pages, each given as its HTML and its canonical text."""
    counts: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    generated: Counter[str] = Counter()
    respaced: Counter[str] = Counter()
    examples: list[Difference] = []
    for html, text in pages:
        page = _Comparison(visible_words(html), text)
        lacking, added, torn = list(page.lacking()), list(page.added()), list(page.respaced())
        stray = Counter(d.word for d in lacking) & Counter(d.word for d in added if d.why == UNEXPLAINED)
        counts.update(words=len(page.seen), lacking=len(lacking), moved=stray.total())
        missing.update(d.why for d in lacking)
        generated.update(d.why for d in added)
        generated[UNEXPLAINED] -= stray.total()
        respaced.update(d.why for d in torn)
        examples += [*lacking, *torn, *(d for d in added if d.why == UNEXPLAINED)]
    return Completeness(
        words=counts["words"],
        in_order=counts["words"] - counts["lacking"],
        missing=dict(missing),
        moved=counts["moved"],
        generated={why: count for why, count in generated.most_common() if count},
        respaced=dict(respaced),
        examples=tuple(examples[:_EXAMPLES]),
    )


class _Comparison:
    """One page's words, seen and written, and which of them are the same."""

    def __init__(self, seen: Sequence[Word], text: str) -> None:
        self.seen = seen
        self._text = text
        self._written = list(WORD.finditer(text))
        self._pairs = align([word.text for word in seen], [found[0] for found in self._written])

    def lacking(self) -> Iterator[Difference]:
        """Words of the HTML that are not in their place."""
        placed = {a for a, _ in self._pairs}
        for index, word in enumerate(self.seen):
            if index not in placed:
                around = self.seen[max(index - 5, 0) : index + 6]
                yield Difference(word.text, word.path, " ".join(other.text for other in around))

    def added(self) -> Iterator[Difference]:
        """Words of the text that the HTML does not have, each with its reason."""
        placed = {b for _, b in self._pairs}
        lines = _Lines(self._text)
        for index, found in enumerate(self._written):
            if index not in placed:
                yield Difference(found[0], lines.reason(found.start()), self._around(found))

    def respaced(self) -> Iterator[Difference]:
        """Words whose distance from the word before is not that of the HTML."""
        for (a, b), (c, d) in pairwise(self._pairs):
            word = self.seen[c]
            if c == a + 1 and d == b + 1 and word.spaced is not None:
                spaced = self._written[d].start() > self._written[b].end()
                if spaced != word.spaced:
                    yield Difference(word.text, word.path, self._around(self._written[d]))

    def _around(self, found: re.Match[str]) -> str:
        return self._text[max(found.start() - _AROUND, 0) : found.end() + _AROUND]


class _Lines:
    """Why a word of the text is none of the HTML, by how its line looks. Asked in the text's order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start, self._end = 0, -1
        self._table_start, self._table_end = 0, -1
        self._cells: Counter[str] = Counter()

    def reason(self, offset: int) -> str:
        """The reason for the word at an offset."""
        line = self._line_at(offset)
        at = offset - self._start
        label = _LABEL.match(line)
        if (label and at < label.end()) or _STOP_BEFORE_LABEL.match(self._text, offset):
            return "label of a step or an item"
        if any(image.start() <= at < image.end() for image in _IMAGE.finditer(line)):
            return "alternative text of an image"
        if line.lstrip().startswith("|") and (why := self._reason_in_row(line, at)):
            return why
        return _reason_of_mark(line, at)

    def _line_at(self, offset: int) -> str:
        if offset > self._end:
            self._start = self._text.rfind("\n", 0, offset) + 1
            end = self._text.find("\n", offset)
            self._end = len(self._text) if end < 0 else end
        return self._text[self._start : self._end]

    def _reason_in_row(self, line: str, at: int) -> str:
        if _RULE.fullmatch(line):
            return "rule under a table's header"
        if line[at] == "|":
            return "bar between a table's cells"
        if line.startswith("\\|", at):
            return "escape of a bar"
        if self._is_repeated(line, at):
            return "cell that spans rows or columns, repeated"
        if any(label.start() <= at < label.end() for label in _INNER_LABEL.finditer(line)):
            return "label of a step or an item"
        return ""

    def _is_repeated(self, line: str, at: int) -> bool:
        """Whether another cell of the table says what the cell here says."""
        if not self._table_start <= self._start <= self._table_end:
            self._read_table()
        cell = _BAR.split(line)[len(_BAR.findall(line[:at]))]
        return self._cells[cell] > 1

    def _read_table(self) -> None:
        """The cells of the lines around the current one that begin with a bar."""
        lines = self._text.split("\n")
        here = self._text.count("\n", 0, self._start)
        first = last = here
        while first and lines[first - 1].lstrip().startswith("|"):
            first -= 1
        while last + 1 < len(lines) and lines[last + 1].lstrip().startswith("|"):
            last += 1
        self._table_start = self._start - sum(len(line) + 1 for line in lines[first:here])
        self._table_end = self._start + sum(len(line) + 1 for line in lines[here:last])
        self._cells = Counter(cell for line in lines[first : last + 1] for cell in _BAR.split(line))


def _reason_of_mark(line: str, at: int) -> str:
    """The reason for a single character that stands for a change of type."""
    character = line[at]
    if character == "`":
        return "mark of code"
    if character in "^_":
        return "mark of a superscript, a subscript or `opt`"
    if character == "(" and line[at - 1 : at] in ("^", "_"):
        return "bracket around a script"
    if character == ")" and any(_closes_script(line, place) for place in _run(line, at)):
        return "bracket around a script"
    return UNEXPLAINED


def _run(line: str, at: int) -> range:
    """The brackets `)))` around a place: which of them was added cannot be told apart."""
    start = end = at
    while start and line[start - 1] == ")":
        start -= 1
    while end < len(line) and line[end] == ")":
        end += 1
    return range(start, end)


def _closes_script(line: str, closing: int) -> bool:
    depth = 0
    for at in range(closing, 0, -1):
        depth += {")": 1, "(": -1}.get(line[at], 0)
        if not depth:
            return line[at - 1] in "^_"
    return False
