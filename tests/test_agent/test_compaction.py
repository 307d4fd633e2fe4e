"""Older tool output is left out when a conversation grows, and nothing that may be quoted is lost."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from agent.answer import Status
from agent.compaction import SMALL, compacted
from agent.lengths import size
from storage.errors import ModelError
from tests.test_agent.helpers import ask_garden, passage
from tests.test_agent.scripted import ScriptedModel, answer, call
from tests.test_tools.fake import FakeReader, reader, section
from tools.results import ToolResult

RULE = "A seed that is planted in frost returns undefined."


def shown(place: int, text: str) -> list[AnyMessage]:
    """A call and its result, as the loop keeps them."""
    name = f"sec-{place}"
    data = {"chunks": [{"sectionid": name, "secnum": str(place), "title": "Beds", "text": text}]}
    result = ToolResult(text, data, (passage(text, sectionid=name),))
    made = {"name": "fetch_section_chunks", "args": {"sectionid": name}, "id": f"c{place}"}
    return [
        AIMessage("", tool_calls=[made]),
        ToolMessage(text, tool_call_id=f"c{place}", artifact=result),
    ]


def conversation(*lengths: int) -> list[AnyMessage]:
    results = [shown(place, f"{RULE}\n{'x' * length}") for place, length in enumerate(lengths)]
    return [HumanMessage("What does a seed planted in frost return?"), *(m for pair in results for m in pair)]


def test_what_fits_is_left_alone() -> None:
    messages = conversation(2_000, 2_000)
    assert compacted(messages, most=size(messages)) == (messages, frozenset())


def test_the_oldest_goes_first_and_only_as_much_as_must() -> None:
    messages = conversation(5_000, 5_000, 5_000)
    out, gone = compacted(messages, most=14_000)
    assert gone == {"c0", "c1"}
    assert size(out) < 14_000
    assert out[-1] == messages[-1]


def test_what_the_model_has_not_answered_yet_is_touched_last() -> None:
    messages = conversation(5_000, 5_000)
    out, gone = compacted(messages, most=6_000)
    assert gone == {"c0"}
    assert out[-1] == messages[-1]


def test_of_what_the_model_has_not_answered_yet_as_much_stays_as_there_is_room_for() -> None:
    messages = conversation(*[100] * 3)
    messages[-1] = shown(2, f"{RULE}\n" + "a line of soil\n" * 400)[1]
    out, gone = compacted(messages, most=3_000)
    assert gone == {"c2"}
    assert size(out) <= 3_000
    assert str(out[-1].text).startswith(f"{RULE}\na line of soil")
    assert str(out[-1].text).endswith("ask for less at once.]")


def test_the_largest_result_of_a_turn_is_cut_first() -> None:
    small, large = shown(0, f"{RULE}\n" + "soil\n" * 200), shown(1, f"{RULE}\n" + "soil\n" * 2_000)
    both = AIMessage("", tool_calls=[*small[0].tool_calls, *large[0].tool_calls])  # type: ignore[union-attr]
    asked = HumanMessage("What does a seed planted in frost return?")
    messages: list[AnyMessage] = [asked, both, small[1], large[1]]
    out, gone = compacted(messages, most=3_000)
    assert gone == {"c1"}
    assert out[2] == small[1]
    assert f"| {RULE}" in str(compacted(messages, most=1_800)[0][3].text), "a note where too little fits"


def test_a_note_names_what_stood_there_and_keeps_the_lines_that_bear_on_the_question() -> None:
    out, _ = compacted(conversation(5_000, 5_000), most=6_000)
    note = str(out[2].text)
    assert "`sec-0` 0 Beds" in note
    assert 'fetch_section_chunks(sectionid="sec-0")' in note
    assert f"| {RULE}" in note
    assert len(note) < SMALL


def test_what_was_left_out_once_stays_so_though_there_is_room_again() -> None:
    messages = conversation(5_000, 5_000)
    out, gone = compacted(messages, most=1_000_000, done=frozenset({"c0"}))
    assert gone == {"c0"}
    assert len(str(out[2].text)) < SMALL


def test_the_artifact_stays_with_its_message() -> None:
    messages = conversation(5_000, 5_000)
    out, _ = compacted(messages, most=6_000)
    assert isinstance(out[2], ToolMessage)
    assert out[2].artifact == messages[2].artifact  # type: ignore[union-attr]


def garden() -> FakeReader:
    """Three long sections."""
    return reader(
        *(
            section(f"sec-{name}", str(place), name.title(), f"{name} rule: {RULE}", "soil " * 700)
            for place, name in enumerate(("oak", "elm", "ash"), start=1)
        )
    )


def fetch(name: str) -> AIMessage:
    return call("fetch_section_chunks", sectionid=f"sec-{name}")


def test_text_that_was_left_out_may_be_quoted_and_fetched_again() -> None:
    quoted = answer(("So it is.", [("sec-oak", f"oak rule: {RULE}")]))
    model = ScriptedModel(script=[fetch("oak"), fetch("elm"), fetch("ash"), fetch("oak"), quoted])
    answered = ask_garden("What grows?", model, reader=garden(), context_characters=16_000)
    sent = [[str(one.text) for one in turn if isinstance(one, ToolMessage)] for turn in model.sent]
    assert sent[3][0].startswith("Left out to save space: `sec-oak` 1 Oak")
    assert f"oak rule: {RULE}" in sent[4][3], "the repeated call was run"
    assert answered.status is Status.GROUNDED
    assert all(size(turn) < 16_000 for turn in model.sent)


def test_a_fetch_brings_no_more_than_a_small_window_can_take() -> None:
    model = ScriptedModel(script=[fetch("oak"), answer(refusal="No.")])
    ask_garden("What grows?", model, reader=garden(), context_characters=8_000)
    assert len(str(model.sent[1][-1].text)) < 3_000


def test_a_tiny_window_ends_in_a_checked_answer() -> None:
    quoted = answer(("So it is.", [("sec-elm", f"elm rule: {RULE}")]))
    model = ScriptedModel(script=[fetch("oak"), fetch("elm"), quoted])
    answered = ask_garden("What grows?", model, reader=garden(), context_characters=8_000)
    assert answered.status is Status.GROUNDED
    assert max(size(turn) for turn in model.sent) <= 8_000


def too_long_above(limit: int, *lines: AIMessage) -> ScriptedModel:
    """A server that refuses longer conversations."""
    script = iter(lines)

    def say(messages: list[BaseMessage]) -> AIMessage:
        if size(messages) > limit:
            raise ValueError("This model's maximum context length is 4096 tokens.")
        return next(script)

    return ScriptedModel(script=[say])


def test_a_server_that_finds_a_conversation_too_long_is_sent_a_shorter_one() -> None:
    quoted = answer(("So it is.", [("sec-oak", f"oak rule: {RULE}")]))
    model = too_long_above(13_000, fetch("oak"), fetch("elm"), fetch("ash"), quoted)
    answered = ask_garden("What grows?", model, reader=garden())
    assert answered.status is Status.GROUNDED


def test_a_window_too_small_for_one_section_still_gives_the_lines_that_bear_on_the_question() -> None:
    quoted = answer(("So it is.", [("sec-oak", f"oak rule: {RULE}")]))
    model = too_long_above(3_500, fetch("oak"), quoted)
    answered = ask_garden("What does a seed planted in frost return?", model, reader=garden())
    assert answered.status is Status.GROUNDED
    assert f"| oak rule: {RULE}" in str(model.sent[-1][-1].text)


def test_a_window_too_small_for_the_question_is_one_line() -> None:
    with pytest.raises(ModelError, match="too small a context window"):
        ask_garden("What grows?", too_long_above(2_000, fetch("oak")), reader=garden())


def test_the_size_counts_the_arguments_of_calls() -> None:
    made: list[Any] = [call("AnswerDraft", claims=["x" * 500])]
    assert size(made) > 500
