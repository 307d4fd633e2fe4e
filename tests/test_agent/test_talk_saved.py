"""Conversations that are saved, taken up and exported; traces of earlier answers."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent.answer import Step
from agent.session import reopen
from agent.talk.commands import execute
from agent.talk.state import Conversation, Turn
from storage.errors import InputError


@pytest.mark.parametrize("name", ["talk.md", "talk.html", "talk.json"])
def test_a_conversation_is_exported_and_nothing_is_overwritten(
    after: Conversation, tmp_path: Path, name: str
) -> None:
    execute(f"/export {tmp_path / name}", after)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "What does Count::divide do" in text.replace("\\", "")
    with pytest.raises(InputError, match="is there already"):
        execute(f"/export {tmp_path / name}", after)
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_saved_conversation_is_taken_up_as_it_was(after: Conversation, tmp_path: Path) -> None:
    execute(f"/save {tmp_path / 'talk.json'}", after)
    again = Conversation(after.session, reopen)
    execute(f"/resume {tmp_path / 'talk.json'}", again)
    assert [turn.answer.to_dict() for turn in again.turns] == [turn.answer.to_dict() for turn in after.turns]
    assert execute("/sources", again) == execute("/sources", after)


@pytest.mark.parametrize(
    "data",
    [
        "[]",
        "{}",
        '{"schema": "ask262/session/1", "turns": [{}]}',
        '{"schema": "ask262/session/1", "turns": [{"question": "x", "answer": {"id": 3}}]}',
        "{broken",
    ],
)
def test_a_file_that_is_no_conversation_is_refused_in_one_line(
    after: Conversation, tmp_path: Path, data: str
) -> None:
    (tmp_path / "talk.json").write_text(data)
    with pytest.raises(InputError) as raised:
        execute(f"/resume {tmp_path / 'talk.json'}", after)
    assert "\n" not in str(raised.value)
    assert len(after.turns) == 1


def test_what_was_saved_cannot_act_on_a_terminal(after: Conversation, tmp_path: Path) -> None:
    turn = after.turns[0]
    hostile = replace(turn.answer, text="\x1b[2Jgone", question="\x1b]0;title\x07")
    after.turns[0] = Turn("\x1b[31mred", hostile)
    execute(f"/save {tmp_path / 'talk.json'}", after)
    assert "\x1b" not in (tmp_path / "talk.json").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "talk.json").read_text())["turns"][0]["question"] == "\x1b[31mred"
    assert "\x1b" not in execute(f"/resume {tmp_path / 'talk.json'}", Conversation(after.session, reopen))


def test_a_conversation_is_saved_to_its_own_file_again(after: Conversation, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    execute(f"/save {path}", after)
    after.add(after.turns[0], tokens=(0, 0))
    execute(f"/save {path}", after)
    assert len(json.loads(path.read_text(encoding="utf-8"))["turns"]) == 2
    again = Conversation(after.session, reopen)
    execute(f'/resume "{path}"', again)
    execute(f"/save {path}", again)
    assert [one.name for one in tmp_path.iterdir()] == ["talk.json"]


def test_a_file_of_another_conversation_is_left_alone(after: Conversation, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    execute(f"/save {path}", Conversation(after.session, reopen))
    execute(f"/resume {path}", after)
    with pytest.raises(InputError, match="is there already"):
        execute(f"/save {path}", after)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes on Windows")
def test_what_never_ends_is_not_read(after: Conversation, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(InputError, match="is no file"):
            execute(f"/resume {path}", after)


def test_a_saved_trace_of_nonsense_is_still_shown(after: Conversation) -> None:
    """A saved file may hold anything of the right types."""
    wild = (
        Step("search_spec", {"query": "x", "limit": "many"}, True, -5, ("sec-a",), "said"),
        Step("search_spec", {"query": ["x"], "chapter": 3}, True, 10**12, (), "said"),
        Step("\x1b[2J", {"sectionid": 3}, False, 0, (), "\x1b[31mno"),
    )
    after.turns[0] = replace(after.turns[0], answer=replace(after.turns[0].answer, trace=wild))
    assert "sec-a" in execute("/trace", after)
    assert "sec-types was not read." in execute("/why sec-types", after)
    execute("/sources", after)


def test_a_trace_says_why_each_hit_was_found(after: Conversation) -> None:
    told = execute("/trace", after)
    first = after.turns[0].answer.trace[0]
    assert [one for one in first.sections if one not in told] == []
    assert re.search(r"1\. sec-numeric-types-count-divide \(exact \w+\), by \S+ \d", told)


def test_a_trace_over_another_edition_is_told_without_scores(after: Conversation) -> None:
    other = replace(after.turns[0].answer, edition="es1999")
    after.turns[0] = replace(after.turns[0], answer=other)
    assert ", by " not in execute("/trace", after)


def test_a_quotation_that_was_changed_in_the_file_is_no_longer_called_verified(
    after: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    execute(f"/save {path}", after)
    saved = json.loads(path.read_text(encoding="utf-8"))
    for cited in saved["turns"][0]["answer"]["citations"]:
        cited["quote"] = f"FORGED {cited['quote']}"
    path.write_text(json.dumps(saved), encoding="utf-8")
    again = Conversation(after.session, reopen)
    execute(f"/resume {path}", again)
    shown = again.turns[0].answer
    assert {one.verdict.value for one in shown.citations} == {"not_shown"}
    assert shown.status.value == "partial"
    assert [claim.verified for claim in shown.claims] == [False] * len(shown.claims)
    assert shown.text.count("(✗ unverified)") == len(shown.claims) > 0


@pytest.mark.parametrize("line", ["/save \0x", "/save \x1b[31mred", "/tree 1 ²", "/export a\u202eb.md"])
def test_odd_characters_end_a_command_and_not_the_conversation(after: Conversation, line: str) -> None:
    with pytest.raises(InputError) as raised:
        execute(line, after)
    assert "\n" not in str(raised.value)
