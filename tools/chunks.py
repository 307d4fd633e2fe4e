"""One unit as a fetch hands it out: its page content, cut where it must be, and what of that may be quoted.

Pure; opens no store. Markers and headers are generated text: they are shown, and they are in no passage.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storage.documents import page_content
from storage.errors import StructureError
from storage.markers import MARKER
from storage.model import Unit
from tools.results import Passage


@dataclass(frozen=True, slots=True)
class Chunk:
    """Characters `[offset, end)` of a unit's page content."""

    unit: Unit
    offset: int
    end: int

    @property
    def text(self) -> str:
        """What is shown, exact."""
        return page_content(self.unit)[self.offset : self.end]

    @property
    def whole(self) -> bool:
        """Whether nothing of the unit's page content is missing."""
        return self.offset == 0 and self.end == len(page_content(self.unit))


def cut(text: str, offset: int, room: int) -> int:
    """Where to stop showing `text` from `offset` on, in at most `room` characters, and never inside a marker.

    Prefers the end of a line, then of a word. Only a marker longer than the room makes the part longer than
    it.
    """
    stop = offset + room
    if stop >= len(text):
        return len(text)
    least = offset + room // 2
    for boundary in ("\n", " "):
        found = text.rfind(boundary, least, stop)
        if found >= 0:
            stop = found + 1
            break
    for found_marker in MARKER.finditer(text, offset):
        start, end = found_marker.span()
        if start < stop < end:
            return start if start > offset else end
        if start >= stop:
            break
    return stop


def passages(chunk: Chunk) -> Iterator[Passage]:
    """The stretches of the specification in a chunk: each one slice of the page, none with a marker
    inside."""
    unit = chunk.unit
    shift = len(page_content(unit)) - len(unit.text)
    for at, start, length in _placed_segments(unit):
        first = max(at, chunk.offset - shift)
        last = min(at + length, chunk.end - shift)
        if first < last and unit.text[first:last].strip():
            yield passage(unit, start + first - at, unit.text[first:last])


def passage(unit: Unit, start: int, text: str) -> Passage:
    """A slice of the page, from `start` on, that belongs to `unit`."""
    return Passage(
        edition=unit.edition,
        sectionid=unit.sectionid,
        clauseid=unit.clauseid,
        secnum=unit.secnum,
        title=unit.title,
        source=unit.source,
        start=start,
        end=start + len(text),
        text=text,
    )


def _placed_segments(unit: Unit) -> Iterator[tuple[int, int, int]]:
    """(place in the own text, place in the page, length) of each segment; a marker stands between two."""
    at = 0
    for number, segment in enumerate(unit.segments):
        if number:
            mark = MARKER.match(unit.text, at)
            if not mark:
                raise StructureError(
                    f"`{unit.unitid}` lacks a marker for a child: run python -m setup.ingest --check"
                )
            at = mark.end()
        yield at, segment.start, len(segment)
        at += len(segment)
