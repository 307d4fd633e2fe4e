"""What a retrieval strategy returns: hits, selected units, refusals with reasons, and what it cost.

Values only. A score belongs to the child that matched. A selected unit has none of its own: it lists the
children that led to it, in rank order. What a strategy wanted and could not give is named, with the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from storage.model import Kind, Level, Span
from storage.reading import Candidate


class Reason(StrEnum):
    """Why a unit was not selected."""

    MISSING_PARENT = "missing_parent"
    EDITION_MISMATCH = "edition_mismatch"
    PAGE_MISMATCH = "page_mismatch"
    STALE_PARENT = "stale_parent"
    NOT_CONTAINED = "not_contained"
    TOO_MANY_UNITS = "too_many_units"
    TOO_LONG = "too_long"


class Order(StrEnum):
    """How the evidence is laid out: best first, or as it stands in the document."""

    RANK = "rank"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A unit that was not selected, why, and the hit that had led to it."""

    unitid: str
    reason: Reason
    child: str


@dataclass(frozen=True, slots=True)
class Selected:
    """Evidence: stretches of one page, and the hits that led there in rank order."""

    unitid: str
    clauseid: str
    level: Level
    source: str
    edition: str
    spans: tuple[Span, ...]
    """In document order; only these are exact text, what joins them in `text` may be a marker."""
    text: str
    children: tuple[Candidate, ...]

    def covers(self, other: "Selected") -> bool:
        """Whether every stretch of `other` lies inside one of this unit's."""
        same_page = (self.edition, self.source) == (other.edition, other.source)
        return same_page and all(any(own.contains(span) for own in self.spans) for span in other.spans)


@dataclass(frozen=True, slots=True)
class Packet:
    """One question's evidence."""

    strategy: str
    query: str
    edition: str
    hits: tuple[Candidate, ...]
    """What was found, best first, whether it was selected or not."""
    selected: tuple[Selected, ...]
    refusals: tuple[Refusal, ...]
    parents: tuple[Candidate, ...]
    """What the first of two searches chose; empty where there is one search."""
    calls: int
    """Searches and reads of the store."""
    candidates: int
    """Rows that the searches gave."""
    characters: int
    """Of the selected units and the separators between them."""

    def sections(self) -> list[str]:
        """The sections of the hits, each once, best first."""
        return list(dict.fromkeys(hit.clauseid for hit in self.hits))

    def _repr_html_(self) -> str:
        """For a notebook."""
        from tools.display import packet_html

        return packet_html(self)


Numbered = tuple[Kind, str]
"""What a section is and its number; with both it can be told which of two pages comes first."""


def in_document_order(packet: Packet, sections: Mapping[str, Numbered]) -> Packet:
    """The same evidence as it stands in the specification; `sections` by id, of all that was selected.

    Inside a page by place. Pages by the first number that was selected of them, since their names say
    nothing: introductions, clauses, annexes, then what has no number.
    """
    first: dict[str, tuple[int, str, Sequence[int]]] = {}
    for one in packet.selected:
        number = _number(*sections.get(one.clauseid, (Kind.PAGE, "")))
        first[one.source] = min(number, first.get(one.source, number))
    chosen = sorted(packet.selected, key=lambda one: (first[one.source], one.source, one.spans, one.unitid))
    return replace(packet, selected=tuple(chosen))


def _number(kind: Kind, secnum: str) -> tuple[int, str, Sequence[int]]:
    """Where a section comes among all: its sort, an annex's letter, its numbers.

    >>> sorted([_number(Kind.ANNEX, "C"), _number(Kind.ANNEX, "B.2"), _number(Kind.CLAUSE, "10.1")])
    [(1, '', (10, 1)), (2, 'B', (2,)), (2, 'C', ())]
    """
    parts = secnum.split(".")
    numbers = tuple(int(part) for part in parts if part.isdecimal())
    letter = "" if parts[0].isdecimal() else parts[0]
    if kind is Kind.INTRO:
        return 0, "", numbers
    return 2 if letter else 1 if numbers else 3, letter, numbers
