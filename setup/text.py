"""Canonical text while it grows: words, line breaks and indentation in, one string with exact offsets out.

Knows nothing of HTML. Separators are *pending* until the next word arrives, as in a browser's line layout:
so no text begins or ends with a separator, and whatever is marked starts at its first character and ends
after its last one. Offsets are worked out here, while writing; nothing is ever searched for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Mark(Protocol):
    """Anything that wants to know where it starts."""

    start: int


class TextBuilder:
    """Collects one page's canonical text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._waiting: list[Mark] = []
        self._indents: list[str] = []
        self._break = 0
        self._space = False
        self._glued = False
        self._labelled = False
        self._flat = 0
        self._tight = 0
        self.length = 0

    def result(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    def since(self, start: int, end: int) -> str:
        """The characters `[start, end)`, which must be near the end of what was written."""
        tail: list[str] = []
        position = self.length
        for part in reversed(self._parts):
            if position <= start:
                break
            tail.append(part)
            position -= len(part)
        return "".join(reversed(tail))[start - position : end - position]

    # -- marks ---------------------------------------------------------------------------------------

    def await_start(self, mark: Mark) -> None:
        """Set `mark.start` when the next character is written."""
        mark.start = -1
        self._waiting.append(mark)

    def settle(self, mark: Mark, *, within: Mark) -> int:
        """End of a marked stretch. An empty one stands where `within`, the stretch around it, has come to.

        Returns the end; -1 while neither has begun: then it stands where `within` will begin. What was marked
        inside and has no character stands here, and must not wander out.
        """
        if mark.start < 0 and within.start < 0:
            return -1
        inside = self._waiting.index(mark) if mark.start < 0 else 0
        for waiting in self._waiting[inside:]:
            waiting.start = self.length
        del self._waiting[inside:]
        return self.length

    def settle_all(self) -> None:
        """What still waits at the end of the page starts at its end."""
        for mark in self._waiting:
            mark.start = self.length
        self._waiting.clear()

    # -- writing -------------------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Words: every run of white space, no-break space included, is one space."""
        words = text.split()
        if not words:
            self._space = self._space or bool(text)
            return
        if text[0].isspace():
            self._space = True
        self.write(" ".join(words))
        self._space = text[-1].isspace()

    def write(self, text: str) -> None:
        """Characters as they are, after whatever separator is pending."""
        if not text:
            return
        separator = self._separator()
        if separator:
            self._parts.append(separator)
            self.length += len(separator)
        for mark in self._waiting:
            mark.start = self.length
        self._waiting.clear()
        self._parts.append(text)
        self.length += len(text)
        self._break = 0
        self._space = self._glued = self._labelled = False

    def _separator(self) -> str:
        if not self.length:
            return ""
        if self._break:
            return "\n" * self._break + self.indent
        return " " if self._space and not self._glued else ""

    @property
    def indent(self) -> str:
        """What every new line begins with."""
        return "".join(self._indents)

    @property
    def is_flat(self) -> bool:
        """Whether line breaks are written as spaces."""
        return self._flat > 0

    # -- separators ----------------------------------------------------------------------------------

    def space(self) -> None:
        """One space before the next word on the same line."""
        self._space = True

    def glue(self) -> None:
        """No space before the next word, whatever the HTML had there."""
        self._glued = True
        self._space = False

    def line(self) -> None:
        """The next word begins a line."""
        self._break_by(1)

    def paragraph(self) -> None:
        """The next word begins a paragraph: an empty line before it, unless lines stand close here."""
        self._break_by(1 if self._tight else 2)

    def _break_by(self, lines: int) -> None:
        if self._labelled:
            return
        if self._flat:
            self._space = True
            return
        self._break = max(self._break, lines)
        self._space = self._glued = False

    def stay(self) -> None:
        """Whatever separator is pending is the one before the next word, even if a paragraph begins."""
        self._labelled = True

    def label(self, label: str) -> None:
        """A list label; what follows stands on its line even if it is a paragraph."""
        self.line()
        self.write(label)
        self._space = True
        self.stay()

    @contextmanager
    def indented(self, by: str = "  ") -> Iterator[None]:
        """Lines begun inside are indented."""
        self._indents.append(by)
        yield
        self._indents.pop()

    @contextmanager
    def flat(self) -> Iterator[None]:
        """Everything inside stands on one line: a heading, a table cell."""
        self._flat += 1
        yield
        self._flat -= 1

    @contextmanager
    def tight(self) -> Iterator[None]:
        """Paragraphs inside are not set apart by empty lines: a list item."""
        self._tight += 1
        yield
        self._tight -= 1
