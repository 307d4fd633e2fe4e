"""The page about asking says what there is: options, commands, verdicts, keys; and its example runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import parser
from agent.claims import BARE, FAILED, MIXED
from agent.render import VERDICTS
from agent.talk.commands import COMMANDS
from storage.settings import Settings
from tests.test_agent.test_answer import answer

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")


def test_every_command_is_told_as_it_is_typed_and_no_other() -> None:
    told = re.findall(r"^\| `(/[a-z]+)(?: ([^`]*))?`", TEXT, re.MULTILINE)
    takes = {name: rest.replace("\\|", "|") for name, rest in told}
    assert takes == {name: str(command.takes) for name, command in COMMANDS.items()}


def test_every_option_is_told_and_no_other() -> None:
    there_are = {one for action in parser()._actions for one in action.option_strings if one.startswith("--")}
    told = set(re.findall(r"--[a-z]+", TEXT.split("## A conversation")[0]))
    assert told == there_are - {"--help"}


def test_the_verdicts_are_those_that_are_printed() -> None:
    assert re.findall(r"^\| `([✓✗] [a-z ]+)`", TEXT, re.MULTILINE) == list(VERDICTS.values())
    assert re.findall(r"^\| `\((✗ [a-z ]+)\)`", TEXT, re.MULTILINE) == [BARE, FAILED, MIXED]


def test_the_keys_of_json_are_those_of_an_answer() -> None:
    table = TEXT.split("### JSON")[1].split("## A conversation")[0]
    keys = [
        key
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    ]
    assert keys
    assert set(keys) <= set(answer().to_dict())


@pytest.mark.skipif(sys.platform == "win32", reason="a line for a POSIX shell")
def test_the_example_for_programs_runs(sample_settings: Settings) -> None:
    (line,) = re.findall(r"^ask262 --sample --json .*\| python .*$", TEXT, re.MULTILINE)
    python = shlex.quote(sys.executable)
    line = line.replace("ask262", f"{python} -m agent", 1).replace("| python", f"| {python}")
    environment = {**os.environ, "ASK262_STORAGE_DIR": str(sample_settings.storage_dir)}
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout in ("grounded\n", "partial\n")
