"""What was asked before is not paid twice, and the hint in its place says what is true."""

import re
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from agent.answer import Status
from tests.test_agent.helpers import ask_garden, ask_scripted, tool_texts
from tests.test_agent.scripted import ScriptedModel, answer, call, calls
from tests.test_tools.fake import reader, section

PLANT = {"sectionid": "sec-plant"}
FULL = "If bed is full, throw a RangeError exception."
GOOD = answer(("A full bed throws.", [("sec-plant", FULL)]))


@pytest.mark.parametrize(
    "again", [PLANT, {**PLANT, "recursive": False}, {"sectionid": "1.1"}, {"sectionid": "PlantSeed"}]
)
def test_a_call_is_run_once_and_a_repeat_is_told_what_it_showed(again: dict[str, Any]) -> None:
    answered, model = ask_scripted(
        call("fetch_section_chunks", **PLANT), call("fetch_section_chunks", **again), GOOD
    )
    texts = tool_texts(model.sent[-1])
    assert FULL in texts[0]
    assert texts[1].startswith(
        'You already made this call, as `fetch_section_chunks(sectionid="sec-plant")`:'
        " it showed `sec-plant`, which stands above."
    )
    assert (answered.status, answered.calls, answered.characters) == (Status.GROUNDED, 2, len(texts[0]))


def test_a_repeated_search_names_the_sections_that_it_found() -> None:
    _, model = ask_scripted(call("search_spec", query="rain"), call("search_spec", query=" rain"), GOOD)
    assert "it showed `sec-rain`, " in tool_texts(model.sent[-1])[1]


def test_the_same_call_twice_in_one_turn_is_run_once() -> None:
    _, model = ask_scripted(calls(("fetch_section_chunks", PLANT), ("fetch_section_chunks", PLANT)), GOOD)
    assert sum(text.startswith("`sec-plant`") for text in tool_texts(model.sent[-1])) == 1


def test_a_section_that_did_not_fit_is_not_said_to_stand_above() -> None:
    refused = call("search_spec", query="bed")
    _, model = ask_scripted(
        call("search_spec", query="seed bed water"), refused, refused, GOOD, budget_characters=900
    )
    first, second = tool_texts(model.sent[3])[-2:]
    assert first.startswith("This result was not shown")
    assert "it showed nothing" in second
    assert "This result was not shown: of 900 characters" in second
    assert "stands above" not in second


@pytest.mark.parametrize("args", [{"sectionid": "sec-nowhere"}, {"sectionid": "sec-plant", "limit": "many"}])
def test_a_call_that_failed_is_told_why_again(args: dict[str, Any]) -> None:
    wrong = call("fetch_section_chunks", **args)
    _, model = ask_scripted(wrong, wrong, GOOD)
    first, second = tool_texts(model.sent[2])
    assert "it showed nothing" in second
    assert first[:60] in second
    assert "stands above" not in second


LONG = reader(section("sec-oak", "1", "Oak", "\n".join(f"{at}. It grows {at} years." for at in range(400))))
OAK = ("fetch_section_chunks", {"sectionid": "sec-oak"})
LAST = answer(("It grows long.", [("sec-oak", "It grows 2 years.")]))


@pytest.mark.parametrize(
    "limits",
    [{"context_characters": 8_000}, {"budget_characters": 4_000}],
    ids=["share of a turn", "budget"],
)
def test_a_repeat_of_a_call_that_was_cut_off_is_told_how_to_get_the_rest(limits: dict[str, Any]) -> None:
    def rest(messages: list[BaseMessage]) -> AIMessage:
        cursor = re.search(r"with the cursor `([^`]+)`", tool_texts(messages)[-1])
        return call("fetch_section_chunks", **OAK[1], cursor=cursor[1] if cursor else "")

    script = [calls(OAK, ("search_spec", {"query": "oak"})), call(OAK[0], **OAK[1]), rest, LAST]
    model = ScriptedModel(script=script)
    ask_garden("How long?", model, reader=LONG, **limits)
    first = tool_texts(model.sent[1])[0]
    repeated, more = (tool_texts(sent)[-1] for sent in model.sent[2:4])
    assert "but not to its end" in repeated
    assert "Fetch another section" not in repeated
    shown = [int(at) for at in re.findall(r"It grows (\d+) years", first)]
    following = [int(at) for at in re.findall(r"It grows (\d+) years", more)]
    assert following[:1] == [shown[-1] + 1]
