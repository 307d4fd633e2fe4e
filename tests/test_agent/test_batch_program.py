"""`python -m agent.batch` as a program, over the sample: killed, stopped, resumed, refused."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agent.batch.__main__ import LEFT, main
from storage.settings import ROOT, Settings

QUESTIONS = [
    json.loads(line)["question"]
    for line in (ROOT / "setup" / "sample" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
][:14]


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("batch") / "questions.txt"
    path.write_text("\n".join(QUESTIONS), encoding="utf-8")
    return path


def start(sample: Settings, *arguments: object) -> "subprocess.Popen[str]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASK262_")}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "agent.batch", "--sample", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
        env={**clean, "ASK262_STORAGE_DIR": str(sample.storage_dir)},
    )  # fmt: skip


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def answers(path: Path) -> list[dict[str, Any]]:
    """Without what the clock alone decides."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(path: Path, process: "subprocess.Popen[str]", *, lines: int) -> None:
    while lines_in(path) < lines and process.poll() is None:
        time.sleep(0.005)


@pytest.fixture(scope="module")
def undisturbed(
    questions: Path, sample_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    out = tmp_path_factory.mktemp("undisturbed") / "answers.jsonl"
    status, said, told = finish(start(sample_settings, questions, "--out", out))
    assert (status, said) == (0, ""), told
    assert f"{len(QUESTIONS)} answers:" in told
    return answers(out)


def test_killed_five_times_and_resumed_the_answers_are_those_of_an_undisturbed_run(
    questions: Path, sample_settings: Settings, undisturbed: list[dict[str, Any]], tmp_path: Path
) -> None:
    out, chance = tmp_path / "answers.jsonl", random.Random(262)
    for _ in range(5):
        process = start(sample_settings, questions, "--out", out)
        wait_for(out, process, lines=lines_in(out) + chance.randint(1, 2))
        time.sleep(chance.random() / 10)
        process.kill()
        finish(process)
    status, _, told = finish(start(sample_settings, questions, "--out", out, "--ordered"))
    assert status == 0, told
    assert "are answered there already" in told
    assert answers(out) == undisturbed
    assert list(tmp_path.iterdir()) == [out]


def test_ctrl_c_finishes_what_is_under_way_and_says_how_to_go_on(
    questions: Path, sample_settings: Settings, tmp_path: Path
) -> None:
    out = tmp_path / "answers.jsonl"
    process = start(sample_settings, questions, "--out", out)
    wait_for(out, process, lines=2)
    process.send_signal(signal.SIGINT)
    status, _, told = finish(process)
    assert status == 130
    assert "stopped; run the same command again to go on" in told
    assert "Traceback" not in told
    assert 2 <= len(answers(out)) < len(QUESTIONS)


def test_a_second_run_asks_nothing_and_says_so(
    sample_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    asked, out = tmp_path / "q.txt", tmp_path / "answers.jsonl"
    asked.write_text(QUESTIONS[0])
    command = [str(asked), "--out", str(out), "--sample"]
    assert main(command) == 0
    before = out.read_bytes()
    assert main(command) == 0
    assert out.read_bytes() == before
    assert "1 are answered there already" in capsys.readouterr().err


def test_the_exit_status_goes_by_all_answers_of_the_file(
    sample_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    asked, out = tmp_path / "q.txt", tmp_path / "answers.jsonl"
    asked.write_text("How does setTimeout clamp its delay?")
    command = [str(asked), "--out", str(out), "--sample"]
    assert main(command) == 0
    assert main([*command, "--fail-on", "refused"]) == 1
    assert main([*command, "--fail-on", "unverified,error"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--max-cost", "1"), "--max-cost needs --price"),
        (("--budget", "10"), "--budget is"),
        (("--edition", "es1"), "leave out --edition"),
        (("--out", "/nowhere/at/all.jsonl"), "there is no folder"),
        (("--out", "{questions}"), "must be different files"),
    ],
)
def test_what_cannot_work_is_one_line_before_anything_is_asked(
    questions: Path, tmp_path: Path, arguments: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [argument.format(questions=questions) for argument in arguments]
    assert main([str(questions), "--sample", "--out", str(tmp_path / "a.jsonl"), *given]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_batch_that_ends_early_has_a_status_of_its_own(
    questions: Path, sample_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    monkeypatch.setenv("ASK262_BASE_URL", "http://127.0.0.1:9/v1")
    command = [
        str(questions),
        "--sample",
        "--out",
        str(tmp_path / "a.jsonl"),
        "--model",
        "x",
        "--retries",
        "0",
    ]
    assert main(command) == LEFT
    assert "questions in a row failed" in capsys.readouterr().err
