"""A model that is held to a schema: what it is shown, what it may reply, and what that becomes."""

import json
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agent.answer import Answer, Status, Verdict
from agent.held.model import HeldModel
from agent.held.shown import LINE, quotable, shown_in
from agent.held.steps import ANSWER, FETCH, SEARCH, call_of, schema_of
from agent.models import load_model, name_of
from tests.test_agent.chat_server import ChatServer, says, serving
from tests.test_agent.helpers import ask_garden, settings

TOOLS = [SEARCH, FETCH, "check_subsections", ANSWER]
FULL = "If bed is full, throw a RangeError exception."


def step(**fields: Any) -> str:
    return json.dumps({"step": fields})


SEARCHES = step(action="search", words="plant a seed")


def held(chat: ChatServer, **given: Any) -> BaseChatModel:
    return load_model(settings(base_url=chat.address, hold_to_schema=True, **given), "small")


def schema(body: dict[str, Any]) -> dict[str, Any]:
    """The steps that a request allowed, by their action."""
    assert body["response_format"]["type"] == "json_schema"
    steps = body["response_format"]["json_schema"]["schema"]["properties"]["step"]["anyOf"]
    return {one["properties"]["action"]["enum"][0]: one["properties"] for one in steps}


def asked(*replies: str) -> tuple[Answer, ChatServer]:
    with serving(*map(says, replies)) as chat:
        return ask_garden("What happens when a bed is full?", held(chat)), chat


def number_of(line: str, chat: ChatServer) -> int:
    """The number under which a line was shown."""
    told = "\n".join(message["content"] for message in chat.asked[-1]["messages"])
    shown = next(one for one in told.splitlines() if one.endswith(line))
    return int(shown[1 : shown.index("]")])


def test_the_first_step_is_to_look() -> None:
    _, chat = asked(SEARCHES)
    assert set(schema(chat.asked[0])) == {"search"}
    assert "tools" not in chat.asked[0]


def test_only_sections_that_were_found_can_be_read_and_only_lines_that_were_shown_quoted() -> None:
    _, chat = asked(
        SEARCHES, step(action="read", section="S1"), step(action="refuse", kind="not_found", reason="No.")
    )
    found = schema(chat.asked[1])
    assert set(found) == {"search", "read", "answer", "refuse"}
    assert "S1" in found["read"]["section"]["enum"]
    assert "S1" not in schema(chat.asked[2])["read"]["section"]["enum"]


def test_a_quotation_is_a_line_of_the_text_and_so_it_is_verified() -> None:
    _, chat = asked(SEARCHES, step(action="read", section="S1"), SEARCHES)
    line = number_of(FULL, chat)
    answers = step(action="answer", claims=[{"lines": [line], "text": "It throws."}])
    answered, _ = asked(SEARCHES, step(action="read", section="S1"), answers)
    assert answered.status is Status.GROUNDED
    assert [(one.verdict, one.sectionid) for one in answered.citations] == [(Verdict.VERIFIED, "sec-plant")]
    assert FULL in answered.citations[0].quote
    assert answered.model == "small"


def test_the_sides_take_turns_and_the_tools_results_are_said_by_the_person() -> None:
    _, chat = asked(SEARCHES, step(action="read", section="S1"), SEARCHES)
    roles = [message["role"] for message in chat.asked[2]["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert json.loads(chat.asked[2]["messages"][2]["content"])["step"]["action"] == "search"


def test_a_longer_conversation_only_adds_to_what_was_sent_before() -> None:
    _, chat = asked(SEARCHES, step(action="read", section="S1"), SEARCHES)
    for before, after in zip(chat.asked, chat.asked[1:3], strict=False):
        assert after["messages"][: len(before["messages"])] == before["messages"]


def test_at_the_limit_only_the_answer_is_left() -> None:
    with serving(says(SEARCHES)) as chat:
        ask_garden("What happens when a bed is full?", held(chat), max_calls=1)
    assert set(schema(chat.asked[1])) == {"answer", "refuse"}
    last = chat.asked[1]["messages"][-1]["content"].splitlines()[-1]
    assert last == "Now answer the question, or refuse: What happens when a bed is full?"


def test_a_refusal_says_its_kind() -> None:
    answered, _ = asked(SEARCHES, step(action="refuse", kind="not_defined", reason="No such thing here."))
    assert answered.status is Status.REFUSED
    assert answered.refusal_kind == "not_defined"


def test_without_tools_it_answers_from_memory_and_nothing_of_that_is_verified() -> None:
    claims = [{"text": "It throws.", "section": "sec-plant", "quote": FULL}]
    with serving(says(step(action="answer", claims=claims))) as chat:
        bound = held(chat).bind_tools([{"name": ANSWER, "parameters": {"type": "object", "properties": {}}}])
        said = bound.invoke([SystemMessage("About."), HumanMessage("q")])
    assert isinstance(said, AIMessage)
    assert said.tool_calls[0]["args"]["claims"][0]["citations"] == [{"sectionid": "sec-plant", "quote": FULL}]


@pytest.mark.parametrize(
    "reply",
    [
        "", "no JSON", "{}", '{"step": 1}', step(action="fly"), step(action="read", section="S99"),
        step(action="answer", claims=[{"lines": [99], "text": "x"}]), step(action="search"),
    ],
)  # fmt: skip
def test_a_reply_that_is_no_step_is_prose(reply: str) -> None:
    assert call_of(reply, shown_in([])) is None


def test_a_server_that_ignores_the_schema_still_ends_in_an_answer() -> None:
    answered, _ = asked("It throws a RangeError, trust me.")
    assert answered.status is Status.PARTIAL
    assert "The model cited nothing: none of this was checked." in answered.notes


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1. Let x be y.\n\n2. Return x.", ["1. Let x be y.", "2. Return x."]),
        ("null", []),
        ('One is here. [Subsection available: title "B" at sectionid: `sec-b`] Two is here.',
         ["One is here.", "Two is here."]),
        ("A sentence here. " * 60, ["A sentence here."] * 60),
    ],
)  # fmt: skip
def test_lines_that_may_be_quoted(text: str, lines: list[str]) -> None:
    assert list(quotable(text)) == lines
    assert len("A sentence here. " * 60) > LINE


def test_without_tools_bound_it_is_the_model_itself() -> None:
    with serving(says("plain words")) as chat:
        model = held(chat)
        said: BaseMessage = model.invoke([HumanMessage("q")])
    assert said.text == "plain words"
    assert "response_format" not in chat.asked[0]
    assert (name_of(model), isinstance(model, HeldModel)) == ("small", True)


def test_nothing_can_be_chosen_where_nothing_was_shown() -> None:
    steps = schema_of(shown_in([]), TOOLS)["properties"]["step"]["anyOf"]
    assert [one["properties"]["action"]["enum"] for one in steps] == [["search"]]


def test_a_reply_is_limited_to_so_many_tokens() -> None:
    with serving(says("x")) as chat:
        held(chat, reply_tokens=99).invoke([HumanMessage("q")])
    assert chat.asked[0].get("max_tokens", chat.asked[0].get("max_completion_tokens")) == 99
