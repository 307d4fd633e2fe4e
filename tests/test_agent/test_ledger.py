"""The ledger: what was shown, what was read, what was not followed."""

from agent.ledger import Call, Ledger
from storage.markers import marker
from tests.test_agent.helpers import passage
from tools.results import ToolResult


def fetched(*chunks: tuple[str, str]) -> ToolResult:
    return ToolResult(
        text="shown",
        data={"chunks": [{"sectionid": sectionid, "text": text} for sectionid, text in chunks]},
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
