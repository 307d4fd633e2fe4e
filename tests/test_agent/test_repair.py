"""One round of repair: asked for when it is needed, once, and what still fails is shown as failed."""

from langchain_core.messages import AIMessage

from agent.answer import Status, Verdict
from agent.events import Event, EventKind
from agent.offline import OfflineModel
from tests.test_agent.helpers import ask_garden, ask_scripted
from tests.test_agent.scripted import answer, call

FULL = "If bed is full, throw a RangeError exception."
WRONG = FULL.replace("RangeError", "TypeError")
READ = call("fetch_section_chunks", sectionid="sec-plant")
GOOD = answer(("A full bed throws.", [("sec-plant", FULL)]))
BAD = answer(("A full bed throws.", [("sec-plant", WRONG)]))
ASKED = "The model was asked once to put its answer right."


def test_a_quotation_that_fails_comes_back_to_the_model_with_the_words_of_the_text() -> None:
    answered, model = ask_scripted(READ, BAD, GOOD)
    told = str(model.sent[-1][-1].text)
    assert f"`sec-plant`, “{WRONG}”: these words were not found" in told
    assert f"The text has: “{FULL}” (“TypeError” where the text has “RangeError”)" in told
    assert (answered.status, answered.citations[0].quote) == (Status.GROUNDED, FULL)
    assert ASKED in answered.notes


def test_what_still_fails_is_unverified_with_its_differing_words_and_is_not_asked_for_again() -> None:
    answered, model = ask_scripted(READ, BAD)
    assert len(model.sent) == 3
    failed = answered.citations[0]
    assert (answered.status, failed.verdict, failed.near) == (Status.PARTIAL, Verdict.NOT_FOUND, FULL)
    assert [(one.written, one.stands) for one in failed.differences] == [("TypeError", "RangeError")]
    assert "1 of 1 quotations could not be verified." in answered.notes


def test_the_model_may_read_what_it_quoted_unread() -> None:
    answered, model = ask_scripted(call("search_spec", query="weather"), GOOD, READ, GOOD)
    assert "this question was not shown it" in str(model.sent[2][-1].text)
    assert answered.status is Status.GROUNDED


def test_a_claim_without_citation_and_a_message_without_answer_are_asked_for_again() -> None:
    for first in (answer(("A full bed throws.", [])), AIMessage("A full bed throws."), AIMessage("")):
        answered, model = ask_scripted(READ, first, GOOD)
        assert len(model.sent) == 3
        assert answered.status is Status.GROUNDED


def test_a_refusal_in_prose_is_asked_for_in_its_form_and_stands_where_it_comes_again() -> None:
    answered, model = ask_scripted(READ, AIMessage("A greenhouse is not defined."))
    assert len(model.sent) == 3
    assert (answered.status, answered.refusal) == (Status.REFUSED, "A greenhouse is not defined.")


def test_a_second_answer_that_verifies_less_does_not_replace_the_first() -> None:
    first = answer(("One.", [("sec-plant", FULL)]), ("Two.", [("sec-plant", WRONG)]))
    for second in (BAD, AIMessage(""), AIMessage("I am sorry.")):
        answered, _ = ask_scripted(READ, first, second)
        assert [claim.text for claim in answered.claims] == ["One.", "Two."]
        assert answered.citations[0].verdict is Verdict.VERIFIED


def test_a_model_that_takes_its_answer_back_is_believed() -> None:
    answered, _ = ask_scripted(READ, BAD, answer(refusal="The text does not say so."))
    assert (answered.status, answered.refusal) == (Status.REFUSED, "The text does not say so.")


def test_a_good_answer_and_a_refusal_are_not_asked_for_again() -> None:
    for last in (GOOD, answer(refusal="Not here.")):
        answered, model = ask_scripted(READ, last)
        assert len(model.sent) == 2
        assert ASKED not in answered.notes


def test_nothing_is_repaired_once_the_model_is_no_longer_called() -> None:
    answered, model = ask_scripted(call("search_spec", query="seed"), max_calls=1)
    assert ASKED not in answered.notes
    assert len(model.sent) == 4


def test_the_repair_is_told_to_the_listener() -> None:
    events: list[Event] = []
    ask_scripted(READ, BAD, GOOD, events=events)
    assert sum(event.kind is EventKind.REPAIR for event in events) == 1


def test_the_offline_model_never_needs_it() -> None:
    for question in ("How is a seed planted?", "PlantSeed", "What is setTimeout?", "When does a bed throw?"):
        events: list[Event] = []
        ask_garden(question, OfflineModel(), events=events)
        assert EventKind.REPAIR not in [event.kind for event in events]
