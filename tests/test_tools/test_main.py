"""`python -m tools`: what a shell sees. As a process where that matters, else through `main`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from storage.settings import Settings
from tools.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


def process(*arguments: str, storage: Path, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env={**os.environ, "ASK262_STORAGE_DIR": str(storage), **environment},
        capture_output=True,
        check=False,
    )


@pytest.fixture
def storage(sample_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample's store, which the environment names."""
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    return sample_settings.storage_dir


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_help_shows_an_example_and_loads_nothing_heavy() -> None:
    code = (
        "import sys, tools.__main__ as program\n"
        "try:\n    program.main(['--help'])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'langchain', 'langchain_core', 'lancedb', 'onnxruntime', 'pyarrow', 'numpy', 'pydantic'}\n"
        "print('loaded:', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "python -m tools fetch" in done.stdout
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_a_search_prints_the_answer_and_nothing_else(storage: Path) -> None:
    done = process("search", "ConvertReading", "--limit", "2", "--no-annex", storage=storage)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1. `sec-convertreading`" in done.stdout
    assert b"\n2. `" in done.stdout
    assert b"\n3. `" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["search", "water a bed"], {"query", "edition", "hits"}),
        (["fetch", "sec-beds", "--recursive"], {"sectionid", "edition", "chunks", "truncated", "next"}),
        (["subsections", "sec-beds"], {"sectionid", "edition", "subsections"}),
    ],
)
@pytest.mark.usefixtures("storage")
def test_json_is_one_document_with_the_promised_keys(
    capsys: pytest.CaptureFixture[str], arguments: list[str], keys: set[str]
) -> None:
    assert keys <= answered(capsys, *arguments).keys()


@pytest.mark.usefixtures("storage")
def test_a_cursor_from_one_run_is_good_in_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    first = answered(capsys, "fetch", "sec-beds", "--recursive", "--limit", "900")
    after = answered(capsys, "fetch", "sec-beds", "--limit", "900", "--cursor", first["next"])
    assert after["chunks"][0]["sectionid"] != first["chunks"][0]["sectionid"]


@pytest.mark.usefixtures("storage")
def test_no_annex_and_annex_are_opposites(capsys: pytest.CaptureFixture[str]) -> None:
    only = answered(capsys, "search", "fetch a mark", "--annex")["hits"]
    none = answered(capsys, "search", "fetch a mark", "--no-annex")["hits"]
    assert {hit["kind"] for hit in only} == {"annex"}
    assert "annex" not in {hit["kind"] for hit in none}


@pytest.mark.parametrize(
    "arguments",
    [
        ["fetch", "sec-%"],
        ["fetch", "x' OR '1'='1"],
        ["subsections", "_"],
        ["search", ""],
        ["search", "x" * 100_000],
        ["search", "\x1b[31m"],
        ["search", "bed", "--kind", "verse"],
        ["search", "bed", "--chapter", "sec-nowhere"],
        ["search", "bed", "--limit", "0"],
        ["fetch", "sec-beds", "--cursor", "nonsense"],
        ["fetch", "sec-beds", "--edition", "es1997"],
    ],
)
@pytest.mark.usefixtures("storage")
def test_what_cannot_be_used_is_one_line_on_standard_error_and_exit_1(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert main(arguments) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert len(shown.err.strip().splitlines()) == 1
    assert len(shown.err) < 600


def test_no_store_is_one_line_and_none_is_made(tmp_path: Path) -> None:
    storage = tmp_path / "nothing"
    done = process("search", "bed", storage=storage)
    assert done.returncode == 1
    assert b"python -m setup.ingest" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not storage.exists()


def test_a_reader_that_stops_early_is_no_error(storage: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tools", "fetch", "sec-language", "--recursive", "--limit", "200000"],
        cwd=ROOT,
        env={**os.environ, "ASK262_STORAGE_DIR": str(storage)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_a_terminal_without_unicode_still_gets_an_answer(storage: Path) -> None:
    done = process("fetch", "sec-types", "--recursive", storage=storage, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout


def test_a_command_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert capsys.readouterr().err.startswith("error: the following arguments are required")
