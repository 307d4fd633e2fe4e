"""Which text is embedded: windows of the own text of sections and pieces, each behind its heading path.

A window lies inside one segment, so its span is an exact slice of the page. A section that holds only a
heading and children has one window without text, so that its title can still be found.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storage.model import Level, Unit
from storage.windows import shorten_prefix, windows

EMBEDDED_LEVELS = frozenset({Level.PAGE, Level.SECTION, Level.PIECE})
"""Blocks are found by full text and by the windows around them; a page has some only if it has own text."""


@dataclass(frozen=True, slots=True)
class EmbeddedWindow:
    """One row of the table of vectors, before it has its vector."""

    windowid: str
    unit: Unit
    start: int
    end: int
    text: str
    """Heading path and window: what is embedded. Never shown."""


def embedded_windows(unit: Unit, page_text: str) -> list[EmbeddedWindow]:
    """The windows of a unit, in document order."""
    if unit.level not in EMBEDDED_LEVELS:
        return []
    prefix = shorten_prefix(unit.titlepath)
    spans = list(_spans(unit, page_text, prefix))
    if not spans and unit.level is not Level.PAGE:
        spans = [(unit.start, unit.start)]
    return [
        EmbeddedWindow(
            windowid=f"{unit.unitid}#{number}",
            unit=unit,
            start=start,
            end=end,
            text=f"{prefix}\n{page_text[start:end]}".rstrip(),
        )
        for number, (start, end) in enumerate(spans, start=1)
    ]


def _spans(unit: Unit, page_text: str, prefix: str) -> Iterator[tuple[int, int]]:
    """Windows in characters of the page; those without a letter or digit (rules, borders) are left out."""
    for segment in unit.segments:
        text = page_text[segment.start : segment.end]
        for start, end in windows(text, prefix=prefix):
            if any(character.isalnum() for character in text[start:end]):
                yield segment.start + start, segment.start + end
