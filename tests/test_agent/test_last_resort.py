"""What is left where nothing fits: the question, and calls with their results."""

from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from agent.last_resort import LINE, TEXT, least
from agent.lengths import size
from tools.results import ToolResult

QUESTION = HumanMessage("What grows?" + " Please." * 300)


def made(*callids: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": "fetch", "args": {"at": one}, "id": one} for one in callids])


def result(callid: str, text: str, *, ok: bool = True) -> ToolMessage:
    return ToolMessage(text, tool_call_id=callid, artifact=ToolResult(text, {}, ok=ok))


def paired(messages: list[AnyMessage]) -> bool:
    """Whether every call has its result and every result its call, in order."""
    calls: list[Any] = [
        call["id"] for one in messages for call in getattr(one, "tool_calls", ()) if one.type == "ai"
    ]
    return calls == [one.tool_call_id for one in messages if isinstance(one, ToolMessage)]


def test_older_results_become_one_line_and_no_more_than_must() -> None:
    messages: list[AnyMessage] = [
        QUESTION,
        made("a"),
        result("a", "x " * 500),
        made("b"),
        result("b", "y " * 500),
    ]
    out, gone = least(messages, most=size(messages) - 100)
    assert gone == {"a"}
    assert len(str(out[2].text)) <= LINE
    assert out[4] == messages[4]


def test_calls_that_brought_nothing_go_before_those_that_did_each_with_its_result() -> None:
    bad, good = [f"n{at}" for at in range(20)], ["a", "b"]
    results = [*(result(one, "no", ok=False) for one in bad), *(result(one, "soil") for one in good)]
    messages: list[AnyMessage] = [QUESTION, made(*bad, *good), *results]
    out, gone = least(messages, most=size([QUESTION]) + 200)
    assert gone == set(bad)
    assert paired(out)
    assert out[0] == QUESTION


def test_a_message_without_calls_or_words_goes_and_one_with_words_stays() -> None:
    spoke = made("b").model_copy(update={"content": [{"type": "text", "text": "Let me look."}]})
    messages: list[AnyMessage] = [QUESTION, made("a"), result("a", "x"), spoke, result("b", "y")]
    out, gone = least(messages, most=0)
    assert gone == {"a", "b"}
    assert [str(one.text) for one in out[1:]] == ["Let me look."]


def test_a_call_that_cannot_be_read_counts_and_goes() -> None:
    broken = AIMessage(
        "", invalid_tool_calls=[{"name": "fetch", "args": "{" * 5_000, "id": "z", "error": None}]
    )
    assert size([broken]) > 5_000
    assert least([QUESTION, broken], most=3_000) == ([QUESTION], {"z"})


def test_the_question_stays_whole_while_other_words_are_shortened() -> None:
    long = AIMessage("It grows. " * 400)
    out, gone = least([QUESTION, long, HumanMessage("Cite it. " * 400)], most=100)
    assert (out[0], gone) == (QUESTION, set())
    assert all(len(str(one.text)) <= TEXT for one in out[1:])
