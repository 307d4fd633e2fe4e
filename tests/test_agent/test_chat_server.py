"""The OpenAI-compatible client over a real wire: tool calls, streaming, errors."""

import json
import socket
from pathlib import Path

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from agent.answer import Status, Verdict
from agent.model_cache import FILE
from agent.models import load_model
from storage.errors import ModelError
from tests.test_agent.chat_server import ChatServer, Reply, at_once, calls, says, serving
from tests.test_agent.helpers import ask_garden, settings
from tools.clean import to_json

FULL = "If bed is full, throw a RangeError exception."
CITED = {"sectionid": "sec-plant", "quote": FULL}
FETCH = calls("fetch_section_chunks", json.dumps({"sectionid": "sec-plant"}), identity="call_1")
ANSWER = calls(
    "AnswerDraft",
    json.dumps({"claims": [{"text": "It throws.", "citations": [CITED]}]}),
    identity="call_2",
)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def connect(chat: ChatServer, *, streaming: bool = False, key: str | None = None) -> BaseChatModel:
    given = {"api_key": key} if key else {}
    return load_model(settings(base_url=chat.address, stream=streaming, **given), "local")


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_a_question_is_answered_over_the_wire(streaming: bool) -> None:
    with serving(FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming))
    assert (answered.status, answered.model) == (Status.GROUNDED, "local")
    assert answered.citations[0].verdict is Verdict.VERIFIED
    assert [bool(body.get("stream")) for body in chat.asked] == [streaming, streaming]


def test_the_server_is_sent_the_prompt_the_tools_and_what_they_answered() -> None:
    with serving(FETCH, ANSWER) as chat:
        ask_garden("How is a seed planted?", connect(chat, key="my-key"))
    first, second = chat.asked
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert {tool["function"]["name"] for tool in first["tools"]} == {
        "search_spec", "fetch_section_chunks", "check_subsections", "AnswerDraft",
    }  # fmt: skip
    assert first["tool_choice"] == "required"
    assert second["messages"][-1]["role"] == "tool"
    assert FULL in second["messages"][-1]["content"]
    assert set(chat.keys) == {"Bearer my-key"}


def test_text_is_streamed_word_by_word() -> None:
    with serving(says("one two three")) as chat:
        pieces = [piece.text for piece in connect(chat).stream([HumanMessage("count")])]
    assert len([piece for piece in pieces if piece]) == 3
    assert "".join(pieces).split() == ["one", "two", "three"]


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_a_call_in_broken_json_is_asked_for_again(streaming: bool) -> None:
    broken = calls("search_spec", '{"query": "seed', identity="call_0")
    with serving(broken, FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming))
    assert answered.status is Status.GROUNDED
    assert len(chat.asked) == 3


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=401, body='{"error": {"message": "Incorrect key: my-key"}}'), "rejected the key"),
        (Reply(status=404, body='{"error": {"message": "no such model"}}'), "does not know this model"),
        (Reply(status=429, body='{"error": {"message": "slow down"}}'), "is limiting requests"),
        (Reply(status=500, body='{"error": {"message": "boom"}}'), "failed (HTTP 500)"),
        (Reply(status=400, body='{"error": {"message": "maximum context length is 512"}}'), "context window"),
        (Reply(body="<html>no json</html>"), "cannot be read"),
        (Reply(body='{"choices": null}'), "cannot be read"),
    ],
    ids=["401", "404", "429", "500", "context", "not json", "no choices"],
)  # fmt: skip
def test_a_server_that_fails_is_one_line_with_its_remedy(reply: Reply, said: str) -> None:
    with serving(reply) as chat, pytest.raises(ModelError) as caught:
        ask_garden("How is a seed planted?", connect(chat, key="my-key"))
    assert str(caught.value).startswith("The model local ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "my-key" not in str(caught.value)


def test_a_server_that_is_down_is_one_line_with_its_remedy() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    model = load_model(settings(base_url=address), "local")
    with pytest.raises(ModelError, match="start its server or correct ASK262_BASE_URL"):
        ask_garden("How is a seed planted?", model, base_url=address)


def test_a_repeated_question_is_answered_from_the_cache(tmp_path: Path) -> None:
    with serving(FETCH, ANSWER) as chat:
        given = settings(base_url=chat.address, api_key="my-key", model_cache=True, storage_dir=tmp_path)
        answers = [ask_garden("How is a seed planted?", load_model(given, "local")) for _ in range(2)]
    assert len(chat.asked) == 2
    assert answers[0].to_dict() == answers[1].to_dict()
    assert b"my-key" not in (tmp_path / FILE).read_bytes()


def test_a_model_that_keeps_to_a_schema_is_sent_it_beside_the_tools() -> None:
    reply = says(json.dumps({"claims": [{"text": "It throws.", "citations": [CITED]}]}))
    with serving(FETCH, reply) as chat:
        model = connect(chat).model_copy(update={"profile": {"structured_output": True}})
        answered = ask_garden("How is a seed planted?", model)
    assert answered.status is Status.GROUNDED
    for body in chat.asked:
        assert body["response_format"]["json_schema"]["name"] == "AnswerDraft"
        assert "AnswerDraft" not in {tool["function"]["name"] for tool in body["tools"]}


READ = ("fetch_section_chunks", json.dumps({"sectionid": "sec-plant"}))
GIVEN = ("AnswerDraft", json.dumps({"claims": [{"text": "It throws.", "citations": [CITED]}]}))
WRONG = ("AnswerDraft", json.dumps({"claims": [{"text": "It withers.", "citations": []}]}))
REFUSAL = ("AnswerDraft", json.dumps({"claims": [], "refusal": "Not here."}))
UNKNOWN = ("read_file", "{}")
BROKEN = ("search_spec", '{"query": "seed')


@pytest.mark.parametrize("given", [GIVEN, WRONG, REFUSAL], ids=["answer", "wrong answer", "refusal"])
@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_an_answer_beside_the_first_call_is_given_again_once_the_call_was_answered(
    given: tuple[str, str], streaming: bool
) -> None:
    with serving(at_once(READ, given), ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat, streaming=streaming))
    assert chat.unanswered == []
    assert answered.status is Status.GROUNDED
    sent = {one["tool_call_id"]: one["content"] for one in chat.asked[1]["messages"] if one["role"] == "tool"}
    assert FULL in sent["call"]
    assert sent["call_1"].startswith("Not taken")
    assert "You looked nothing up" not in str(chat.asked[1])


@pytest.mark.parametrize("beside", [READ, UNKNOWN, BROKEN], ids=["fetch", "unknown", "broken"])
@pytest.mark.parametrize("looked", [(), (FETCH,)], ids=["first", "later"])
@pytest.mark.parametrize("last_first", [False, True])
def test_no_call_beside_an_answer_that_is_sent_back_is_left_unanswered(
    beside: tuple[str, str], looked: tuple[Reply, ...], last_first: bool
) -> None:
    made = (WRONG, beside) if last_first else (beside, WRONG)
    with serving(*looked, at_once(*made, identity="both"), FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat))
    assert chat.unanswered == []
    assert answered.status is Status.GROUNDED


def test_arguments_that_are_no_numbers_of_json_leave_the_answer_json() -> None:
    odd = calls("search_spec", '{"query": "plant", "limit": NaN, "x": 1e999}', identity="call_0")
    with serving(odd, FETCH, ANSWER) as chat:
        answered = ask_garden("How is a seed planted?", connect(chat))
    written = to_json(answered.to_dict())
    assert "NaN" not in written
    assert "Infinity" not in written
    assert json.loads(written)["trace"][0]["arguments"] == {"query": "plant", "limit": None, "x": None}
