"""An answer is asked for as a reply where the provider keeps to a schema, else as a call."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, SystemMessage

from agent.answer import Answer, Status
from agent.capability import CHARACTERS_A_TOKEN, answers_natively, context_of
from tests.test_agent.helpers import ask_garden
from tests.test_agent.scripted import ScriptedModel, answer, call

FULL = "If bed is full, throw a RangeError exception."
READ = call("fetch_section_chunks", sectionid="sec-plant")
DRAFT = {"claims": [{"text": "It throws.", "citations": [{"sectionid": "sec-plant", "quote": FULL}]}]}
NATIVE: dict[str, Any] = {"structured_output": True, "max_input_tokens": 100_000}


def ask(*script: AIMessage, profile: dict[str, Any] | None) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(script=list(script), profile=profile)
    return ask_garden("How is a seed planted?", model), model


def test_a_provider_that_keeps_to_a_schema_is_asked_for_a_reply_and_offered_no_tool_for_it() -> None:
    answered, model = ask(READ, AIMessage(json.dumps(DRAFT)), profile=NATIVE)
    assert answered.status is Status.GROUNDED
    assert all("AnswerDraft" not in names for names in model.offered)
    told = model.sent[0][0]
    assert isinstance(told, SystemMessage)
    assert "There is no tool for the answer" in str(told.text)
    assert not any("in prose" in note for note in answered.notes)


def test_another_one_calls_a_tool_with_its_answer() -> None:
    for profile in (None, {"tool_calling": True}):
        answered, model = ask(READ, answer(("It throws.", [("sec-plant", FULL)])), profile=profile)
        assert answered.status is Status.GROUNDED
        assert "AnswerDraft" in model.offered[0]
        assert "Call `AnswerDraft` once" in str(model.sent[0][0].text)


def test_a_reply_that_does_not_fit_is_read_as_prose_and_put_right_once() -> None:
    answered, model = ask(READ, AIMessage("It throws."), AIMessage(json.dumps(DRAFT)), profile=NATIVE)
    assert answered.status is Status.GROUNDED
    assert len(model.sent) == 3


@pytest.mark.parametrize("said", ["It throws.", '{"claims": 7}', '{"claims": [', ""])
def test_a_reply_that_never_fits_ends_in_an_answer_that_says_so(said: str) -> None:
    answered, model = ask(READ, AIMessage(said), profile=NATIVE)
    assert answered.status is not Status.GROUNDED
    assert len(model.sent) <= 6


def test_a_quotation_in_prose_with_an_id_beside_it_is_checked_like_any_other() -> None:
    answered, _ = ask(READ, AIMessage(f'A full bed throws: "{FULL}" (`sec-plant`).'), profile=None)
    assert answered.status is Status.GROUNDED
    assert any("in prose" in note for note in answered.notes)


def test_nothing_is_assumed_of_a_model_that_says_nothing() -> None:
    silent = ScriptedModel(script=[])
    assert (answers_natively(silent), context_of(silent)) == (False, None)
    told = ScriptedModel(script=[], profile=NATIVE)
    assert (answers_natively(told), context_of(told)) == (True, 100_000 * CHARACTERS_A_TOKEN)
