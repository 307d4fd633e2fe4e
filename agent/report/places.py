"""Quotations in their section: the words around them, and where the section stands. Reads a store.

All quotations of one section are shown together: an answer often quotes an algorithm and then its steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.answer import Citation
from storage.model import Unit
from storage.reading import Reader

AROUND = 500
"""Characters shown on either side of a quotation: an algorithm's neighbouring steps."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a section, letter for letter. A gap holds no text: there the section goes on unseen."""

    text: str
    quoted: bool = False
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A section with what is quoted from it, the numbers of the citations, and the titles above it."""

    first: Citation
    numbers: tuple[int, ...]
    path: tuple[str, ...]
    parts: tuple[Part, ...]


def passages_of(citations: Sequence[Citation], reader: Reader) -> Iterator[Passage]:
    """A passage for each section that was quoted, in the order of the citations. What was not found in the
    text, or is of another edition, has none."""
    placed: dict[str, tuple[Unit, list[int]]] = {}
    for place, cited in enumerate(citations):
        if unit := _home(cited, reader):
            placed.setdefault(unit.unitid, (unit, []))[1].append(place)
    for unit, places in placed.values():
        quoted = _merged([(citations[place].start, citations[place].end) for place in places])
        yield Passage(
            first=citations[places[0]],
            numbers=tuple(place + 1 for place in places),
            path=tuple(unit.titlepath.split(" > ")),
            parts=tuple(_parts(reader.slice(unit.source, unit.start, unit.end), unit.start, quoted)),
        )


def _home(cited: Citation, reader: Reader) -> Unit | None:
    """The section that holds a quotation where the citation says; None where it does not."""
    if cited.start < 0 or cited.edition != reader.record.edition:
        return None
    unit = reader.unit(cited.sectionid)
    holds = unit and unit.source == cited.source and unit.start <= cited.start < cited.end <= unit.end
    return unit if holds else None


def _merged(spans: Sequence[Span], *, apart: int = 0) -> list[Span]:
    """The spans in order, those that overlap or stand no further `apart` made one."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1] + apart:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _parts(text: str, at: int, quoted: Sequence[Span]) -> Iterator[Part]:
    """The section's text, cut where nothing is quoted for long; `at` is where it begins on its page."""
    inside = [(start - at, end - at) for start, end in quoted]
    shown_to = 0
    for first, last in _merged(inside, apart=2 * AROUND):
        begin = _line_start(text, max(shown_to, first - AROUND), of=first)
        finish = _line_end(text, min(len(text), last + AROUND), of=last)
        if begin > shown_to:
            yield Part("", gap=True)
        yield from _marked(text, begin, finish, inside)
        shown_to = finish
    if shown_to < len(text):
        yield Part("", gap=True)


def _marked(text: str, begin: int, finish: int, quoted: Sequence[Span]) -> Iterator[Part]:
    for start, end in quoted:
        if begin <= start < finish:
            yield Part(text[begin:start])
            yield Part(text[start:end], quoted=True)
            begin = end
    yield Part(text[begin:finish])


def _line_start(text: str, place: int, *, of: int) -> int:
    """The beginning of the next line, unless the quotation begins before that."""
    if place == 0:
        return 0
    line = text.find("\n", place, of)
    return place if line < 0 else line + 1


def _line_end(text: str, place: int, *, of: int) -> int:
    if place == len(text):
        return place
    line = text.rfind("\n", of, place)
    return place if line < 0 else line
