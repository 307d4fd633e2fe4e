"""Several calls in one turn share what there is room for, and none of it costs the answer."""

import json
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from agent.answer import Answer, Status
from agent.lengths import size
from agent.middleware.evidence_budget import HEADINGS, WORTHWHILE, part
from agent.models import load_model
from tests.test_agent.chat_server import ChatServer, Reply, at_once, serving
from tests.test_agent.helpers import ask_garden, settings, tool_texts
from tests.test_agent.scripted import ScriptedModel, answer, calls
from tests.test_tools.fake import FakeReader, reader, section

RULE = "A seed that is planted in frost returns undefined."
QUOTED = ("So it is.", [("sec-0", f"Bed 0: {RULE}")])


def garden() -> FakeReader:
    """Many long sections."""
    return reader(
        *(
            section(f"sec-{at}", str(at + 1), f"Bed {at}", f"Bed {at}: {RULE}", "good soil\n" * 350)
            for at in range(40)
        )
    )


def fetches(count: int) -> list[tuple[str, dict[str, str]]]:
    return [("fetch_section_chunks", {"sectionid": f"sec-{at}"}) for at in range(count)]


def searches(count: int) -> list[tuple[str, dict[str, str]]]:
    return [("search_spec", {"query": f"Bed {at} in frost"}) for at in range(count)]


def asked(*script: AIMessage, **given: Any) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(script=list(script))
    return ask_garden("What grows?", model, reader=garden(), **given), model


@pytest.mark.parametrize("count", [1, 3, 5, 30])
@pytest.mark.parametrize("context", [8_000, 10_000, 12_000, 16_000, 30_000])
def test_the_results_of_one_turn_fit_a_small_window(context: int, count: int) -> None:
    answered, model = asked(calls(*fetches(count)), answer(QUOTED), context_characters=context)
    assert max(map(size, model.sent)) <= context
    assert answered.status is Status.GROUNDED


@pytest.mark.parametrize("context", [8_000, 12_000, 16_000])
def test_searches_and_fetches_at_once_fit_as_well(context: int) -> None:
    made = calls(*searches(2), *fetches(2), *searches(30)[2:])
    answered, model = asked(made, calls(*fetches(1)), answer(QUOTED), context_characters=context)
    assert max(map(size, model.sent)) <= context
    assert answered.status is Status.GROUNDED


def test_three_sections_fetched_at_once_are_all_begun_where_one_would_fill_the_window() -> None:
    _, model = asked(calls(*fetches(3)), answer(QUOTED), context_characters=12_000)
    told = tool_texts(model.sent[1])
    assert [f"Bed {at}: {RULE}" in text for at, text in enumerate(told)] == [True] * 3


def test_a_call_without_room_in_its_turn_counts_for_nothing_and_may_be_made_again() -> None:
    later = calls(fetches(30)[29])
    quoted = answer(("So it is.", [("sec-29", f"Bed 29: {RULE}")]))
    answered, model = asked(calls(*fetches(30)), later, quoted, context_characters=8_000, max_calls=4)
    assert f"Bed 29: {RULE}" in tool_texts(model.sent[2])[-1]
    assert answered.status is Status.GROUNDED
    assert answered.calls == 2


@pytest.mark.parametrize("budget", [900, 3_000, 10_000, 20_000])
@pytest.mark.parametrize("count", [2, 3, 30])
def test_the_budget_is_shared_in_the_order_of_the_calls(count: int, budget: int) -> None:
    ran = [asked(calls(*fetches(count)), answer(QUOTED), budget_characters=budget)[0] for _ in range(3)]
    assert all(one.characters <= budget for one in ran)
    assert ran[0].read == ran[1].read == ran[2].read
    fitting = min(count, 16, budget // (HEADINGS + WORTHWHILE))
    assert ran[0].read[:fitting] == tuple(f"sec-{at}" for at in range(fitting))


def test_a_part_is_equal_but_never_too_small_for_use() -> None:
    least = HEADINGS + WORTHWHILE
    assert part(12_000, calls=3) == 4_000
    assert part(3 * least, calls=30) == least
    assert part(least - 1, calls=2) == least - 1


FIRST = [(name, json.dumps(args)) for name, args in fetches(30)]
CITED = {"claims": [{"text": "So.", "citations": [{"sectionid": "sec-0", "quote": f"Bed 0: {RULE}"}]}]}
ANSWER = at_once(("AnswerDraft", json.dumps(CITED)), identity="last")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def connect(chat: ChatServer) -> BaseChatModel:
    return load_model(settings(base_url=chat.address), "local")


@pytest.mark.parametrize("count", [1, 3, 30])
@pytest.mark.parametrize("limit", [8_500, 9_000, 11_000])
def test_a_server_that_refuses_what_is_over_its_limit_still_gives_the_answer(limit: int, count: int) -> None:
    with serving(at_once(*FIRST[:count]), ANSWER, limit=limit) as chat:
        answered = ask_garden("What grows?", connect(chat), reader=garden())
    assert chat.refused
    assert answered.status is Status.GROUNDED


def test_what_was_learned_of_a_window_holds_for_the_turns_after_it() -> None:
    second: Reply = at_once(*FIRST[3:6], identity="second")
    with serving(at_once(*FIRST[:3]), second, ANSWER, limit=13_000) as chat:
        answered = ask_garden("What grows?", connect(chat), reader=garden())
    assert answered.status is Status.GROUNDED
    assert chat.refused == len(chat.asked) - 3 <= 2
