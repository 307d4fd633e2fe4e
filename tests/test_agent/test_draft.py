"""What a model writes into a wrong type is read where it is plain what was meant; it costs nothing else."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from agent.answer import Status
from agent.draft import AnswerDraft
from tests.test_agent.helpers import ask_scripted
from tests.test_agent.scripted import call

FULL = "If bed is full, throw a RangeError exception."
CITED = {"sectionid": "sec-plant", "quote": FULL}
CLAIM = {"text": "It throws.", "citations": [CITED]}
READ = call("fetch_section_chunks", sectionid="sec-plant")


@pytest.mark.parametrize(
    "args",
    [
        {"claims": [CLAIM], "nearest": None},
        {"claims": [CLAIM], "nearest": "null"},
        {"claims": [CLAIM], "refusal": False},
        {"claims": [CLAIM], "refusal": "null"},
        {"claims": [CLAIM], "refusal_kind": ""},
        {"claims": [CLAIM], "refusal_kind": "null"},
        {"claims": [CLAIM], "refusal_kind": 3},
        {"claims": [CLAIM], "defined_by": []},
        {"claims": [{**CLAIM, "citations": [{**CITED, "step": 2}]}]},
        {"claims": [{**CLAIM, "citations": [{**CITED, "step": ["2"]}]}]},
        {"claims": [{**CLAIM, "citations": CITED}]},
        {"claims": [{**CLAIM, "citations": json.dumps([CITED])}]},
        {"claims": [{**CLAIM, "citations": [CITED, "sec-plant", None, {"quote": 7}]}]},
        {"claims": CLAIM},
        {"claims": json.dumps([CLAIM])},
        {"claims": json.dumps(CLAIM)},
        {"claims": [json.dumps(CLAIM)]},
        {"claims": [CLAIM, None, 5, {"statement": "It throws."}, {"text": None}]},
    ],
    ids=str,
)
def test_one_odd_value_costs_no_verified_answer(args: dict[str, Any]) -> None:
    answered, model = ask_scripted(READ, call("AnswerDraft", **args))
    assert answered.status is Status.GROUNDED
    assert [claim.text for claim in answered.claims] == ["It throws."]
    assert [one.quote for one in answered.citations] == [FULL]
    assert len(model.sent) == 2


@pytest.mark.parametrize("claims", [None, "", "null", []])
def test_nothing_for_claims_beside_a_refusal_is_a_refusal(claims: Any) -> None:
    draft = AnswerDraft.model_validate({"claims": claims, "refusal": "No.", "refusal_kind": "Not_Found"})
    assert (draft.claims, draft.refusal, draft.refusal_kind) == ([], "No.", "not_found")


def test_claims_that_are_only_their_text_cite_nothing() -> None:
    draft = AnswerDraft.model_validate({"claims": ["It throws.", "It returns."]})
    assert [(claim.text, claim.citations) for claim in draft.claims] == [
        ("It throws.", []),
        ("It returns.", []),
    ]


def test_claims_without_their_citations_are_never_grounded() -> None:
    for odd in (None, "none", ["sec-plant"], 7):
        answered, _ = ask_scripted(READ, call("AnswerDraft", claims=[{**CLAIM, "citations": odd}]))
        assert answered.status is Status.PARTIAL


def test_a_step_that_is_a_number_is_its_label() -> None:
    draft = AnswerDraft.model_validate({"claims": [{**CLAIM, "citations": [{**CITED, "step": 2}]}]})
    assert draft.claims[0].citations[0].step == "2"


@pytest.mark.parametrize("claims", [7, "It throws.", [7], [{"statement": "x"}]], ids=str)
def test_what_holds_no_claim_is_asked_for_again(claims: Any) -> None:
    with pytest.raises(ValidationError):
        AnswerDraft.model_validate({"claims": claims})
    first, second = (call("AnswerDraft", claims=given) for given in (claims, [CLAIM]))
    answered, model = ask_scripted(READ, first, second)
    assert answered.status is Status.GROUNDED
    assert len(model.sent) == 3


def test_half_a_character_in_an_answer_is_replaced() -> None:
    draft = AnswerDraft.model_validate({"claims": [{"text": "a\ud83d\ude00\ud800"}]})
    assert draft.claims[0].text == "a\U0001f600\ufffd"
