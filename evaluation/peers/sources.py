"""What a peer is given to index: whole pages, or one text a section; and the way back from it to the pages.

Both are cut from the canonical text of the edition, so every peer reads exactly what our own search reads.
Knows no library.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from storage.model import Level, Span
from storage.reading import Reader

JOINT = "\n"
"""Stands where a section's child sections were taken out of its text."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text to index. `spans` are the stretches of `page` that it is made of, `JOINT` between each two."""

    name: str
    page: str
    """The file whose canonical text it is cut from."""
    heading: str
    """The titles above and of it, joined by ` > `; empty for a page."""
    text: str
    spans: tuple[Span, ...]

    def stretches(self, start: int, end: int) -> tuple[Span, ...]:
        """Where characters `[start, end)` of the text stand in the page.

        >>> Source("s", "p", "", "abc" + JOINT + "de", (Span(10, 13), Span(20, 22))).stretches(1, 5)
        (Span(start=11, end=13), Span(start=20, end=21))
        """
        out: list[Span] = []
        before = 0
        for span in self.spans:
            first, after = max(start, before), min(end, before + len(span))
            if first < after:
                out.append(Span(span.start + first - before, span.start + after - before))
            before += len(span) + len(JOINT)
        return tuple(out)


def pages(reader: Reader) -> list[Source]:
    """Every page as one text."""
    units = reader.matching({"level": Level.PAGE.value})
    texts = ((unit, reader.page(unit.source).text) for unit in units)
    return [Source(unit.unitid, unit.source, "", text, (Span(0, len(text)),)) for unit, text in texts if text]


def sections(reader: Reader) -> list[Source]:
    """Every section as one text: from its heading to its end, without its child sections."""
    units = reader.matching({"level": [Level.SECTION.value, Level.PIECE.value]})
    own: dict[str, list[Span]] = {}
    for unit in units:
        own.setdefault(unit.clauseid, []).extend(unit.segments)
    return [
        _source(unit.unitid, unit.source, unit.titlepath, reader.page(unit.source).text, own[unit.unitid])
        for unit in units
        if unit.level is Level.SECTION
    ]


def _source(name: str, page: str, heading: str, text: str, parts: Iterable[Span]) -> Source:
    spans = tuple(joined(part for part in parts if text[part.start : part.end].strip()))
    return Source(name, page, heading, JOINT.join(text[span.start : span.end] for span in spans), spans)


def joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that touch made one: a section and the pieces cut out of it."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
