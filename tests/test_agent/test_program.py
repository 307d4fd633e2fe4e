"""`ask262` as a program: what it prints where, what it loads, how it ends."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import main, parser
from agent.ask import LONGEST, usable
from agent.first_build import build_store, command
from agent.session import ONLY_SAMPLE, open_edition, open_session
from storage.editions import SAMPLE
from storage.errors import InputError, NoStoreError, UnknownEditionError
from tests.test_agent.helpers import settings

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("langchain", "langchain_core", "langgraph", "lancedb", "pyarrow", "onnxruntime", "numpy", "pydantic")
IMPURE = {"__init__", "__main__", "ask", "model_cache", "offline", "served"}
"""Modules that are about LangChain or about a model's cache; every other one loads neither."""


def python(*arguments: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter, away from the project's folder, with no setting but the given ones."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASK262_")}
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        input=typed, capture_output=True, text=True, encoding="utf-8", check=False,
        cwd="/", env={**clean, **variables},
    )  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """Which of the heavy libraries a piece of code loads."""
    shown = (
        f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = python("-c", shown)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import agent.__main__ as program\ntry:\n    program.main(['--help'])\nexcept SystemExit:\n    pass"
    )
    assert loaded_by(code) == set()


def test_the_pure_modules_load_neither_langchain_nor_a_store() -> None:
    names = {path.stem for path in (ROOT / "agent").glob("*.py")} - IMPURE
    code = "\n".join(f"import agent.{name}" for name in sorted(names))
    assert loaded_by(code) <= {"pydantic"}


def test_version_and_help_end_well(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--version", "--help"):
        with pytest.raises(SystemExit) as ended:
            parser().parse_args([flag])
        assert ended.value.code == 0
        assert "ask262" in capsys.readouterr().out


@pytest.mark.parametrize(
    "question", ["", "   ", "\x1b[31m\x07", "\u200b\u200b", "\u3164\u00ad", "x" * (LONGEST + 1)]
)
def test_a_question_that_cannot_be_used_is_one_line_before_anything_is_opened(
    question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([question]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1


def test_control_sequences_are_taken_out_of_a_question() -> None:
    assert usable("\x1b[31mWhat is\u202e a bed?\x07\n") == "What is a bed?"


def test_a_wrong_model_or_edition_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
    assert main(["What is it?", "--model", "nobody:model"]) == 1
    assert main(["What is it?", "--sample", "--edition", "es2026"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 2
    assert list(tmp_path.iterdir()) == []


def test_the_store_is_built_by_a_program_of_its_own() -> None:
    assert command(sample=True) == [sys.executable, "-P", "-m", "setup.ingest", "--sample"]
    assert command(sample=False) == [sys.executable, "-P", "-m", "setup.ingest"]


@pytest.mark.parametrize(("edition", "sample"), [(None, False), ("latest", False), (SAMPLE, True)])
def test_an_empty_store_is_built_before_the_first_answer(
    edition: str | None, sample: bool, tmp_path: Path
) -> None:
    built: list[bool] = []

    def build(*, sample: bool) -> None:
        built.append(sample)

    with pytest.raises(NoStoreError):
        open_edition(settings(storage_dir=tmp_path), edition=edition, build=build)
    assert built == [sample]


@pytest.mark.parametrize("given", [{"edition": "ES2026"}, {}])
def test_a_named_edition_is_not_replaced_by_another_one(given: dict[str, str], tmp_path: Path) -> None:
    def build(*, sample: bool) -> None:
        raise AssertionError(sample)

    configured = settings(storage_dir=tmp_path, **({} if given else {"edition": "es2026"}))
    with pytest.raises(UnknownEditionError, match=r"setup\.ingest SOURCE --edition es2026$"):
        open_edition(configured, edition=given.get("edition"), build=build)


@pytest.mark.parametrize("flag", ["--edition", "--model"])
def test_an_empty_name_is_refused_in_one_line(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["What is it?", flag, ""]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[0].endswith(f"{flag} is empty: name one, or leave out {flag}")


def test_a_build_that_fails_ends_the_program_with_its_status(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
    monkeypatch.setenv("ASK262_SOURCE", str(tmp_path / "no such folder"))
    with pytest.raises(SystemExit) as ended:
        build_store(sample=False)
    assert ended.value.code == 1
    told = capfd.readouterr()
    assert told.out == ""
    assert "no such folder" in told.err


def test_a_question_about_the_edition_asked_must_not_name_two() -> None:
    with pytest.raises(InputError, match="leave out --edition"):
        open_session(edition="es2026", sample=True, model=None, trace=False)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


def test_the_first_question_builds_the_sample_and_prints_only_its_answer(store: Path) -> None:
    done = python("-m", "agent", "--sample", "--json", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert done.returncode == 0, done.stderr
    answered = json.loads(done.stdout)
    assert answered["edition"] == SAMPLE
    assert any("not of ECMAScript" in note for note in answered["notes"])
    assert "building it" in done.stderr


def test_the_second_question_builds_nothing_and_a_trace_goes_to_standard_error(store: Path) -> None:
    done = python("-m", "agent", "--sample", "--trace", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert done.returncode == 0, done.stderr
    assert "building it" not in done.stderr
    assert done.stderr.startswith("-> search_spec(")
    assert "✓ verified" in done.stdout
    assert "sample specification" in done.stdout


def test_questions_are_read_line_by_line_and_only_answers_are_printed(store: Path) -> None:
    done = python("-m", "agent", "--sample", typed="What is Loam?\n/help\n", ASK262_STORAGE_DIR=str(store))
    assert done.returncode == 0, done.stderr
    assert "ask262>" not in done.stdout
    assert "✓ verified" in done.stdout
    assert "/quit" in done.stderr


def test_a_byte_in_another_encoding_ends_no_conversation(store: Path) -> None:
    variables = {"ASK262_STORAGE_DIR": str(store), "PYTHONIOENCODING": "ascii:strict"}
    done = python("-m", "agent", "--sample", typed="What is Löam?\nWhat is Loam?\n", **variables)
    assert done.returncode == 0, done.stderr
    assert "verified" in done.stdout


def test_without_a_trace_nothing_stands_on_standard_error(store: Path) -> None:
    done = python("-m", "agent", "--sample", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("part", ["units*", "windows*"])
def test_a_damaged_store_is_one_line_and_no_refusal(part: str, store: Path, tmp_path: Path) -> None:
    damaged = shutil.copytree(store, tmp_path / "store")
    files = list(damaged.glob(f"lance/{part}/data/*.lance"))
    assert files
    for file in files:
        os.truncate(file, 100)
    done = python("-m", "agent", "--sample", "What is Loam?", ASK262_STORAGE_DIR=str(damaged))
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(damaged) in done.stderr


def test_a_store_that_holds_the_sample_alone_says_what_it_asks(store: Path) -> None:
    done = python("-m", "agent", "--sample", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert done.returncode == 0
    alone = python("-m", "agent", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert (alone.returncode, alone.stderr) == (0, ONLY_SAMPLE)
    named = python("-m", "agent", "--edition", "sample", "What is Loam?", ASK262_STORAGE_DIR=str(store))
    assert (named.returncode, named.stderr) == (0, "")
