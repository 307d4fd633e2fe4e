"""Shown text taken apart into statements: steps, sentences, items, rows, productions. Each is an exact slice.

Pure text. A statement knows its step label and the steps around it, so that a condition can be quoted with
what follows from it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from storage.markers import MARKER
from tools.results import Passage

_STEP = re.compile(r"^(?P<indent> *)(?P<label>\d+|[a-z]{1,6})\. (?=\S)")
_ITEM = re.compile(r"^\s*(?:- |• )(?=\S)")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|[\s:|-]+\|\s*$")
_PRODUCTION = re.compile(r"^\s*\S[^.]*:(?: one of)?$")
_LABEL = re.compile(r"^(?:Note|Example|Editor's Note)(?: \d+)?$")
_SENTENCE = re.compile(r"(?<=[.!?])[)\"”]?\s+(?=[A-Z\"“«(`%\[])")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|viz)|\b[A-Z])\.$")


class Shape(StrEnum):
    """What kind of statement."""

    STEP = "step"
    SENTENCE = "sentence"
    NOTE = "note"
    ITEM = "item"
    ROW = "row"
    PRODUCTION = "production"


@dataclass(frozen=True, slots=True)
class Statement:
    """Characters `[start, end)` of a passage's text; `parents` are the steps that it stands under,
    outermost first."""

    passage: Passage
    start: int
    end: int
    shape: Shape
    label: str = ""
    parents: "tuple[Statement, ...]" = ()

    @property
    def text(self) -> str:
        """The exact words."""
        return self.passage.text[self.start : self.end]

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: the page, and the character of the page."""
        return self.passage.source, self.passage.start + self.start


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=256)
def statements(passage: Passage) -> tuple[Statement, ...]:
    """The statements of one passage in order; its heading is none. Asked for at every step of a question."""
    return tuple(_Splitter(passage).run())


def _paragraphs(passage: Passage) -> Iterator[list[_Line]]:
    """Runs of lines between blank ones; the section's heading and lines that hold a marker are left out."""
    heading = f"{passage.secnum} {passage.title}".strip()
    run: list[_Line] = []
    start = 0
    for line in passage.text.splitlines(keepends=True):
        text = line.rstrip()
        if text and text.strip() != heading and not MARKER.search(text):
            run.append(_Line(start, text))
        elif run:
            yield run
            run = []
        start += len(line)
    if run:
        yield run


class _Splitter:
    """Walks a passage's paragraphs and remembers which steps are open."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._open: list[tuple[int, Statement]] = []

    def run(self) -> Iterator[Statement]:
        for lines in _paragraphs(self._passage):
            note = bool(_LABEL.match(lines[0].text.strip()))
            body = lines[1:] if note else lines
            if _is_grammar(body):
                yield from self._productions(body)
            else:
                for line in body:
                    yield from self._line(line, note=note)

    def _productions(self, lines: Sequence[_Line]) -> Iterator[Statement]:
        """A left-hand side with all its right-hand sides is one statement."""
        heads = [
            place
            for place, line in enumerate(lines)
            if _PRODUCTION.match(line.text) and _indent(line.text) == 0
        ]
        for place, following in zip(heads, [*heads[1:], len(lines)], strict=True):
            first, last = lines[place], lines[following - 1]
            yield self._made(_at(first, _indent(first.text)), last.end, Shape.PRODUCTION)

    def _line(self, line: _Line, *, note: bool) -> Iterator[Statement]:
        if step := _STEP.match(line.text):
            yield self._step(line, len(step["indent"]), step["label"], step.end())
        elif _ROW.match(line.text):
            if not _RULE.match(line.text):
                yield self._made(_at(line, _indent(line.text)), line.end, Shape.ROW)
        elif item := _ITEM.match(line.text):
            yield self._made(_at(line, item.end()), line.end, Shape.ITEM)
        else:
            yield from self._sentences(line, Shape.NOTE if note else Shape.SENTENCE)

    def _step(self, line: _Line, indent: int, label: str, words: int) -> Statement:
        self._open = [(depth, step) for depth, step in self._open if depth < indent]
        parents = tuple(step for _, step in self._open)
        path = ".".join([*(parent.label.rpartition(".")[2] for parent in parents), label])
        step = Statement(self._passage, _at(line, words), line.end, Shape.STEP, path, parents)
        self._open.append((indent, step))
        return step

    def _sentences(self, line: _Line, shape: Shape) -> Iterator[Statement]:
        begin = _indent(line.text)
        for gap in _SENTENCE.finditer(line.text):
            if not _ABBREVIATED.search(line.text[: gap.start()]):
                end = gap.start() + len(gap.group().rstrip())
                yield self._made(_at(line, begin), _at(line, end), shape)
                begin = gap.end()
        yield self._made(_at(line, begin), line.end, shape)

    def _made(self, start: int, end: int, shape: Shape) -> Statement:
        return Statement(self._passage, start, end, shape)


def _is_grammar(lines: Sequence[_Line]) -> bool:
    """A left-hand side over indented right-hand sides; a step or item that ends in a colon is none."""
    first = lines[0].text if lines else ""
    followed = len(lines) > 1 and lines[1].text.startswith(" ")
    return followed and bool(_PRODUCTION.match(first)) and not (_STEP.match(first) or _ITEM.match(first))


def _at(line: _Line, offset: int) -> int:
    return line.start + offset


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
