"""Commands that the documents show do run: those of the README's table, and all others on the sample.

They run in this process, over a copy of the sample's store. Where a command names an edition or a file of
the real specification, the sample takes its place.
"""

import importlib
import io
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from storage.program import DONE
from storage.settings import ROOT, Settings

ELSEWHERE = ("tools.mcp_server", "notebooks")
"""Serves until it is stopped (tests/test_tools/test_mcp.py); takes a minute (tests/test_notebooks.py)."""
REPLACED = {
    "es2026": "sample",
    "../spec/es2026": str(ROOT / "setup" / "sample" / "spec.html"),
}
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = {"ask262": "agent.__main__", "agent": "agent.__main__", "agent.batch": "agent.batch.__main__"}


def _programs_of_the_readme() -> list[str]:
    """The first command of each row."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Programs")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| [a-z][^|]+ \| `([^`]+)`", table, re.MULTILINE)
    return [
        cell for cell in cells if not any(f"-m {name}" in cell for name in ELSEWHERE) and cell[0].islower()
    ]


def _on_the_sample() -> list[str]:
    """Every line of a block that asks or builds the sample; of a pipe, what stands before it."""
    blocks = [
        block
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
        for language, block in _FENCED.findall(page.read_text(encoding="utf-8"))
        if language in ("", "sh")
    ]
    lines = [line for block in blocks for line in block.splitlines() if "--sample" in line]
    return sorted({re.sub(r"^.*uv run |\s*(#|\|) .*$", "", line) for line in lines})


def _main(command: str) -> tuple[Callable[[list[str]], int], list[str]]:
    """The program of a command line, and its arguments."""
    words = [REPLACED.get(word, word) for word in shlex.split(command)]
    name, arguments = (words[2], words[3:]) if words[:2] == ["python", "-m"] else (words[0], words[1:])
    for module in (PROGRAMS.get(name, name), f"{name}.__main__"):
        main = getattr(importlib.import_module(module), "main", None)
        if main is not None:
            return main, arguments
    raise AssertionError(f"{command} starts no program of ours")


def test_the_commands_are_found_in_the_documents() -> None:
    assert len(_programs_of_the_readme()) >= 9
    assert 'ask262 --sample "What does Count::divide do when the divisor is 0?"' in _on_the_sample()
    assert "python -m setup.ingest --sample" in _on_the_sample()


@pytest.mark.parametrize("command", [*_programs_of_the_readme(), *_on_the_sample()])
def test_a_command_of_the_documents_runs(
    command: str, sample_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(sample_settings.storage_dir, tmp_path / "store")
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path / "store"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is Loam?\n"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.txt").write_text("What does Count::divide do?\n")
    main, arguments = _main(command)
    assert main(arguments) == DONE
