"""What the documents say exists: pages, links, headings, commands, options, settings, names in the code."""

import argparse
import json
import re
import subprocess
import sys
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from agent.talk.commands import COMMANDS as SPOKEN
from evaluation.commands import COMMANDS, Command, loaded
from storage.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *ROOT.glob("notebooks/*.md"), *ROOT.glob("setup/*/*.md")]
)
FOREIGN = frozenset(
    {"--jinja", "--enable-auto-tool-choice", "--tool-call-parser", "--with", "--group", "--assets"}
)
"""Options of other people's programs that the documents name."""
OTHERS = frozenset({"pytest"})
"""Other people's programs that the documents start with `python -m`."""
INTERNAL = frozenset({"evaluation.probe"})
"""Programs that only another one of ours starts."""
TOOL_COMMANDS = ("search", "fetch", "subsections")

_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
_COMMAND = re.compile(
    r"(?:python -m (?P<module>[a-z_.0-9]+)|(?<![\w/.-])(?P<ours>ask262)(?= ))(?P<rest>[^`\n|]*)"
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"`([^`\n]+)`")


def _text(document: Path) -> str:
    """A document with its continued lines joined."""
    return document.read_text(encoding="utf-8").replace("\\\n", " ")


@cache
def _commands() -> dict[str, set[str]]:
    """Every program that a document names, with the options that it is shown with."""
    found: dict[str, set[str]] = {}
    for document in DOCUMENTS:
        for match in _COMMAND.finditer(_text(document)):
            module = "agent" if match["ours"] else match["module"].strip(".")
            if module in OTHERS:
                continue
            # What stands behind a comment, another command or in the question is no option of this one.
            rest = re.split(r"\s#|&&|;|\| |\"[^\"]*\"|'[^']*'", match["rest"])
            found.setdefault(module, set()).update(_OPTION.findall(" ".join(rest)))
    return found


# -- pages and links -------------------------------------------------------------------------------------


def _headings(document: Path) -> set[str]:
    """Anchors of a page, as GitHub makes them of its headings."""
    lines = re.findall(r"^#{1,6} (.+)$", _FENCED.sub("", document.read_text(encoding="utf-8")), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).replace("`", "") for line in lines)
    return {re.sub(r"[^\w\- ]", "", line.strip().lower()).replace(" ", "-") for line in plain}


def _dead_links(document: Path) -> Iterator[str]:
    for match in _LINK.finditer(_FENCED.sub("", document.read_text(encoding="utf-8"))):
        target, anchor = match["target"], match["anchor"]
        if "://" in target:
            continue
        place = document.parent / target if target else document
        if not place.exists() or (anchor and anchor not in _headings(place)):
            yield match[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_links_lead_to_a_file_and_a_heading_that_exist(document: Path) -> None:
    assert list(_dead_links(document)) == []


def test_a_link_to_a_missing_heading_is_dead(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One `two`, three\n[a](#one-two-three) [b](#two) [c](none.md) [d](https://x.org)\n")
    assert list(_dead_links(page)) == ["[b](#two)", "[c](none.md)"]


def test_every_page_is_listed_among_the_pages() -> None:
    listed = {match["target"] for match in _LINK.finditer((DOCS / "README.md").read_text(encoding="utf-8"))}
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= listed


def test_the_tree_in_the_readme_is_the_disk() -> None:
    block = (ROOT / "README.md").read_text(encoding="utf-8").split("## Where things are")[1].split("```")[1]
    named = {line.split("/")[0] for line in block.strip().splitlines()}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert named == {path.split("/")[0] for path in tracked if "/" in path and path[0] != "."}


# -- commands and options --------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(_commands()))
def test_programs_that_documents_name_exist_with_their_options(module: str) -> None:
    # What stands behind `python -m tests` goes to pytest.
    options = _commands()[module] if module != "tests" else set()
    assert {option for option in options if not _has(_helps(module), option)} == set()


def test_every_option_that_a_document_names_belongs_to_a_program() -> None:
    helps = "".join(map(_helps, _programs()))
    named = {option for document in DOCUMENTS for option in _OPTION.findall(_text(document))}
    assert named >= FOREIGN
    assert {option for option in named - FOREIGN if not _has(helps, option)} == set()


@pytest.mark.parametrize("module", sorted(_commands()))
def test_the_help_of_a_program_shows_an_example(module: str) -> None:
    assert "example" in _help(module)


def test_every_program_is_named_in_a_document() -> None:
    assert set(_programs()) - INTERNAL <= set(_commands())


def _programs() -> list[str]:
    """Modules that can be started."""
    tracked = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    started = [path for path in tracked if '\nif __name__ == "__main__":' in _source(path)]
    return [path.removesuffix(".py").removesuffix("/__main__").replace("/", ".") for path in started]


def _source(path: str) -> str:
    file = ROOT / path
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _has(help_text: str, option: str) -> bool:
    return re.search(rf"{option}(?![\w-])", help_text) is not None


@cache
def _helps(module: str) -> str:
    """The help of a program and of its commands."""
    if module in INTERNAL:
        return ""
    if module == "tools":
        return _help(module) + "".join(_help(module, tool) for tool in TOOL_COMMANDS)
    if module == "evaluation":
        return _help(module) + "".join(map(_measurement_help, COMMANDS))
    return _help(module)


def _measurement_help(command: Command) -> str:
    parser = argparse.ArgumentParser()
    loaded(command).configure(parser)
    return parser.format_help()


@cache
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


# -- what else stands in them ----------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_python_and_json_in_documents_can_be_read(document: Path) -> None:
    for block in _FENCED.finditer(document.read_text(encoding="utf-8")):
        if block["language"] == "python":
            compile(block["text"], str(document), "exec", flags=PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if block["language"] == "json":
            json.loads(block["text"])


def test_the_configuration_for_clients_of_mcp_starts_the_server_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").touch()
    blocks = _FENCED.findall((DOCS / "mcp.md").read_text(encoding="utf-8"))
    (settings,) = (json.loads(text) for language, text in blocks if language == "json")
    arguments = settings["mcpServers"]["ask262"]["args"]
    done = subprocess.run(
        [sys.executable, *arguments, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "python -m tools.mcp_server" in done.stdout, done.stderr


def test_every_setting_that_a_document_names_exists() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"ASK262_[A-Z0-9_]+", document.read_text("utf-8"))
    }
    assert named - known == set()


def test_every_command_of_a_conversation_that_a_document_names_exists() -> None:
    spans = [span for document in DOCUMENTS for span in _QUOTED.findall(document.read_text(encoding="utf-8"))]
    named = {span.split()[0] for span in spans if re.fullmatch(r"/[a-z]+( .*)?", span)}
    assert "/why" in named
    assert named - set(SPOKEN) == set()


def test_every_file_of_the_store_stands_on_its_page() -> None:
    from agent import model_cache
    from agent.talk import loop
    from setup import writing
    from storage import lance, lock, vector_cache

    names = [module.FILE_NAME for module in (lock, vector_cache, writing)]
    names += [f"{lance.FOLDER}/", loop.HISTORY, model_cache.FILE]
    page = (DOCS / "store.md").read_text(encoding="utf-8")
    assert [name for name in names if f"\n| `{name}` |" not in page] == []


def test_files_and_names_on_the_page_about_extending_exist() -> None:
    text = (DOCS / "extending.md").read_text(encoding="utf-8")
    paths = {
        span for span in _QUOTED.findall(text) if re.fullmatch(r"[\w.]+(/[\w.]+)*/?", span) and "/" in span
    }
    assert {path for path in paths if not (ROOT / path).exists()} == set()
    defined = re.findall(r"`(\w+)`(?:\s+protocol)?\s+in\s+`([\w/]+\.py)`", text)
    assert len(defined) > 10
    assert [pair for pair in defined if not re.search(rf"\b{pair[0]}\b", _source(pair[1]))] == []
