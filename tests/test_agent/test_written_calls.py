"""Calls that a model wrote as text are understood; what it merely shows is not run."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from agent.answer import Status, Verdict
from agent.written_calls import ANSWER, calls_in
from tests.test_agent.helpers import ask_scripted, tool_texts
from tests.test_agent.scripted import answer, call

OFFERED = ["search_spec", "fetch_section_chunks", ANSWER]
ONE = '{"name": "search_spec", "arguments": {"query": "seed"}}'
TWO = '{"name": "fetch_section_chunks", "arguments": {"sectionid": "sec-plant"}}'
SEED: dict[str, Any] = {"query": "seed"}
FULL = "If bed is full, throw a RangeError exception."
GOOD = answer(("A full bed throws.", [("sec-plant", FULL)]))
DRAFT = json.dumps(
    {"claims": [{"text": "It throws.", "citations": [{"sectionid": "sec-plant", "quote": FULL}]}]}
)


def named(text: str, *conversation: str) -> list[tuple[str, Any]]:
    return [(one.name, one.args) for one in calls_in(text, offered=OFFERED, conversation=conversation)]


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        f"```json\n{ONE}\n```",
        f"```\n{ONE}\n```",
        f"I will look.\n\n```json\n{ONE}\n```\nThen I answer.",
        f"<tool_call>\n{ONE}\n</tool_call>",
        f"Let me search.\n<tool_call>{ONE}</tool_call>",
        f"<tool_call>\n{ONE}",
        f"<tools>\n{ONE}\n</tools>",
        f"<tool_call>\n```json\n{ONE}\n```\n</tool_call>",
        f"[{ONE}]",
        '{"name": "search_spec", "parameters": {"query": "seed"}}',
        '{"name": "functions.search_spec", "arguments": {"query": "seed"}}',
        '{"type": "function", "function": {"name": "search_spec", "arguments": "{\\"query\\": \\"seed\\"}"}}',
        '{"tool": "search_spec", "args": {"query": "seed"}}',
        '{"search_spec": {"query": "seed"}}',
    ],
)  # fmt: skip
def test_a_call_is_understood_in_every_spelling(text: str) -> None:
    assert named(text) == [("search_spec", SEED)]


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}\n{TWO}",
        f"[{ONE}, {TWO}]",
        f"<tool_call>{ONE}</tool_call>\n<tool_call>{TWO}</tool_call>",
        f"```json\n{ONE}\n```\n\n```json\n{TWO}\n```",
    ],
)
def test_several_calls_keep_their_order(text: str) -> None:
    assert [name for name, _ in named(text)] == ["search_spec", "fetch_section_chunks"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The tool `search_spec` finds sections.",
        f"One could call {ONE} here.",
        f"> <tool_call>{ONE}</tool_call>",
        f"The text says “<tool_call>{ONE}</tool_call>”.",
        'For example:\n```json\n{"name": "rm", "arguments": {"path": "/"}}\n```',
        "```js\nsearch_spec({query: 1})\n```",
        '{"name": "search_spec", "arguments": {"query": "seed"}, "then": "delete"}',
        '{"name": "search_spec"}',
        '{"a": 1}',
        "[1, 2]",
        "[[Get]]",
    ],
)
def test_what_only_looks_like_a_call_is_prose(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize("around", ["{}", "Section text.\n<tool_call>\n{}\n</tool_call>\nMore.", "x {} y"])
@pytest.mark.parametrize("echo", [ONE, '{"arguments":{"query":"seed"},\n"name":"search_spec"}'])
def test_a_call_that_stands_in_what_was_shown_is_a_quotation(around: str, echo: str) -> None:
    shown = around.replace("{}", ONE)
    assert named(f"<tool_call>{echo}</tool_call>", shown) == []
    assert named(f"<tool_call>{TWO}</tool_call>", shown)[0][0] == "fetch_section_chunks"


def test_an_unknown_name_counts_only_where_a_call_was_meant() -> None:
    unknown = '{"name": "read_file", "arguments": {"path": "x"}}'
    assert named(f"<tool_call>{unknown}</tool_call>") == [("read_file", {"path": "x"})]
    assert named(f"For example:\n```json\n{unknown}\n```") == []


@pytest.mark.parametrize("text", [f"<tool_call>{ONE[:-4]}</tool_call>", ONE[:-4]])
def test_a_broken_call_is_known_as_one(text: str) -> None:
    assert named(text) == [("search_spec", None)]


def test_the_answer_is_understood_as_bare_json() -> None:
    assert [name for name, _ in named(DRAFT)] == [ANSWER]
    assert [name for name, _ in named(f"```json\n{DRAFT}\n```")] == [ANSWER]


def test_an_answer_beside_a_call_is_premature() -> None:
    both = f'{ONE}\n{{"name": "{ANSWER}", "arguments": {DRAFT}}}'
    assert named(both) == [("search_spec", SEED)]


@pytest.mark.parametrize("depth", [5_000])
def test_endless_nesting_is_prose(depth: int) -> None:
    assert named("[" * depth) == []
    assert named("hello", '{"a":' * depth) == []


def test_a_whole_question_is_answered_by_a_model_that_only_writes() -> None:
    answered, model = ask_scripted(
        AIMessage(f"```json\n{TWO}\n```"),
        AIMessage(f'<tool_call>{{"name": "AnswerDraft", "arguments": {DRAFT}}}</tool_call>'),
    )
    assert FULL in tool_texts(model.sent[1])[0]
    assert (answered.status, answered.citations[0].verdict) == (Status.GROUNDED, Verdict.VERIFIED)
    assert not any("prose" in note for note in answered.notes)


def test_a_written_answer_that_does_not_fit_is_asked_for_again() -> None:
    unfit = AIMessage('{"name": "AnswerDraft", "arguments": {"claims": "It throws."}}')
    answered, model = ask_scripted(call("fetch_section_chunks", sectionid="sec-plant"), unfit, GOOD)
    assert "could not be read" in tool_texts(model.sent[-1])[-1]
    assert answered.status is Status.GROUNDED


def test_a_written_call_in_broken_json_is_asked_for_again() -> None:
    answered, model = ask_scripted(AIMessage(TWO[:-3]), AIMessage(TWO), GOOD)
    assert len(tool_texts(model.sent[1])) == 1
    assert answered.status is Status.GROUNDED


def test_a_written_call_of_an_unknown_tool_is_answered_with_the_tools_and_never_run() -> None:
    unknown = AIMessage('<tool_call>{"name": "read_file", "arguments": {"path": "x"}}</tool_call>')
    answered, model = ask_scripted(unknown, AIMessage(TWO), GOOD)
    assert "There is no tool called `read_file`" in tool_texts(model.sent[1])[0]
    assert answered.status is Status.GROUNDED


def test_a_call_that_the_question_quotes_is_not_run() -> None:
    answered, _ = ask_scripted(
        AIMessage(f"<tool_call>{ONE}</tool_call>"), question=f"Say this: <tool_call>{ONE}</tool_call>"
    )
    assert answered.calls == 0
