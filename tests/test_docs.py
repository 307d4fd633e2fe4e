"""What the documents say exists: files, links, commands and options."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.commands import COMMANDS, Command, loaded

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
_LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
_COMMAND = re.compile(r"python -m (?P<module>[a-z_.]+)(?P<rest>[^`\n|]*)")
_OPTION = re.compile(r"--[a-z][a-z-]+")


def _commands() -> dict[str, set[str]]:
    """Every program that a document names, with the options that it is shown with."""
    found: dict[str, set[str]] = {}
    for document in DOCUMENTS:
        for match in _COMMAND.finditer(document.read_text()):
            found.setdefault(match["module"].strip("."), set()).update(_OPTION.findall(match["rest"]))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = [m["target"] for m in _LINK.finditer(document.read_text()) if "://" not in m["target"]]
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_tree_in_the_readme_is_the_disk() -> None:
    block = (ROOT / "README.md").read_text().split("## Where things are")[1].split("```")[1]
    named = {line.split("/")[0] for line in block.strip().splitlines()}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert named == {path.split("/")[0] for path in tracked if "/" in path and path[0] != "."}


@pytest.mark.parametrize("module", sorted(set(_commands()) - {"tests"}))
def test_programs_that_documents_name_exist_with_their_options(module: str) -> None:
    helps = _help(module)
    if module == "tools":
        helps += "".join(_help(module, tool) for tool in ("search", "fetch", "subsections"))
    if module == "evaluation":
        helps += "".join(map(_measurement_help, COMMANDS))
    assert {option for option in _commands()[module] if option not in helps} == set()
    assert "example" in helps


def _measurement_help(command: Command) -> str:
    parser = argparse.ArgumentParser()
    loaded(command).configure(parser)
    return parser.format_help()


def _help(module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"python -m {module} --help: {done.stderr}"
    return done.stdout
