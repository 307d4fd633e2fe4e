"""The order of evidence in a packet."""

from storage.model import Kind, Level, Span
from tools.packet import Packet, Selected, in_document_order

SECTIONS = {
    "sec-intro": (Kind.INTRO, ""),
    "sec-nine": (Kind.CLAUSE, "9.1"),
    "sec-ten": (Kind.CLAUSE, "10.1"),
    "sec-b": (Kind.ANNEX, "B.2"),
    "sec-c": (Kind.ANNEX, "C"),
    "sec-colophon": (Kind.ANNEX, ""),
}


def selected(clauseid: str, *, page: str, at: int = 0) -> Selected:
    span = Span(at, at + 5)
    return Selected(f"{clauseid}~{at}", clauseid, Level.BLOCK, page, "e", (span,), "x" * 5, ())


def in_order(*units: Selected) -> list[str]:
    packet = Packet("s", "q", "e", (), units, (), (), 0, 0, 0)
    return [one.unitid for one in in_document_order(packet, SECTIONS).selected]


def test_pages_come_in_the_order_of_their_sections_whatever_their_names_are() -> None:
    units = [selected(one, page=f"{9 - number}.html") for number, one in enumerate(SECTIONS)]
    assert in_order(*reversed(units)) == [one.unitid for one in units]


def test_inside_a_page_evidence_comes_by_place() -> None:
    late, early = selected("sec-nine", page="p", at=90), selected("sec-colophon", page="p", at=10)
    between = selected("sec-ten", page="q")
    assert in_order(late, between, early) == ["sec-colophon~10", "sec-nine~90", "sec-ten~0"]
