"""Asking side by side: what is asked again, what ends a batch, what it costs."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from agent.answer import Answer
from agent.batch.questions import Question
from agent.batch.spend import Prices, parse_prices
from agent.batch.tally import Tally
from agent.batch.work import HOPELESS, Batch, Rules
from storage.errors import InputError, ModelError, StoreError
from tests.test_agent.helpers import ask_scripted
from tests.test_agent.scripted import call

QUESTIONS = [Question(f"q{number}", f"How is seed {number} planted?") for number in range(30)]
REFUSAL = call("AnswerDraft", refusal="Not defined here.")
_REFUSED, _ = ask_scripted(REFUSAL)


def refuse(_: str) -> Answer:
    return _REFUSED


def batch(ask: Callable[[str], Answer] = refuse, *, waits: list[float] | None = None, **rules: Any) -> Batch:
    seen: list[float] = [] if waits is None else waits
    given = {"concurrency": 1, "retries": 0, "max_cost": None, "prices": None, **rules}
    return Batch(ask, "es1", "scripted", Rules(**given), sleep=seen.append)


def test_every_question_has_one_line_under_its_own_id() -> None:
    lines = list(batch(concurrency=4).lines(QUESTIONS))
    assert sorted(line["id"] for line in lines) == sorted(question.id for question in QUESTIONS)
    assert {line["status"] for line in lines} == {"refused"}


def test_no_more_questions_are_under_way_than_allowed_and_not_fewer() -> None:
    meet, most, running = threading.Barrier(3, timeout=10), [0], [0]
    lock = threading.Lock()

    def ask(question: str) -> Answer:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        meet.wait()
        with lock:
            running[0] -= 1
        return refuse(question)

    assert len(list(batch(ask, concurrency=3).lines(QUESTIONS))) == 30
    assert most == [3]


def test_a_server_that_fails_is_asked_again_later_each_time() -> None:
    failures, waits = iter([True, True, False]), list[float]()

    def ask(question: str) -> Answer:
        if next(failures):
            raise ModelError("the server is busy")
        return refuse(question)

    (line,) = batch(ask, retries=2, waits=waits).lines(QUESTIONS[:1])
    assert (line["status"], line["attempts"], waits) == ("refused", 3, [1.0, 2.0])


def test_what_still_fails_is_a_line_with_every_key_of_an_answer() -> None:
    def ask(_: str) -> Answer:
        raise ModelError("no key")

    (failed,) = batch(ask, retries=1).lines(QUESTIONS[:1])
    (answered,) = batch().lines(QUESTIONS[:1])
    assert (failed["status"], failed["error"], failed["attempts"]) == ("error", "no key", 2)
    assert failed.keys() == answered.keys()


def test_a_question_that_cannot_be_used_is_not_asked_again() -> None:
    def ask(_: str) -> Answer:
        raise InputError("too long")

    (line,) = batch(ask, retries=5).lines(QUESTIONS[:1])
    assert (line["status"], line["attempts"]) == ("error", 1)


def test_a_fault_of_our_own_costs_one_question_and_says_so() -> None:
    def ask(question: str) -> Answer:
        if "seed 1 " in question:
            raise KeyError("x")
        return refuse(question)

    lines = list(batch(ask).lines(QUESTIONS[:3]))
    assert [line["status"] for line in lines] == ["refused", "error", "refused"]
    assert lines[1]["error"].startswith("unexpected KeyError")


def test_a_store_that_fails_ends_the_batch() -> None:
    def ask(_: str) -> Answer:
        raise StoreError("damaged")

    with pytest.raises(StoreError, match="damaged"):
        list(batch(ask).lines(QUESTIONS))


def test_where_question_after_question_fails_the_rest_is_not_tried() -> None:
    def ask(_: str) -> Answer:
        raise ModelError("wrong key")

    hopeless = batch(ask)
    assert len(list(hopeless.lines(QUESTIONS))) == HOPELESS
    assert "in a row failed" in hopeless.why_ended
    assert "wrong key" in hopeless.why_ended


def priced(_: str) -> Answer:
    # Of each of two replies: a model that refuses without having looked is sent to look, once.
    used = {"input_tokens": 500, "output_tokens": 50, "total_tokens": 550}
    said = REFUSAL.model_copy(update={"usage_metadata": used, "response_metadata": {"model_name": "m"}})
    assert isinstance(said, AIMessage)
    answer, _model = ask_scripted(said)
    return answer


def test_tokens_are_counted_and_priced_a_line() -> None:
    (line,) = batch(priced, prices=Prices(2.0, 10.0)).lines(QUESTIONS[:1])
    assert line["usage"] == {"input_tokens": 1_000, "output_tokens": 100, "cost": 0.003}


def test_without_a_price_the_cost_is_unknown_and_not_zero() -> None:
    (line,) = batch(priced).lines(QUESTIONS[:1])
    assert line["usage"]["cost"] is None


def test_nothing_more_is_asked_once_the_limit_is_spent() -> None:
    spent = batch(priced, prices=Prices(2.0, 10.0), max_cost=0.008)
    assert len(list(spent.lines(QUESTIONS))) == 3
    assert "--max-cost is 0.008" in spent.why_ended


@pytest.mark.parametrize("text", ["", "1", "a/b", "1/2/3", "-1/2", "nan/1"])
def test_a_price_is_two_numbers(text: str) -> None:
    with pytest.raises(InputError, match="--price"):
        parse_prices(text)


def test_a_claim_without_a_verified_quotation_counts_as_unverified() -> None:
    usage = {"input_tokens": 0, "output_tokens": 0, "cost": None}
    base = {"status": "partial", "calls": 1, "usage": usage}
    tally = Tally()
    tally.add({**base, "claims": [{"text": "x", "citations": []}], "citations": []})
    tally.add({**base, "claims": [{"text": "x", "citations": [0]}], "citations": [{"verdict": "not_found"}]})
    tally.add({**base, "claims": [{"text": "x", "citations": [0]}], "citations": [{"verdict": "verified"}]})
    assert (tally.unverified_answers, tally.verified, tally.quotations) == (2, 1, 2)
    assert tally.failed(["unverified"])
    assert not tally.failed(["refused", "error"])
