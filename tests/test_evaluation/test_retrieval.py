"""The command on the sample: its arguments, its table, its JSON."""

import json
import re
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.commands import COMMANDS, loaded
from evaluation.questions import read_questions, sampled
from storage.settings import ROOT, Settings
from tools.strategies.table import NEEDS, STRATEGIES

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"


@pytest.fixture
def sample_store(sample_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))


def retrieval(*arguments: str) -> int:
    return main(["retrieval", "--questions", str(QUESTIONS), *arguments])


@pytest.mark.usefixtures("sample_store")
def test_every_ranking_is_in_the_json_with_its_packet(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert retrieval("--limit", "3", "--json", str(out)) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    names = ["default", *(name for name in STRATEGIES if name not in NEEDS)]
    assert [run["strategy"] for run in written["runs"]] == names
    for run in written["runs"]:
        assert {"strategy", "dataset", "edition", "metrics", "questions"} <= run.keys()
        assert {"hit@10", "recall@10", "mrr", "ndcg@10", "quoted", "ms_median", "ms_p95"} <= run[
            "metrics"
        ].keys()
        assert run["by_kind"].keys() <= {"algorithm", "grammar", "prose", "table", "early-error"}
        for question in run["questions"]:
            assert question["packet"]["characters"] <= 900
            assert len(question["packet"]["selected"]) <= 4
            assert len(question["ranked"]) == len(set(question["ranked"]))
    assert len(written["differences"]) == 4 * (len(names) - 1)


@pytest.mark.usefixtures("sample_store")
def test_the_table_says_how_many_questions_have_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert retrieval("--strategies", "flat_blocks") == 0
    unanswerable = sum(not question.gold for question in read_questions(QUESTIONS))
    assert f"{unanswerable} without an answer left out" in capsys.readouterr().out


@pytest.mark.usefixtures("sample_store")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--strategies", "flat_pages"), "is no strategy; there are default, flat_blocks"),
        (("--budget", "900"), "is no budget"),
        (("--strategies", "collapsed_tree"), "python -m setup.ingest --sample --edition sample --summaries"),
        (("--limit", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieval(*arguments) == 1
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"id": 1, "question": "q"}',
        '{"id": 1, "question": "q", "gold": 3}',
        '{"id": 1, "question": "q", "gold": "sec-a"}',
        '{"id": 1, "question": null, "gold": []}',
        '{"id": 1, "question": "q", "gold": [], "must_quote": "words"}',
        pytest.param("[" * 100_000, id="nested without end"),
    ],
)
def test_a_line_that_is_no_question_is_named(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "question": "q", "gold": []}\n\n' + line + "\n", encoding="utf-8")
    assert main(["retrieval", "--questions", str(path)]) == 1
    assert f"{path}:3 is no question" in capsys.readouterr().err


def test_context_goes_in_front_of_a_question_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "context": "Map", "question": "q", "gold": ["x"]}\n', encoding="utf-8")
    (question,) = read_questions(path)
    assert question.asked(with_context=True) == "Map q"
    assert question.asked(with_context=False) == "q"


def test_every_command_of_the_table_can_be_loaded_and_asked_for_help() -> None:
    for command in COMMANDS:
        assert callable(getattr(loaded(command), "run", None))
        with pytest.raises(SystemExit) as left:
            main([command.name, "--help"])
        assert left.value.code == 0


@pytest.mark.usefixtures("sample_store")
def test_several_files_are_several_datasets_each_compared_with_its_own_first_row(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    for folder, held in zip(folders, (lines[:3], lines[3:7]), strict=True):
        folder.mkdir()
        (folder / "same.jsonl").write_text("\n".join(held), encoding="utf-8")
    out = tmp_path / "out.json"
    files = [str(folder / "same.jsonl") for folder in folders]
    asked = ["retrieval", "--questions", *files, "--strategies", "default", "flat_blocks"]
    assert main([*asked, "--with-context", "--summary", str(out)]) == 0
    kept = json.loads(out.read_text(encoding="utf-8"))
    names = ["one/same with context", "two/same with context"]
    assert list(dict.fromkeys(row["dataset"] for row in kept["rows"])) == names
    assert {gap["dataset"] for gap in kept["differences"]} == set(names)
    assert kept["command"].startswith("python -m evaluation retrieval --questions same.jsonl same.jsonl")
    assert len(kept["data"]["questions"]) == 2


def test_a_file_that_is_named_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieval", "--questions", str(QUESTIONS), str(QUESTIONS)]) == 1
    assert "named twice" in capsys.readouterr().err


def test_a_file_without_a_question_that_has_an_answer_is_refused_before_a_store_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path / "none"))
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "question": "q", "gold": []}\n', encoding="utf-8")
    assert main(["retrieval", "--questions", str(path)]) == 1
    assert "q has no question with gold sections" in capsys.readouterr().err


def test_a_sample_is_the_same_in_every_run_in_order_and_of_what_has_an_answer() -> None:
    questions = read_questions(QUESTIONS)
    chosen = sampled(questions, 8)
    assert chosen == sampled(questions, 8)
    assert len(chosen) == 8
    assert all(question.gold for question in chosen)
    assert chosen == [question for question in questions if question in chosen]
    assert sampled(questions, 10_000) == [question for question in questions if question.gold]


@pytest.mark.usefixtures("sample_store")
def test_kinds_and_hops_have_tables_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert retrieval("--strategies", "default", "flat_blocks", "--sample", "6") == 0
    printed = capsys.readouterr().out
    sizes = [
        int(size)
        for line in printed.split("by kind", 1)[1].split("by hops")[0].splitlines()[1:2]
        for size in re.findall(r"\((\d+)\)", line)
    ]
    assert sum(sizes) == 6
    assert "by hops, hit@10 / mrr" in printed


@pytest.mark.usefixtures("sample_store")
def test_ours_stands_for_what_is_measured_without_a_name(tmp_path: Path) -> None:
    named, unnamed = tmp_path / "named.json", tmp_path / "unnamed.json"
    assert retrieval("--limit", "1", "--summary", str(unnamed)) == 0
    assert retrieval("--limit", "1", "--strategies", "flat_blocks", "ours", "--summary", str(named)) == 0
    rows = {
        path: [row["strategy"] for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]
        for path in (named, unnamed)
    }
    assert rows[unnamed][0] == "default"
    assert rows[named] == ["flat_blocks", *(name for name in rows[unnamed] if name != "flat_blocks")]
