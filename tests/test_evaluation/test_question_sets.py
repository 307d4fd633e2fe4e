"""Our own sets of questions: their shape, and that the real specification bears them out."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from evaluation.questions import read_questions
from storage.model import Level
from storage.settings import ROOT
from tests.spec import needs_spec, units

DATA = ROOT / "evaluation" / "data"
UNANSWERABLE, FALSE = DATA / "unanswerable.jsonl", DATA / "false-premises.jsonl"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_forty_questions_without_an_answer_in_four_kinds() -> None:
    kinds = Counter(row["kind"] for row in rows("unanswerable"))
    assert kinds == {"web-node": 10, "other-language": 10, "made-up": 10, "wrong-combination": 10}
    assert all(row["gold"] == [] and row["reason"] for row in rows("unanswerable"))


def test_twenty_false_premises_each_with_the_section_and_words_that_hold() -> None:
    given = rows("false-premises")
    assert len(given) == 20
    assert all(row["gold"] and row["must_quote"] and row["reason"] for row in given)


def test_no_id_and_no_question_occurs_twice() -> None:
    given = [question for path in (UNANSWERABLE, FALSE) for question in read_questions(path)]
    assert len({one.id for one in given}) == len({one.question for one in given}) == 60


def text_of(sectionid: str) -> Iterator[str]:
    """A section with the pieces that were cut from it."""
    unit = units("es2026")[sectionid]
    yield " ".join(unit.text.split())
    for child in unit.subsections:
        if units("es2026")[child].level is Level.PIECE:
            yield from text_of(child)


@needs_spec
@pytest.mark.parametrize("row", rows("false-premises"), ids=lambda row: row["id"])
def test_what_holds_stands_in_the_section_that_is_named(row: dict[str, Any]) -> None:
    told = [text for sectionid in row["gold"] for text in text_of(sectionid)]
    assert all(any(quote in text for text in told) for quote in row["must_quote"])
    assert all(sectionid in units("es2026") for sectionid in row["also_ok"])


@needs_spec
@pytest.mark.parametrize("row", rows("unanswerable"), ids=lambda row: row["id"])
def test_the_nearest_sections_of_an_unanswerable_question_exist(row: dict[str, Any]) -> None:
    assert all(sectionid in units("es2026") for sectionid in row["also_ok"])


@needs_spec
@pytest.mark.parametrize(
    "name",
    [
        "setTimeout",
        "structuredClone",
        "queueMicrotask",
        "addEventListener",
        "localStorage",
        "TextDecoder",
        "AbortController",
        "CoerceToRational",
        "ResolveWeakBinding",
        "OrdinaryCloneObject",
        "[[Memoize]]",
        "HostScheduleGeneratorTick",
        "prototype.shuffle",
        "deepFreeze",
        "%ArrayMutationPrototype%",
        "ValidateTailRecursionDepth",
        "Map.prototype.sort",
        "Promise.prototype.forEach",
        "WeakMap.prototype.entries",
        "asFloatN",
        "getInt24",
        "String.prototype.toReversed",
        "Symbol.prototype.toJSON",
        "compareTo",
        "console",
        "ReadableStream",
        "CommonJS",
        "TypeScript",
    ],
)
def test_names_said_to_be_absent_occur_nowhere(name: str) -> None:
    assert not any(name in unit.text or name in unit.title for unit in units("es2026").values())
