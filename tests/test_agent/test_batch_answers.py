"""The file of answers: what stays, what goes, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.batch.answers import Asked, in_order, open_answers, read_answers
from agent.batch.questions import Question
from storage.errors import InputError

ASKED = Asked("es1", "offline")
QUESTIONS = [Question("a", "A?"), Question("b", "B?"), Question("c", "C?")]


def line(identity: str, *, status: str = "grounded", **more: Any) -> dict[str, Any]:
    return {
        "id": identity, "question": f"{identity.upper()}?", "edition": "es1", "model": "offline",
        "status": status, **more,
    }  # fmt: skip


def write(path: Path, *lines: dict[str, Any], torn: str = "") -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in lines) + torn, encoding="utf-8")


def take_up(path: Path) -> tuple[set[str], int]:
    with open_answers(path, QUESTIONS, asked=ASKED) as answers:
        return set(answers.kept), answers.dropped


def test_what_was_answered_is_kept_letter_for_letter(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"status":"grounded",  "id":"a", "question":"A?", "edition":"es1","model":"offline"}\n')
    before = path.read_bytes()
    assert take_up(path) == ({"a"}, 0)
    assert path.read_bytes() == before


def test_a_torn_last_line_goes_and_its_question_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, line("a"), torn='{"id": "b", "question": "B?", "stat')
    assert take_up(path) == ({"a"}, 1)
    assert [one["id"] for one in read_answers(path)] == ["a"]


def test_a_failed_question_is_asked_again_and_its_line_is_not_doubled(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, line("a", status="error"), line("b"))
    with open_answers(path, QUESTIONS, asked=ASKED) as answers:
        assert answers.kept == {"b"}
        answers.add(line("a"))
    assert [(one["id"], one["status"]) for one in read_answers(path)] == [
        ("b", "grounded"),
        ("a", "grounded"),
    ]


def test_nothing_is_left_where_every_line_told_of_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, line("a", status="error"))
    assert take_up(path) == (set(), 1)
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([line("a", edition="es2")], "answered with edition es2, this batch has es1"),
        ([line("a", model="openai:x")], "answered with model openai:x, this batch has offline"),
        ([line("a", question="Another?")], "answers another question under the id a"),
        ([line("a"), line("a")], "answers a a second time"),
        ([{"some": "thing"}], "is no answer of a batch"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(
    tmp_path: Path, lines: list[dict[str, Any]], said: str
) -> None:
    path = tmp_path / "out.jsonl"
    write(path, *lines)
    before = path.read_bytes()
    with pytest.raises(InputError) as raised:
        take_up(path)
    assert said in str(raised.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_broken_line_that_is_not_the_last_one_is_nothing_a_crash_leaves(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("{broken\n" + json.dumps(line("a")) + "\n")
    with pytest.raises(InputError, match=r"out\.jsonl:1 is no answer"):
        take_up(path)


def test_two_batches_cannot_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with (
        open_answers(path, QUESTIONS, asked=ASKED),
        pytest.raises(InputError, match="another batch is writing"),
        open_answers(path, QUESTIONS, asked=ASKED),
    ):
        raise AssertionError("opened twice")


def test_no_lock_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locks = tmp_path / "locks"
    locks.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(locks))
    with open_answers(tmp_path / "out.jsonl", QUESTIONS, asked=ASKED):
        assert len(list(locks.iterdir())) == 1
    assert list(locks.iterdir()) == []


def test_a_line_is_one_line_whatever_stands_in_it(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    text = "a\nb\u2028c\x1b[31m\ud800\u202e"
    with open_answers(path, QUESTIONS, asked=ASKED) as answers:
        answers.add(line("a", text=text))
    raw = path.read_bytes()
    assert raw.count(b"\n") == len(raw.decode().splitlines()) == 1
    assert b"\x1b" not in raw
    assert next(read_answers(path))["text"] == text


def test_the_order_of_the_questions_is_restored_and_other_answers_come_last(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, line("c"), line("x"), line("a"), line("b"))
    in_order(path, QUESTIONS)
    assert [one["id"] for one in read_answers(path)] == ["a", "b", "c", "x"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_number_that_json_has_no_form_of_is_null_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with open_answers(path, QUESTIONS, asked=ASKED) as answers:
        answers.add(line("a", trace=[{"args": {"limit": float("nan"), "x": 1e999}}]))
    assert b'"args": {"limit": null, "x": null}' in path.read_bytes()
