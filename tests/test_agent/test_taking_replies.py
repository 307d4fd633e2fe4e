"""What a server sends is taken for what it is: cut off, no call, without an end, in half characters."""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from agent.answer import Answer, Status, Verdict
from agent.ask import ask
from agent.model_cache import FILE
from agent.models import load_model
from storage.errors import ModelError
from tests.test_agent.chat_server import ChatServer, Reply, calls, event, says, serving
from tests.test_agent.helpers import ask_garden, settings
from tests.test_tools.fake import FakeEmbedder, small

FULL = "If bed is full, throw a RangeError exception."
CITED = {"sectionid": "sec-plant", "quote": FULL}
CLAIM = {"text": "It throws.", "citations": [CITED]}
TWO = json.dumps({"claims": [CLAIM, {"text": "It returns the plant.", "citations": [CITED]}]})
FETCH = calls("fetch_section_chunks", json.dumps({"sectionid": "sec-plant"}), identity="call_1")
ANSWER = calls("AnswerDraft", json.dumps({"claims": [CLAIM]}), identity="call_2")
PROSE = says(f"It throws [1] and then it\n\n[1] sec-plant: “{FULL}”")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streaming(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def connect(chat: ChatServer, *, streaming: bool = False, **given: Any) -> BaseChatModel:
    return load_model(settings(base_url=chat.address, stream=streaming, **given), "local")


def asked(*replies: Reply, streaming: bool = False, **given: Any) -> tuple[Answer, ChatServer]:
    with serving(*replies) as chat:
        return ask_garden("How is a seed planted?", connect(chat, streaming=streaming, **given)), chat


def grounded(answered: Answer) -> bool:
    return answered.status is Status.GROUNDED and {one.verdict for one in answered.citations} == {
        Verdict.VERIFIED
    }


def cut(call: Reply, *, at: str, finish: str | None) -> Reply:
    """The call, its arguments ending after these words."""
    made = call.message["tool_calls"][0]
    written = made["function"]["arguments"]
    half = written[: written.index(at) + len(at)]
    return Reply(calls(made["function"]["name"], half, identity=made["id"]).message, finish=finish)


@pytest.mark.parametrize("finish", ["length", None], ids=["length", "no finish"])
@pytest.mark.parametrize("at", ["]}", "If bed is full, throw"], ids=["after a claim", "in a quotation"])
def test_an_answer_that_was_cut_off_is_asked_for_again(at: str, finish: str | None, streaming: bool) -> None:
    first = cut(calls("AnswerDraft", TWO, identity="call_2"), at=at, finish=finish)
    second = calls("AnswerDraft", TWO, identity="call_3")
    answered, chat = asked(FETCH, first, second, streaming=streaming)
    assert grounded(answered)
    assert len(answered.claims) == 2
    assert len(chat.asked) == 3
    assert not any("cut off" in note for note in answered.notes)


def test_an_answer_that_a_server_completed_itself_where_it_cut_it_off_is_asked_for_again(
    streaming: bool,
) -> None:
    healed = Reply(ANSWER.message, finish="length")
    answered, chat = asked(FETCH, healed, calls("AnswerDraft", TWO, identity="call_3"), streaming=streaming)
    assert (len(answered.claims), len(chat.asked)) == (2, 3)


ALWAYS = [Reply(one.message, finish="length") for one in (FETCH, ANSWER)]


def test_a_server_that_calls_every_reply_cut_off_is_answered_from_all_the_same(streaming: bool) -> None:
    answered, chat = asked(*ALWAYS, streaming=streaming)
    assert grounded(answered)
    assert (answered.read, len(chat.asked)) == (("sec-plant",), 3)
    assert not any("cut off" in note for note in answered.notes)


def test_another_answer_that_is_said_to_be_cut_off_again_is_taken_and_says_so(streaming: bool) -> None:
    other = Reply(calls("AnswerDraft", TWO, identity="call_3").message, finish="max_tokens")
    answered, chat = asked(*ALWAYS, other, streaming=streaming)
    assert (answered.status, len(answered.claims), len(chat.asked)) == (Status.PARTIAL, 2, 3)
    assert any("cut off at its limit of tokens" in note for note in answered.notes)


@pytest.mark.parametrize("last", [says(""), Reply(status=400, body="{}")], ids=["nothing", "an error"])
def test_an_answer_that_was_said_to_be_cut_off_is_better_than_none(last: Reply, streaming: bool) -> None:
    answered, _ = asked(*ALWAYS, last, streaming=streaming)
    assert (answered.status, len(answered.claims)) == (Status.PARTIAL, 1)
    assert any("cut off at its limit of tokens" in note for note in answered.notes)


def test_an_answer_that_is_cut_off_every_time_says_so_and_what_to_do() -> None:
    answered, _ = asked(FETCH, cut(ANSWER, at="throw", finish="length"))
    assert answered.status is Status.REFUSED
    assert any("cut off" in note and "raise ASK262_REPLY_TOKENS" in note for note in answered.notes)


def test_broken_calls_are_answered_though_their_id_was_used_before(streaming: bool) -> None:
    half = cut(ANSWER, at="throw", finish="length")
    fetched = Reply(calls("fetch_section_chunks", '{"sectionid": "sec-plant"}', identity="call_2").message)
    answered, chat = asked(fetched, half, half, ANSWER, streaming=streaming)
    assert grounded(answered)
    assert chat.unanswered == []


def test_a_whole_call_needs_no_finish_reason() -> None:
    fetch, answer = (Reply(one.message, finish=None) for one in (FETCH, ANSWER))
    answered, chat = asked(fetch, answer, streaming=True)
    assert grounded(answered)
    assert len(chat.asked) == 2


@pytest.mark.parametrize(
    ("finish", "streamed", "note"),
    [
        ("length", False, "cut off at its limit of tokens; raise ASK262_REPLY_TOKENS"),
        ("length", True, "cut off at its limit of tokens; raise ASK262_REPLY_TOKENS"),
        ("content_filter", False, "withheld a part"),
        ("content_filter", True, "withheld a part"),
        ("error", True, "its server broke off"),
        ("abort", False, "its server broke off"),
    ],
)
def test_prose_that_is_not_whole_is_asked_for_once_more_and_then_reported(
    finish: str | None, streamed: bool, note: str
) -> None:
    half = Reply(PROSE.message, finish=finish)
    answered, chat = asked(FETCH, half, ANSWER, streaming=streamed)
    assert grounded(answered)
    assert "Say it again as a whole" in chat.asked[2]["messages"][-1]["content"]
    assert not any(note in said for said in answered.notes)
    answered, chat = asked(FETCH, half, streaming=streamed)
    assert any(note in said for said in answered.notes)
    assert {one.verdict for one in answered.citations} == {Verdict.VERIFIED}
    assert answered.status is Status.PARTIAL
    assert asked(FETCH, PROSE, streaming=streamed)[0].status is Status.GROUNDED


@pytest.mark.parametrize("end", ["data: [DONE]\n\n", ""], ids=["done", "closed"])
def test_prose_that_was_streamed_to_its_end_needs_no_finish_reason(end: str) -> None:
    spoken = event({"role": "assistant", "content": PROSE.message["content"]})
    answered, chat = asked(FETCH, Reply(body=spoken + end), streaming=True)
    assert grounded(answered)
    assert len(chat.asked) == 2


def test_a_native_answer_that_was_cut_off_is_asked_for_again() -> None:
    half = Reply(says('{"claims": [{"text": "It th').message, finish="length")
    with serving(FETCH, half, says(json.dumps({"claims": [CLAIM]}))) as chat:
        model = connect(chat).model_copy(update={"profile": {"structured_output": True}})
        answered = ask_garden("How is a seed planted?", model)
    assert grounded(answered)
    assert "Say it again as a whole" in chat.asked[2]["messages"][-1]["content"]


def test_words_beside_a_call_are_no_answer(streaming: bool) -> None:
    beside = Reply({**FETCH.message, "content": "I will read it first."})
    answered, _ = asked(beside, ANSWER, streaming=streaming)
    assert grounded(answered)
    assert "I will read" not in answered.text


LONE = {
    "beside a call": Reply({**FETCH.message, "content": "thinking \ud83d"}),
    "in a query": calls("search_spec", json.dumps({"query": "\ud800 seed"}), identity="call_0"),
    "in a name": calls("search\ud800", "{}", identity="call_0"),
    "in broken JSON": calls("search_spec", '{"query": "\ud800', identity="call_0"),
    "written as a call": says('<tool_call>{"name": "search_spec", "arguments": {"query": "\\ud800 x"}}'),
    "in prose": says("It throws \ud83d."),
    "in an answer": calls(
        "AnswerDraft",
        json.dumps({"claims": [{"text": "\ud800", "citations": [{**CITED, "sectionid": "sec-\ud800"}]}]}),
        identity="call_0",
    ),
}


@pytest.mark.parametrize("odd", LONE.values(), ids=LONE)
def test_half_a_character_ends_no_question(odd: Reply, streaming: bool) -> None:
    answered, chat = asked(FETCH, odd, ANSWER, streaming=streaming)
    assert grounded(answered)
    json.dumps([answered.to_dict(), chat.asked], ensure_ascii=False).encode()
    answered, chat = asked(FETCH, odd, streaming=streaming)
    json.dumps([answered.to_dict(), chat.asked], ensure_ascii=False).encode()


def test_a_character_in_two_pieces_is_one() -> None:
    pieces = [{"role": "assistant", "content": ""}, {"content": "so \ud83d"}, {"content": "\ude00 it is"}]
    answered, chat = asked(Reply(pieces=pieces), FETCH, ANSWER, streaming=True)
    assert grounded(answered)
    assert any("so \U0001f600 it is" in str(one["content"]) for one in chat.asked[1]["messages"])


@pytest.mark.parametrize("written", ["\ud83d seed", "\\ud83d seed"], ids=["itself", "escaped"])
def test_half_a_character_of_a_held_model_ends_no_question(written: str) -> None:
    reply = says(f'{{"step": {{"action": "search", "words": "{written}"}}}}')
    answered, chat = asked(reply, hold_to_schema=True)
    assert answered.searched == ("\ufffd seed",)
    json.dumps([answered.to_dict(), chat.asked], ensure_ascii=False).encode()


def test_half_a_character_in_search_terms_ends_no_question() -> None:
    search = calls("search_spec", json.dumps({"query": "a bed that is full"}), identity="call_0")
    with serving(search, says("plant \ud83d\nseed"), FETCH, ANSWER) as chat:
        model = connect(chat)
        answered = ask_garden("How is a seed planted?", model, base_url=chat.address, rewrite=True)
    assert grounded(answered)
    json.dumps([answered.to_dict(), chat.asked], ensure_ascii=False).encode()


def test_a_reply_needs_no_usage() -> None:
    body = {"choices": [{"index": 0, "message": FETCH.message, "finish_reason": "tool_calls"}]}
    answered, _ = asked(Reply(body=json.dumps(body)), ANSWER)
    assert grounded(answered)


@pytest.mark.parametrize("finish", ["length", None, "tool_calls"], ids=["length", "no finish", "unsaid"])
def test_an_answer_that_was_cut_off_is_not_kept(finish: str | None, tmp_path: Path) -> None:
    half = cut(ANSWER, at="throw", finish=finish)
    asked(FETCH, half, streaming=True, model_cache=True, storage_dir=tmp_path)
    connection = sqlite3.connect(tmp_path / FILE)
    kept = [row for (row,) in connection.execute("select response from full_llm_cache")]
    connection.close()
    assert len(kept) == 1
    assert "fetch_section_chunks" in kept[0]


NO_OBJECT = ["[1, 2]", '"x"', "5", "true", "[" * 50_000, '{"query": ' + "[" * 500 + "]" * 500 + "}"]


@pytest.mark.parametrize("name", ["search_spec", "AnswerDraft"])
@pytest.mark.parametrize("written", NO_OBJECT, ids=["list", "text", "number", "true", "broken", "nested"])
def test_arguments_that_are_no_object_are_asked_for_again(written: str, name: str, streaming: bool) -> None:
    odd = calls(name, written, identity="call_0")
    answered, chat = asked(FETCH, odd, ANSWER, streaming=streaming)
    assert grounded(answered)
    assert len(chat.asked) == 3
    answered, _ = asked(odd, streaming=streaming)
    assert answered.refusal == "The model gave no answer."


def test_arguments_that_are_an_object_instead_of_text_are_read(streaming: bool) -> None:
    made = {"id": "call_1", "type": "function", "function": {"name": "fetch_section_chunks"}}
    made["function"]["arguments"] = {"sectionid": "sec-plant"}  # type: ignore[index]
    message = {"role": "assistant", "content": None, "tool_calls": [made]}
    pieces = [{"role": "assistant", "tool_calls": [{"index": 0, **made}]}]
    answered, chat = asked(Reply(message, pieces=pieces), ANSWER, streaming=streaming)
    assert grounded(answered)
    assert len(chat.asked) == 2


@pytest.mark.parametrize("made", [[None], [{}], [{"function": None}], ["x"], {}, [None, None]], ids=str)
def test_calls_that_are_none_end_no_question(made: Any, streaming: bool) -> None:
    message = {"role": "assistant", "content": None, "tool_calls": made}
    reply = Reply(message, pieces=[message])
    answered, _ = asked(FETCH, reply, ANSWER, streaming=streaming)
    assert grounded(answered)
    answered, _ = asked(reply, streaming=streaming)
    assert answered.refusal == "The model gave no answer."


@pytest.mark.parametrize("said", ["[" * 50_000, '{"step": ', '{"step": {"action": "search", "words": "se'])
def test_what_a_held_model_says_and_is_no_step_ends_no_question(said: str) -> None:
    answered, chat = asked(says(said), hold_to_schema=True)
    assert answered.refusal == "The model gave no answer."
    assert said[:20] not in answered.text
    assert len(chat.asked) <= 8


DRIPS = {
    "white space": (" ", False),
    "comments": (": keepalive\n\n", True),
    "pieces": (event({"role": "assistant", "content": "and "}), True),
}


def ask_in_time(chat: ChatServer, *, streaming: bool, seconds: float, **more: Any) -> Answer:
    given = settings(base_url=chat.address, stream=streaming, timeout=1, max_seconds=seconds, **more)
    return ask(
        "How is a seed planted?", reader=small(), embedder=FakeEmbedder(), model=load_model(given, "local"),
        settings=given, clock=time.monotonic,
    )  # fmt: skip


@pytest.mark.parametrize(("drop", "streamed"), DRIPS.values(), ids=DRIPS)
def test_a_reply_that_never_ends_is_waited_for_as_long_as_the_question_lasts(
    drop: str, streamed: bool
) -> None:
    with serving(Reply(drips=drop)) as chat, pytest.raises(ModelError, match="raise ASK262_MAX_SECONDS"):
        ask_in_time(chat, streaming=streamed, seconds=0.5)
    with serving(FETCH, Reply(drips=drop)) as chat:
        answered = ask_in_time(chat, streaming=streamed, seconds=1.5)
    assert answered.read == ("sec-plant",)
    assert any("The limit of 1.5 seconds was reached" in note for note in answered.notes)
    assert len(chat.asked) == 2


def test_search_terms_that_never_end_are_waited_for_as_long_as_the_question_lasts() -> None:
    search = calls("search_spec", json.dumps({"query": "a bed that is full"}), identity="call_0")
    with serving(search, Reply(drips=" ")) as chat:
        answered = ask_in_time(chat, streaming=False, seconds=1.5, rewrite=True)
    assert answered.searched == ("a bed that is full",)
    assert any("The limit of 1.5 seconds was reached" in note for note in answered.notes)
