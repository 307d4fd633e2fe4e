"""How files of questions are read."""

import io
import sys
from pathlib import Path

import pytest

from agent.batch.questions import Form, Question, digest_id, read_questions
from storage.errors import InputError

TWO = ["What does ToNumber do?", "Who calls ToPropertyKey?"]


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.jsonl", '{"question": "What does ToNumber do?"}\n\n"Who calls ToPropertyKey?"\n'),
        ("q.json", '[{"question": "What does ToNumber do?"}, "Who calls ToPropertyKey?"]'),
        ("q.csv", "note,question\nx,What does ToNumber do?\ny,Who calls ToPropertyKey?\n"),
        ("q.tsv", "question\tnote\nWhat does ToNumber do?\tx\nWho calls ToPropertyKey?\ty\n"),
        ("q.md", "# Questions\n\nProse.\n- What does\n  ToNumber do?\n1. [x] Who calls ToPropertyKey?\nEnd."),
        ("q.txt", "# a comment\nWhat does ToNumber do?\n\n  Who calls ToPropertyKey?  \n"),
    ],
)  # fmt: skip
def test_every_form_gives_the_same_questions(tmp_path: Path, name: str, text: str) -> None:
    assert [question.text for question in read_questions(written(tmp_path, name, text))] == TWO


def test_a_cell_of_a_table_may_hold_lines_commas_and_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", '\ufeffid,question\n7,"Is ""use strict"",\nsay, a directive?"\n')
    assert read_questions(path) == [Question("7", 'Is "use strict",\nsay, a directive?')]


def test_the_form_may_be_told_where_the_name_says_another(tmp_path: Path) -> None:
    path = written(tmp_path, "q.txt", "- What is a lamp?\n")
    assert [question.text for question in read_questions(path, form=Form.MARKDOWN)] == ["What is a lamp?"]


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is a lamp?\n"))
    assert [question.text for question in read_questions("-")] == ["What is a lamp?"]


def test_an_id_is_kept_and_a_question_without_one_has_its_digest(tmp_path: Path) -> None:
    path = written(tmp_path, "q.jsonl", '{"id": "a", "question": "x?"}\n{"id": 7, "question": "y?"}\n"z?"\n')
    assert [question.id for question in read_questions(path)] == ["a", "7", digest_id("z?")]


def test_a_question_asked_twice_keeps_its_first_id_and_has_a_second(tmp_path: Path) -> None:
    path = written(tmp_path, "q.txt", "x?\ny?\nx?\n")
    first, _, again = (question.id for question in read_questions(path))
    assert again == f"{first}-2"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.jsonl", '{"question": "x?"}\n{"question": \n', "q.jsonl:2 is no JSON"),
        ("q.jsonl", '{"q": "x?"}\n', "q.jsonl:1 has no question"),
        ("q.jsonl", '{"question": "  "}\n', "q.jsonl:1: the question is empty"),
        ("q.jsonl", '{"question": "\u200b\u3164"}\n', "q.jsonl:1: the question is empty"),
        ("q.jsonl", '{"id": true, "question": "x?"}\n', "q.jsonl:1: the id must be"),
        ("q.jsonl", '{"id": 1, "question": "x?"}\n{"id": "1", "question": "y?"}\n', "the id 1 stands at"),
        ("q.json", '{"question": "x?"}', "is no JSON list"),
        ("q.csv", "frage\nx?\n", "names no column `question`"),
        ("q.csv", 'question\n"x?\n', "is no CSV"),
        ("q.md", "Only prose.\n", "holds no question"),
        ("q.txt", "\n\n", "holds no question"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        read_questions(written(tmp_path, name, text))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_absent_or_no_text_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_questions(str(tmp_path / "none.txt"))
    (tmp_path / "q.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="no UTF-8 text"):
        read_questions(str(tmp_path / "q.txt"))
