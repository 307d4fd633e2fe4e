"""Prompts and the code that fills them in cannot drift apart."""

import json
import re
from pathlib import Path

import pytest

from agent.ask import system_prompt
from agent.draft import AnswerDraft
from agent.loop import Limits
from storage.prompts import PROMPTS, render
from tests.golden import matches_golden


def test_the_rendered_system_prompt_is_the_golden_one() -> None:
    limits = Limits(calls=12, characters=40_000)
    told = system_prompt("A Language", "es1", limits, giving=render("answer-as-call"))
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


@pytest.mark.parametrize("path", sorted(PROMPTS.rglob("*.md")), ids=lambda path: path.stem)
def test_every_prompt_is_used(path: Path) -> None:
    files = [
        file for folder in ("agent", "tools", "setup") for file in (PROMPTS.parent / folder).rglob("*.py")
    ]
    name = rf'"(?:\w+/)?{path.stem}"'
    assert any(re.search(name, file.read_text(encoding="utf-8")) for file in files)
