"""Whole conversations with a scripted model: whatever it does, the loop ends in an answer."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.tools import StructuredTool
from langsmith.utils import get_env_var, tracing_is_enabled

from agent.answer import Answer, Status, Verdict
from agent.ask import limits_of
from agent.events import Event, EventKind, silent
from agent.ledger import Ledger
from agent.loop import Limits, Outcome, run
from agent.stored import Stored
from storage.errors import Ask262Error, EmbedderError, StoreError
from tests.golden import matches_golden
from tests.test_agent.helpers import ask_scripted, settings, tool_texts
from tests.test_agent.scripted import ScriptedModel, answer, call, calls
from tests.test_tools.fake import small
from tools.results import ToolResult
from tools.same_call import as_written

SEARCH = {"query": "How is a seed planted?"}
PLANT = {"sectionid": "sec-plant"}
FULL = "If bed is full, throw a RangeError exception."
SIZE = r" \([\d,]+ characters\)$"
GOOD = answer(("A full bed throws.", [("sec-plant", FULL)]))


def transcript(answered: Answer, model: ScriptedModel, events: list[Event]) -> str:
    """The whole conversation as a person would read it."""
    turns = [f"[{event.kind}] {re.sub(SIZE, '', event.text)}" for event in events]
    offered = [f"[offered] {', '.join(names)}" for names in model.offered]
    return "\n".join([*offered, *turns, f"[status] {answered.status}", answered.text, *answered.notes])


def test_a_question_is_searched_read_and_answered() -> None:
    events: list[Event] = []
    answered, model = ask_scripted(
        call("search_spec", **SEARCH), call("fetch_section_chunks", **PLANT), GOOD, events=events
    )
    assert matches_golden("test_agent/golden/transcript-answered.txt", transcript(answered, model, events))


def test_the_model_is_told_how_to_work_and_what_was_asked() -> None:
    _, model = ask_scripted(GOOD, question="How is a seed planted?")
    first = model.sent[0]
    assert isinstance(first[0], SystemMessage)
    assert "`test-1`" in str(first[0].text)
    assert first[1].text == "How is a seed planted?"


def test_an_unknown_tool_is_answered_with_the_tools_that_exist() -> None:
    events: list[Event] = []
    answered, model = ask_scripted(
        call("read_file", path="spec"), call("fetch_section_chunks", **PLANT), GOOD, events=events
    )
    assert matches_golden(
        "test_agent/golden/transcript-unknown-tool.txt", transcript(answered, model, events)
    )


def test_an_endless_repeat_ends_at_the_limit_of_calls() -> None:
    events: list[Event] = []
    answered, model = ask_scripted(call("search_spec", **SEARCH), max_calls=3, events=events)
    assert matches_golden(
        "test_agent/golden/transcript-endless-repeat.txt", transcript(answered, model, events)
    )


def test_at_the_limit_only_the_answer_is_offered_and_it_is_taken() -> None:
    answered, model = ask_scripted(
        call("search_spec", query="a"), call("fetch_section_chunks", **PLANT), GOOD, max_calls=2
    )
    assert model.offered[-1] == ["AnswerDraft"]
    assert "The limit of 2 calls was reached." in str(model.sent[-1][-1].text)
    assert answered.status is Status.GROUNDED
    assert "The limit of 2 calls was reached." in answered.notes


def test_calls_above_the_limit_in_one_turn_are_not_run() -> None:
    many = calls(*(("search_spec", {"query": word}) for word in ("seed", "bed", "water", "rain")))
    answered, model = ask_scripted(many, GOOD, max_calls=2)
    assert sum(text.startswith("Not run.") for text in tool_texts(model.sent[-1])) == 2
    assert len(answered.searched) == 2


def test_a_result_beyond_the_budget_is_not_shown() -> None:
    answered, model = ask_scripted(
        call("search_spec", query="seed bed water"),
        call("search_spec", query="bed"),
        GOOD,
        budget_characters=900,
    )
    assert "This result was not shown" in tool_texts(model.sent[2])[-1]
    assert answered.characters <= 900
    assert "The budget of 900 characters was used up." in answered.notes


def test_a_fetch_is_limited_to_what_is_left_of_the_budget() -> None:
    long = call("fetch_section_chunks", sectionid="sec-garden", recursive=True, limit=100_000)
    answered, _ = ask_scripted(long, GOOD, budget_characters=1_000)
    assert 0 < answered.characters <= 1_000


def test_a_quotation_that_was_not_shown_is_marked_and_the_status_says_so() -> None:
    answered, _ = ask_scripted(call("search_spec", query="weather"), GOOD)
    assert answered.status is Status.PARTIAL
    assert answered.citations[0].verdict is Verdict.NOT_SHOWN
    assert "1 of 1 quotations could not be verified." in answered.notes


def test_a_claim_without_citation_makes_the_answer_partial() -> None:
    answered, _ = ask_scripted(answer(("Trust me.", [])))
    assert answered.status is Status.PARTIAL
    assert "The model cited nothing: none of this was checked." in answered.notes


def test_a_refusal_says_what_was_searched_and_quotes_nothing() -> None:
    answered, _ = ask_scripted(
        call("search_spec", query="greenhouse"), answer(refusal="A greenhouse is not defined here.")
    )
    assert answered.status is Status.REFUSED
    assert answered.text.startswith("A greenhouse is not defined here.\n\nNearest here: ")
    assert answered.text.endswith("\n\nSearched for: “greenhouse”")
    assert (answered.claims, answered.citations) == ((), ())


def test_prose_without_citations_is_taken_as_claims_that_nothing_supports() -> None:
    answered, _ = ask_scripted(AIMessage(content="It throws.\n\nIt also waters."))
    assert [claim.text for claim in answered.claims] == ["It throws.", "It also waters."]
    assert answered.status is Status.PARTIAL
    assert "The model cited nothing: none of this was checked." in answered.notes


def test_citations_in_prose_are_read_and_checked() -> None:
    said = AIMessage(content=f'A full bed throws: "{FULL}" (`sec-plant`).')
    answered, _ = ask_scripted(call("fetch_section_chunks", **PLANT), said)
    assert (answered.status, answered.citations[0].verdict) == (Status.GROUNDED, Verdict.VERIFIED)


def test_a_model_that_says_nothing_ends_in_a_refusal() -> None:
    answered, _ = ask_scripted(AIMessage(content=""))
    assert (answered.status, answered.refusal) == (Status.REFUSED, "The model gave no answer.")


def test_an_answer_that_does_not_fit_its_schema_is_asked_for_again() -> None:
    answered, model = ask_scripted(
        call("fetch_section_chunks", **PLANT), call("AnswerDraft", claims="It throws."), GOOD
    )
    assert "could not be read" in tool_texts(model.sent[-1])[-1]
    assert answered.status is Status.GROUNDED


def test_an_unreadable_answer_beside_another_call_does_not_end_the_loop() -> None:
    both = calls(("AnswerDraft", {"claims": "It throws."}), ("fetch_section_chunks", PLANT))
    answered, _ = ask_scripted(both, GOOD)
    assert answered.status is Status.GROUNDED


def test_a_call_in_broken_json_is_asked_for_again() -> None:
    broken = AIMessage(
        content="",
        invalid_tool_calls=[
            {
                "type": "invalid_tool_call",
                "name": "search_spec",
                "args": '{"query": ',
                "id": "b1",
                "error": "cut off",
            }
        ],
    )
    answered, model = ask_scripted(broken, call("fetch_section_chunks", **PLANT), GOOD)
    assert tool_texts(model.sent[1])
    assert answered.status is Status.GROUNDED


def test_unreadable_answers_without_end_end_in_a_refusal() -> None:
    answered, model = ask_scripted(call("AnswerDraft", claims="no"), max_calls=2)
    assert answered.status is Status.REFUSED
    assert len(model.sent) < 10


@pytest.mark.parametrize(
    "args", [{}, {"query": ""}, {"query": 7}, {"query": "x" * 100_000}, {"query": "a", "limit": "many"}]
)
def test_arguments_that_cannot_be_used_are_answered_in_text(args: dict[str, Any]) -> None:
    answered, model = ask_scripted(call("search_spec", **args), call("fetch_section_chunks", **PLANT), GOOD)
    assert len(tool_texts(model.sent[-1])) == 2
    assert answered.status is Status.GROUNDED


def run_with(
    tool: Callable[..., Any],
    *script: Any,
    limits: Limits | None = None,
    clock: Callable[[], float] | None = None,
) -> tuple[Outcome, ScriptedModel]:
    """The loop around one tool of the test's own."""
    made = StructuredTool.from_function(
        func=tool, name="look", description="Look.", response_format="content_and_artifact"
    )
    model = ScriptedModel(script=list(script))

    def tools(_: Ledger) -> list[StructuredTool]:
        return [made]

    outcome = run(
        "q", model=model, explained=str, tools=tools, asks=as_written, sections=Stored(small()),
        system_prompt="s", limits=limits or limits_of(settings()),
        clock=clock or (lambda: 0.0), listener=silent,
    )  # fmt: skip
    return outcome, model


def test_an_exception_in_a_tool_becomes_text_with_the_next_step() -> None:
    def look() -> tuple[str, ToolResult]:
        raise OSError("disk on fire")

    outcome, model = run_with(look, call("look"), answer(refusal="Could not look."))
    assert "`look` failed: OSError: disk on fire." in tool_texts(model.sent[-1])[0]
    assert outcome.draft.refusal == "Could not look."
    assert not outcome.ledger.calls[0].ok


@pytest.mark.parametrize("failure", [StoreError("part of it is gone"), EmbedderError("no vectors")])
def test_a_store_or_an_embedder_that_fails_ends_the_question(failure: Ask262Error) -> None:
    def look() -> tuple[str, ToolResult]:
        raise failure

    with pytest.raises(type(failure), match=str(failure)):
        run_with(look, call("look"), answer(refusal="Nothing was found."))


@pytest.mark.parametrize("name", ["sec-nowhere", ""])
def test_the_text_of_an_error_is_no_character_of_the_specification(name: str) -> None:
    answered, model = ask_scripted(call("fetch_section_chunks", sectionid=name), answer(refusal="Not here."))
    assert tool_texts(model.sent[-1])[0]
    assert answered.characters == 0


def test_when_the_time_is_over_only_the_answer_is_offered() -> None:
    now = [0.0]

    def look() -> tuple[str, ToolResult]:
        now[0] = 99.0
        return "seen", ToolResult("seen", {})

    outcome, model = run_with(
        look,
        call("look"),
        answer(refusal="Too slow."),
        limits=limits_of(settings(max_seconds=60)),
        clock=lambda: now[0],
    )
    assert model.offered == [["look", "AnswerDraft"], ["AnswerDraft"]]
    assert outcome.ledger.stops == ["The limit of 60 seconds was reached."]


@pytest.mark.parametrize(("took", "turns"), [(30.0, 3), (10.0, 8)], ids=["slow", "quick"])
def test_a_model_is_made_to_answer_while_there_is_time_for_an_answer(took: float, turns: int) -> None:
    """`took` are the seconds of each reply, of 100; what the last of the `turns` looks up is shown."""
    now = [0.0]

    def reply(message: AIMessage) -> Callable[[list[BaseMessage]], AIMessage]:
        def say(_: list[BaseMessage]) -> AIMessage:
            now[0] += took
            return message

        return say

    def look(at: int) -> tuple[str, ToolResult]:
        return f"seen {at}", ToolResult(f"seen {at}", {})

    looks = [call("look", at=at) for at in range(turns)]
    outcome, model = run_with(
        look,
        *(reply(one) for one in [*looks, answer(refusal="Not here.")]),
        limits=limits_of(settings(max_seconds=100)),
        clock=lambda: now[0],
    )
    assert model.offered == [["look", "AnswerDraft"]] * turns + [["AnswerDraft"]]
    assert [one.ok for one in outcome.ledger.calls] == [True] * turns
    assert outcome.draft.refusal == "Not here."
    assert outcome.ledger.stops == ["The limit of 100 seconds was near."]


def test_limits_and_the_end_are_told_to_the_listener() -> None:
    events: list[Event] = []
    ask_scripted(call("search_spec", **SEARCH), GOOD, max_calls=1, events=events)
    assert [event.kind for event in events] == [
        EventKind.CALL,
        EventKind.RESULT,
        EventKind.LIMIT,
        EventKind.ANSWER,
    ]


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment in which LangChain traces to a server; its answers about that are cached."""
    cached: Any = get_env_var
    with monkeypatch.context() as patched:
        patched.setenv("LANGSMITH_TRACING", "true")
        cached.cache_clear()
        yield
    cached.cache_clear()


@pytest.mark.usefixtures("traced")
def test_offline_means_that_nothing_is_traced_to_a_server() -> None:
    seen: list[object] = []

    def say(_: list[BaseMessage]) -> AIMessage:
        seen.append(tracing_is_enabled())
        return answer(refusal="Not here.")

    assert tracing_is_enabled()
    ask_scripted(say, offline=True)
    assert set(seen) == {False}


@pytest.mark.parametrize("last", [GOOD, answer(refusal="Not here.")])
def test_calls_without_an_id_are_answered_like_any_other_the_answer_too(last: AIMessage) -> None:
    fetch, end = call("fetch_section_chunks", **PLANT), last.model_copy(deep=True)
    for one in (fetch, end):
        one.tool_calls[0]["id"] = None
    answered, model = ask_scripted(fetch, end)
    assert answered.read == ("sec-plant",)
    assert answered.status in (Status.GROUNDED, Status.REFUSED)
    assert len(tool_texts(model.sent[-1])) == 1
