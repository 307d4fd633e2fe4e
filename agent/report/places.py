"""A quotation in its section: the words around it, and where the section stands. Reads a store."""

from dataclasses import dataclass

from agent.answer import Citation
from storage.reading import Reader

AROUND = 500
"""Characters shown on either side of a quotation: an algorithm's neighbouring steps."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands before, in and after a quotation, letter for letter, and the titles above it."""

    before: str
    quoted: str
    after: str
    cut_before: bool
    cut_after: bool
    path: tuple[str, ...]


def passage_of(cited: Citation, reader: Reader) -> Passage | None:
    """The surroundings of a quotation; None where it was not found, or is of another edition."""
    if cited.start < 0 or cited.edition != reader.record.edition:
        return None
    unit = reader.unit(cited.sectionid)
    if unit is None or unit.source != cited.source or not unit.start <= cited.start < cited.end <= unit.end:
        return None
    text, at = reader.slice(unit.source, unit.start, unit.end), unit.start
    begin = _line_start(text, max(0, cited.start - at - AROUND), of=cited.start - at)
    end = _line_end(text, min(len(text), cited.end - at + AROUND), of=cited.end - at)
    return Passage(
        before=text[begin : cited.start - at],
        quoted=text[cited.start - at : cited.end - at],
        after=text[cited.end - at : end],
        cut_before=begin > 0,
        cut_after=end < len(text),
        path=tuple(unit.titlepath.split(" > ")),
    )


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
