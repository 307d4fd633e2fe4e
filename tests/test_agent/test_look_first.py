"""A model that has looked nothing up is sent to look, once, and what persists is said with the answer."""

import pytest
from langchain_core.messages import AIMessage

from agent.answer import Status
from tests.test_agent.helpers import ask_scripted
from tests.test_agent.scripted import answer, call

FULL = "If bed is full, throw a RangeError exception."
READ = call("fetch_section_chunks", sectionid="sec-plant")
GOOD = answer(("A full bed throws.", [("sec-plant", FULL)]))
MADE_UP = answer(("A full bed withers.", [("sec-wither", "If bed is full, wither.")]))
PROSE = AIMessage('It withers: "If bed is full, wither." (`sec-wither`)')
BLIND = "The model looked nothing up, although it was told to."
TOLD = "You looked nothing up"

BLIND_ANSWERS = pytest.mark.parametrize(
    "blind",
    [
        MADE_UP,
        GOOD,
        PROSE,
        AIMessage("It throws, trust me."),
        AIMessage(""),
        answer(refusal="I do not know."),
    ],
    ids=["made-up citation", "true citation", "prose", "prose without citation", "nothing", "refusal"],
)


@BLIND_ANSWERS
def test_a_model_that_answers_without_looking_is_sent_to_look(blind: AIMessage) -> None:
    answered, model = ask_scripted(blind, READ, GOOD)
    assert str(model.sent[1][-1].text).startswith(TOLD)
    assert answered.status is Status.GROUNDED
    assert BLIND not in answered.notes


@BLIND_ANSWERS
def test_one_that_still_does_not_look_is_told_once_and_reported(blind: AIMessage) -> None:
    answered, model = ask_scripted(blind)
    told = [str(message.text) for message in model.sent[-1] if str(message.text).startswith(TOLD)]
    assert len(told) == 1
    assert answered.status is not Status.GROUNDED
    assert BLIND in answered.notes
    assert len(model.sent) <= 3, "sent to look once, and asked once to repair"


def test_one_that_looks_only_when_asked_to_repair_is_not_reported() -> None:
    answered, _ = ask_scripted(MADE_UP, MADE_UP, READ, GOOD)
    assert answered.status is Status.GROUNDED
    assert BLIND not in answered.notes


def test_a_call_of_a_tool_that_does_not_exist_is_no_look() -> None:
    _, model = ask_scripted(call("read_file", path="spec"), MADE_UP, READ, GOOD)
    assert str(model.sent[2][-1].text).startswith(TOLD)


@pytest.mark.parametrize("looked", [READ, call("fetch_section_chunks", sectionid="sec-nowhere")])
def test_one_that_looked_is_never_sent_to_look(looked: AIMessage) -> None:
    _, model = ask_scripted(looked, answer(refusal="Not here."))
    assert len(model.sent) == 2
