"""Every way in which a model or its server fails ends in a usable answer or in one line."""

import json
import re
import socket

import pytest
from langchain_core.language_models import BaseChatModel

from agent.answer import Answer, Status, Verdict
from agent.events import Event, EventKind
from agent.middleware.retries import RETRIES
from agent.models import load_model
from storage.errors import ModelError
from tests.test_agent.chat_server import ChatServer, Reply, calls, says, serving
from tests.test_agent.helpers import ask_garden, settings

FULL = "If bed is full, throw a RangeError exception."
FETCH = calls("fetch_section_chunks", json.dumps({"sectionid": "sec-plant"}), identity="call_1")
ANSWER = calls(
    "AnswerDraft",
    json.dumps(
        {"claims": [{"text": "It throws.", "citations": [{"sectionid": "sec-plant", "quote": FULL}]}]}
    ),
    identity="call_2",
)
QUOTA = '{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'


def fails(status: int, said: str = "no", **given: str) -> Reply:
    return Reply(status=status, body=json.dumps({"error": {"message": said}}), **given)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def connect(chat: ChatServer, *, streaming: bool = False, timeout: float = 30.0) -> BaseChatModel:
    return load_model(settings(base_url=chat.address, timeout=timeout, stream=streaming), "local")


def grounded(answered: Answer) -> bool:
    return answered.status is Status.GROUNDED and answered.citations[0].verdict is Verdict.VERIFIED


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streaming(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize(
    "failure",
    [
        fails(429, "slow down"),
        fails(500),
        fails(502),
        fails(503, "Loading model"),
        Reply(FETCH.message, breaks=True),
    ],
    ids=["429", "500", "502", "loading", "broken off"],
)
def test_what_may_pass_is_asked_again_and_the_question_is_answered(failure: Reply, streaming: bool) -> None:
    events: list[Event] = []
    with serving(failure, failure, FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming), events=events)
    assert grounded(answered)
    assert len(chat.asked) == 4
    assert [event.kind for event in events].count(EventKind.RETRY) == 2


def test_an_answer_stands_though_the_server_fails_when_it_is_to_be_put_right(streaming: bool) -> None:
    bad = Reply(json.loads(json.dumps(ANSWER.message).replace("RangeError", "TypeError")))
    with serving(FETCH, bad, fails(401, "no such key")) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming))
    assert (answered.status, answered.citations[0].verdict) == (Status.PARTIAL, Verdict.NOT_FOUND)
    assert any("could not be put right" in note and "ASK262_API_KEY" in note for note in answered.notes)


@pytest.mark.parametrize(
    ("failure", "said", "asked"),
    [
        (fails(429), "is limiting requests (HTTP 429)", 1 + RETRIES),
        (fails(500), "failed (HTTP 500)", 1 + RETRIES),
        (Reply(FETCH.message, breaks=True), "broke off in the middle of its answer", 1 + RETRIES),
        (fails(429, retry_after="3600"), "is limiting requests (HTTP 429)", 1),
        (Reply(status=429, body=QUOTA), "has no quota left", 1),
        (fails(401, "Incorrect key"), "rejected the key (HTTP 401); set ASK262_API_KEY", 1),
        (fails(403), "does not allow this key", 1),
        (fails(404, "no such model"), "does not know this model or address (HTTP 404)", 1),
        (fails(400, "bad grammar"), "refused the request (HTTP 400): ", 1),
        (fails(400, "Incorrect API key provided: sk-abcdefgh12345"), "rejected the key (HTTP 400)", 1),
        (fails(422, "no {where}"), "refused the request (HTTP 422): ", 1),
        (Reply(body="<html>"), "answered what cannot be read", 1),
    ],
    ids=[
        "429", "500", "breaks off", "a long wait", "quota", "wrong key", "403", "404", "400", "a key in 400",
        "422", "no JSON",
    ],
)  # fmt: skip
def test_what_does_not_pass_is_one_line_after_as_many_attempts_as_are_worth_it(
    failure: Reply, said: str, asked: int
) -> None:
    with serving(failure) as chat, pytest.raises(ModelError, match=re.escape(said)) as caught:
        ask_garden("How is a seed planted?", connect(chat))
    assert "\n" not in str(caught.value)
    assert "sk-" not in str(caught.value)
    assert len(chat.asked) == asked


@pytest.mark.parametrize("body", ["<html>hello</html>", '{"choices": []}'])
def test_a_server_that_does_not_stream_is_one_line_that_names_the_setting(body: str) -> None:
    with serving(Reply(body=body)) as chat, pytest.raises(ModelError, match="unset ASK262_STREAM"):
        ask_garden("How is a seed planted?", connect(chat, streaming=True))


def test_https_to_a_server_without_it_is_one_line_that_names_http() -> None:
    with serving(FETCH) as chat:
        address = chat.address.replace("http:", "https:")
        model = load_model(settings(base_url=address), "local")
        with pytest.raises(ModelError, match="write http:// in ASK262_BASE_URL"):
            ask_garden("How is a seed planted?", model, base_url=address)


@pytest.mark.parametrize("key", ["“sk-x”", "sk-x\n"])
def test_a_provider_s_key_that_cannot_be_sent_is_one_line_after_one_attempt(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Event] = []
    with serving(FETCH) as chat:
        monkeypatch.setenv("OPENAI_API_KEY", key)
        monkeypatch.setenv("OPENAI_BASE_URL", chat.address)
        model = load_model(settings(), "openai:x")
        with pytest.raises(ModelError, match="cannot go into a request; set ASK262_API_KEY"):
            ask_garden("How is a seed planted?", model, events=events)
    assert events == []


def test_a_server_that_is_silent_for_a_while_is_asked_again(streaming: bool) -> None:
    with serving(Reply(silent=True), FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming, timeout=1.0))
    assert grounded(answered)


def test_a_server_that_stays_silent_is_one_line() -> None:
    with serving(Reply(silent=True)) as chat, pytest.raises(ModelError, match="did not answer in time"):
        ask_garden("How is a seed planted?", connect(chat, timeout=0.05))


def test_nobody_listening_is_one_line_without_waiting() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    model = load_model(settings(base_url=address), "local")
    events: list[Event] = []
    with pytest.raises(ModelError, match=r"cannot be reached at .*; start its server or correct"):
        ask_garden("How is a seed planted?", model, events=events, base_url=address)
    assert events == []


def test_a_context_too_small_for_anything_is_one_line() -> None:
    too_long = fails(400, "request (9000 tokens) exceeds the available context size (512 tokens)")
    with serving(FETCH, too_long) as chat, pytest.raises(ModelError, match="window for what was read; lower"):
        ask_garden("How is a seed planted?", connect(chat))
    with (
        serving(too_long) as chat,
        pytest.raises(ModelError, match="the instructions and the question alone"),
    ):
        ask_garden("How is a seed planted?", connect(chat))


BROKEN = calls("search_spec", '{"query": "seed', identity="call_0")
UNKNOWN = calls("read_file", '{"path": "spec"}', identity="call_0")
REPEAT = calls("search_spec", '{"query": "seed"}', identity="call_0")
UNFIT = calls("AnswerDraft", '{"claims": "It throws."}', identity="call_0")


@pytest.mark.parametrize(
    "stuck", [BROKEN, UNKNOWN, REPEAT, UNFIT], ids=["broken JSON", "unknown tool", "repeat", "unfit answer"]
)
def test_a_model_that_mends_its_ways_when_steered_is_answered_as_usual(stuck: Reply, streaming: bool) -> None:
    with serving(stuck, stuck if stuck is REPEAT else FETCH, FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming))
    assert grounded(answered)
    assert not any("made to answer" in note for note in answered.notes)


@pytest.mark.parametrize(
    "stuck", [BROKEN, UNKNOWN, REPEAT, UNFIT], ids=["broken JSON", "unknown tool", "repeat", "unfit answer"]
)
def test_a_model_that_stays_stuck_is_steered_once_then_made_to_answer_and_reported(stuck: Reply) -> None:
    turns = 3 if stuck is REPEAT else 2
    with serving(FETCH, *[stuck] * turns, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat))
    assert grounded(answered)
    assert [tool["function"]["name"] for tool in chat.asked[-1]["tools"]] == ["AnswerDraft"]
    assert any("The model was made to answer" in note for note in answered.notes)


@pytest.mark.parametrize(
    "stuck", [BROKEN, UNKNOWN, REPEAT, UNFIT], ids=["broken JSON", "unknown tool", "repeat", "unfit answer"]
)
def test_a_model_that_is_stuck_for_good_ends_in_a_refusal(stuck: Reply) -> None:
    with serving(stuck) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat))
    assert (answered.status, answered.refusal) == (Status.REFUSED, "The model gave no answer.")
    assert any("The model was made to answer" in note for note in answered.notes)
    assert len(chat.asked) <= 8


def test_a_model_that_calls_no_tool_and_cites_nothing_is_sent_to_look_asked_once_then_reported() -> None:
    with serving(says("It throws a RangeError, trust me.")) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat))
    assert len(chat.asked) == 3
    assert answered.status is Status.PARTIAL
    assert any("looked nothing up" in note for note in answered.notes)
    assert "The model cited nothing: none of this was checked." in answered.notes
