"""Whether a parent may stand in for a child: decided from where both stand, never from their text or ids.

Pure. Only units of one page, edition, representation and digest can be compared by span at all; the checks
go from the widest frame to the narrowest, so the reason given is the first thing that is wrong.
"""

from dataclasses import dataclass

from storage.model import EditionRecord, Span, Unit
from tools.packet import Reason


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit stands, and in which text."""

    source: str
    """What the edition was made of: its digest or address."""
    page: str
    edition: str
    representation: str
    digest: str
    """Of the page's canonical text."""
    span: Span


def place(unit: Unit, record: EditionRecord) -> Place:
    """Where a unit of a stored edition stands."""
    return Place(
        source=record.sourcedigest,
        page=unit.source,
        edition=unit.edition,
        representation=record.representation,
        digest=unit.digest,
        span=unit.span,
    )


def objection(child: Place, parent: Place | None) -> Reason | None:
    """Why the parent may not stand in for the child; None where it may."""
    if parent is None:
        return Reason.MISSING_PARENT
    if child.edition != parent.edition:
        return Reason.EDITION_MISMATCH
    if (child.source, child.page) != (parent.source, parent.page):
        return Reason.PAGE_MISMATCH
    if (child.representation, child.digest) != (parent.representation, parent.digest):
        return Reason.STALE_PARENT
    return None if parent.span.contains(child.span) else Reason.NOT_CONTAINED


def doubt(child: Unit, parent: Unit | None, record: EditionRecord) -> Reason | None:
    """`objection` for two units of one reader."""
    return objection(place(child, record), None if parent is None else place(parent, record))
