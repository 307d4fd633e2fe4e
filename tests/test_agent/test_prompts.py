"""Prompts and the code that fills them in cannot drift apart."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from agent.ask import limits_of, system_prompt
from agent.draft import AnswerDraft
from storage.prompts import PROMPTS, render
from tests.golden import matches_golden
from tests.test_agent.helpers import settings
from tools.mcp.jobs import JOBS, Job

ROOT = PROMPTS.parent
CODE = ("agent", "evaluation", "setup", "storage", "tools")
BY_NAME = "tools/mcp/jobs.py"
"""The one module that makes a prompt's name: from a table, which is checked below."""


@dataclass(frozen=True)
class Rendering:
    """A call `render("name", placeholder=…)`; its name is None where it is no literal."""

    where: str
    line: int
    prompt: str | None
    given: frozenset[str | None]
    """Names of the values; None stands for `**values`."""

    def __str__(self) -> str:
        return f"{self.where}:{self.line} {self.prompt}"


def renderings(source: str, where: str) -> Iterator[Rendering]:
    """The calls in a module that takes `render` from `storage.prompts`."""
    tree = ast.parse(source)
    ours = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "storage.prompts"
        for name in node.names
        if name.name == "render"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours:
            first = node.args[0]
            literal = first.value if isinstance(first, ast.Constant) else None
            given = frozenset(keyword.arg for keyword in node.keywords)
            yield Rendering(where, node.lineno, literal, given)  # type: ignore[arg-type]


ALL = [
    rendering
    for folder in CODE
    for path in sorted((ROOT / folder).rglob("*.py"))
    for rendering in renderings(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
]
LITERAL = [one for one in ALL if one.prompt is not None]


def text_of(prompt: str) -> str:
    return (PROMPTS / f"{prompt}.md").read_text(encoding="utf-8")


def placeholders(prompt: str) -> set[str]:
    """Of the whole file: in a comment they would be left out unnoticed."""
    return set(re.findall(r"\{\{(\w+)\}\}", text_of(prompt)))


@pytest.mark.parametrize("one", LITERAL, ids=str)
def test_every_call_gives_exactly_the_placeholders_of_its_prompt(one: Rendering) -> None:
    assert one.given == placeholders(str(one.prompt))


def test_a_prompt_has_a_name_that_can_be_read_off_the_code() -> None:
    assert [one.where for one in ALL if one.prompt is None] == [BY_NAME]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: str(job.name))
def test_a_job_asks_for_exactly_the_placeholders_of_its_prompt(job: Job) -> None:

    assert {"edition", *(argument for argument, _ in job.arguments)} == placeholders(f"mcp/{job.name}")


def test_every_prompt_is_rendered_and_every_rendered_one_is_there() -> None:
    there = {path.relative_to(PROMPTS).with_suffix("").as_posix() for path in PROMPTS.rglob("*.md")}
    assert there == {one.prompt for one in LITERAL} | {f"mcp/{job.name}" for job in JOBS}


def test_a_prompt_that_says_who_fills_it_in_is_right() -> None:
    rendered = {(one.prompt, one.where) for one in LITERAL} | {(f"mcp/{job.name}", BY_NAME) for job in JOBS}
    said = {
        (prompt, found[1])
        for prompt, _ in rendered
        if (found := re.search(r"Filled in by (\S+\.py)", text_of(str(prompt))))
    }
    assert said
    assert said <= rendered


def test_a_call_is_found_under_another_name_and_inside_an_expression() -> None:
    source = """
from storage.prompts import render as told
def f(x):
    return told("a", why=x) if x else [told(x, **x)]
"""
    found = [(one.prompt, one.given) for one in renderings(source, "f.py")]
    assert found == [("a", {"why"}), (None, {None})]


def test_the_rendered_system_prompt_is_the_golden_one() -> None:
    told = system_prompt("A Language", "es1", limits_of(settings()), giving=render("answer-as-call"))
    assert matches_golden("test_agent/golden/system-prompt.md", told)


def test_the_schema_of_the_answer_is_the_golden_one() -> None:
    schema = json.dumps(AnswerDraft.model_json_schema(), indent=2, ensure_ascii=False)
    assert matches_golden("test_agent/golden/answer-schema.json", schema)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="why"):
        render("answer-now")


def test_a_value_without_placeholder_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        render("answer-now", why="Time is over.", colour="green")


def test_a_value_is_not_searched_for_placeholders() -> None:
    assert "{{why}}" in render("answer-now", why="{{why}}")
