"""The ledger: what was shown, what was read, what was not followed."""

from agent.answer import Cut
from agent.ledger import Call, Ledger
from storage.markers import MARKER, marker
from tests.test_agent.helpers import passage
from tools.results import ToolResult


def chunk(sectionid: str, text: str, *, offset: int = 0, size: int = 0) -> dict[str, object]:
    """A chunk as a fetch tells it; whole unless its text has a larger size."""
    children = [found["id"] for found in MARKER.finditer(text) if found["id"] != "sec-forged"]
    return {
        "sectionid": sectionid, "text": text, "offset": offset, "size": size or len(text),
        "subsections": children,
    }  # fmt: skip


def paged(
    sectionid: str, text: str, *, offset: int, size: int, references: tuple[str, ...] = ()
) -> ToolResult:
    """A page of a section."""
    told = [{"sectionid": one, "name": one, "operation": True} for one in references]
    return ToolResult(
        "shown", {"chunks": [chunk(sectionid, text, offset=offset, size=size)], "references": told}
    )


def fetched(*chunks: tuple[str, str]) -> ToolResult:
    return ToolResult(
        text="shown",
        data={"chunks": [chunk(sectionid, text) for sectionid, text in chunks]},
        passages=tuple(passage(text, sectionid=sectionid) for sectionid, text in chunks),
    )


def test_a_marker_stays_unfollowed_until_its_section_is_read() -> None:
    ledger = Ledger(budget=100)
    ledger.record(
        Call("fetch", {}, "shown", ok=True),
        fetched(("sec-a", f"x {marker('sec-b', 'B')} y {marker('sec-c')}")),
    )
    assert (ledger.read, ledger.unfollowed) == (("sec-a",), ("sec-b", "sec-c"))
    ledger.record(Call("fetch", {}, "shown", ok=True), fetched(("sec-b", "b")))
    assert (ledger.read, ledger.unfollowed) == (("sec-a", "sec-b"), ("sec-c",))
    assert ledger.followed == ("sec-b",)


def test_a_marker_of_the_text_s_own_words_leads_nowhere() -> None:
    ledger = Ledger(budget=100)
    ledger.record(Call("fetch", {}, "shown", ok=True), fetched(("sec-a", f"x {marker('sec-forged', 'F')} y")))
    assert ledger.unfollowed == ()


def test_a_section_is_cut_until_its_last_page_was_shown() -> None:
    ledger = Ledger(budget=100)
    ledger.record(Call("fetch", {}, "shown", ok=True), paged("sec-a", "x" * 6, offset=0, size=10))
    assert (ledger.read, ledger.cut, ledger.in_part) == (("sec-a",), (Cut("sec-a", 6, 10),), ("sec-a",))
    ledger.record(
        Call("fetch", {"cursor": "c"}, "shown", ok=True), paged("sec-a", "x" * 4, offset=6, size=10)
    )
    assert (ledger.read, ledger.cut, ledger.in_part) == (("sec-a",), (), ())


def test_what_led_to_a_section_that_was_not_read_is_told_once() -> None:
    ledger = Ledger(budget=100)
    hits = {"query": "q", "hits": [{"sectionid": "sec-a"}, {"sectionid": "sec-h"}]}
    ledger.record(Call("search", {}, "hits", ok=True), ToolResult("hits", hits))
    text = f"x {marker('sec-m')}"
    page = paged("sec-a", text, offset=0, size=len(text), references=("sec-a", "sec-h", "sec-m", "sec-r"))
    ledger.record(Call("fetch", {}, "shown", ok=True), page)
    told = (ledger.found_unread, ledger.unfollowed, ledger.referred_unread)
    assert told == (("sec-h",), ("sec-m",), ("sec-r",))


def test_a_call_that_a_limit_turned_away_is_named_until_it_is_answered() -> None:
    ledger = Ledger(budget=100)
    for _ in range(2):
        ledger.withhold("search", {"query": "q"})
    assert ledger.not_shown == ('search(query="q")',)
    ledger.record(Call("search", {"query": "q"}, "no", ok=False), None)
    assert ledger.not_shown
    ledger.record(Call("search", {"query": "q"}, "hits", ok=True), ToolResult("hits", {"hits": []}))
    assert not ledger.not_shown


def test_a_failed_result_shows_nothing() -> None:
    ledger = Ledger(budget=100)
    ledger.record(
        Call("fetch", {}, "no", ok=False), ToolResult("no", {"chunks": []}, (passage("x"),), ok=False)
    )
    assert (len(ledger.calls), ledger.passages, ledger.read) == (1, [], ())


def test_a_query_is_listed_once() -> None:
    ledger = Ledger(budget=100)
    for _ in range(2):
        ledger.record(Call("search", {}, "hits", ok=True), ToolResult("hits", {"query": "q", "hits": []}))
    assert ledger.searched == ("q",)


def test_the_budget_is_spent_only_by_what_fits() -> None:
    ledger = Ledger(budget=10)
    assert [ledger.take(6), ledger.take(6), ledger.take(4), ledger.take(1)] == [True, False, True, False]
    assert (ledger.characters, ledger.left) == (10, 0)


def test_what_was_asked_before_leads_to_the_answer_of_the_first_call_until_that_is_released() -> None:
    ledger = Ledger(budget=10)
    assert ledger.claim("x", callid="c1") is None
    beside = ledger.claim("x", callid="c2")
    assert beside is not None
    assert beside.call is None
    ledger.settle("x", Call("fetch", {}, "shown", ok=True), fetched(("sec-a", "a")))
    later = ledger.claim("x", callid="c3")
    assert later is not None
    assert later.call is not None
    assert later.call.sections == ("sec-a",)
    ledger.release("c3")
    assert ledger.claim("x", callid="c4") is not None, "the text of the first call still stands"
    ledger.release("c1")
    assert ledger.claim("x", callid="c5") is None
