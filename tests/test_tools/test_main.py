"""`python -m tools`, as a process: what a shell sees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from storage.settings import Settings
from tools.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


def tools(*arguments: str, storage: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "ASK262_STORAGE_DIR": str(storage), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


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


def test_a_search_prints_the_answer_and_nothing_else(sample_settings: Settings) -> None:
    done = tools(
        "search", "ConvertReading", "--limit", "2", "--no-annex", storage=sample_settings.storage_dir
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "1. `sec-convertreading`" in done.stdout
    assert "2. " in done.stdout
    assert "3. " not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["search", "water a bed"], {"query", "edition", "hits"}),
        (
            ["fetch", "sec-beds", "--recursive", "--limit", "900"],
            {"sectionid", "edition", "chunks", "truncated", "next"},
        ),
        (["subsections", "sec-beds"], {"sectionid", "edition", "subsections"}),
    ],
)
def test_json_is_one_document_with_the_promised_keys(
    sample_settings: Settings, arguments: list[str], keys: set[str]
) -> None:
    done = tools(*arguments, "--json", storage=sample_settings.storage_dir)
    assert done.returncode == 0, done.stderr
    assert keys <= json.loads(done.stdout).keys()


def test_a_cursor_from_one_run_is_good_in_the_next(sample_settings: Settings) -> None:
    storage = sample_settings.storage_dir
    first = json.loads(
        tools("fetch", "sec-beds", "--recursive", "--limit", "900", "--json", storage=storage).stdout
    )
    done = tools("fetch", "sec-beds", "--limit", "900", "--cursor", first["next"], "--json", storage=storage)
    assert json.loads(done.stdout)["chunks"][0]["sectionid"] != first["chunks"][0]["sectionid"]


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
def test_what_cannot_be_used_is_one_line_on_standard_error_and_exit_1(
    sample_settings: Settings, arguments: list[str]
) -> None:
    done = tools(*arguments, storage=sample_settings.storage_dir)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert len(done.stderr) < 500


def test_no_store_is_one_line_and_none_is_made(tmp_path: Path) -> None:
    storage = tmp_path / "nothing"
    done = tools("search", "bed", storage=storage)
    assert done.returncode == 1
    assert "python -m setup.ingest" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not storage.exists()


def test_a_reader_that_stops_early_is_no_error(sample_settings: Settings) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tools", "fetch", "sec-language", "--recursive", "--limit", "200000"],
        cwd=ROOT,
        env={**os.environ, "ASK262_STORAGE_DIR": str(sample_settings.storage_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0
    assert complaint == b""


def test_a_terminal_without_unicode_still_gets_an_answer(sample_settings: Settings) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools", "fetch", "sec-types", "--recursive"],
        cwd=ROOT,
        env={
            **os.environ,
            "ASK262_STORAGE_DIR": str(sample_settings.storage_dir),
            "PYTHONIOENCODING": "ascii",
        },
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_command_must_be_named() -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
