"""docs/json.md: every key that it names is in real output, and no key of real output is missing from it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agent.answer_schema import answer_schema
from agent.talk.keeping import save
from agent.talk.state import Conversation, Turn
from evaluation.__main__ import main as evaluate
from setup.doctor import main as examine
from setup.editions import main as editions
from setup.ingest import main as ingest
from storage.settings import ROOT, Settings
from tests.test_agent.helpers import ask_scripted
from tests.test_agent.scripted import call
from tests.test_agent.test_batch_work import QUESTIONS, batch
from tools.toolbox import Toolbox

Shape = Mapping[str, frozenset[str]]
"""Where, such as `hits[].matched[]`, and the keys that stand there; `OPEN` where they are the data's."""
OPEN: frozenset[str] = frozenset()
TOP = ""
_QUOTED = re.compile(r"`([^`]+)`")


@pytest.fixture(autouse=True)
def _store(sample_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))


@cache
def pages() -> dict[str, Shape]:
    """What the page says, by heading."""
    parts = (ROOT / "docs" / "json.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0]: dict(_rows(part)) for part in parts}


def _rows(part: str) -> Iterator[tuple[str, frozenset[str]]]:
    for at, keys in re.findall(r"^\| (the top|`.+?`) \| (.+) \|$", part, re.MULTILINE):
        # What a key is, and the value that it always has, stand behind it.
        bare = re.sub(r" \([^)]*\)|: [^;]*", "", keys)
        for place in _QUOTED.findall(at) or [TOP]:
            yield place, frozenset(_QUOTED.findall(bare))


def found(value: Any, at: str = TOP) -> Iterator[tuple[str, frozenset[str]]]:
    """Every place of a value that has keys."""
    if isinstance(value, list):
        for one in value:
            yield from found(one, f"{at}[]")
    elif isinstance(value, dict):
        yield at, frozenset(value)
        for key, one in value.items():
            yield from found(one, f"{at}.{key}" if at else key)


def differences(value: Any, page: Shape) -> list[str]:
    """Where a value and the page do not agree."""
    open_places = [place for place, keys in page.items() if keys == OPEN]
    real = [(at, keys) for at, keys in found(value) if not any(at.startswith(place) for place in open_places)]
    missing = set(page) - {at for at, _ in real} - set(open_places)
    return [f"{at}: {sorted(keys ^ page.get(at, OPEN))}" for at, keys in real if keys != page.get(at)] + [
        f"{at}: nothing there" for at in missing
    ]


def test_a_key_that_is_missing_or_too_much_is_a_difference() -> None:
    page = {TOP: frozenset({"a"}), "a[]": frozenset({"b"})}
    assert differences({"a": [{"b": 1}]}, page) == []
    assert differences({"a": [{"b": 1, "c": 1}]}, page) == ["a[]: ['c']"]
    assert differences({"a": []}, page) == ["a[]: nothing there"]
    assert differences({"a": [{"b": {"d": 1}}]}, page) == ["a[].b: ['d']"]


def test_the_page_names_the_keys_of_an_answer_as_its_schema_does() -> None:
    schema = answer_schema()
    real: dict[str, Any] = {TOP: schema["properties"]}
    for at, name in (
        ("claims[]", "Claim"),
        ("citations[]", "Citation"),
        ("citations[].differences[]", "Difference"),
        ("nearest[]", "Place"),
        ("trace[]", "Step"),
        ("cut[]", "Cut"),
    ):
        real[at] = schema["$defs"][name]["properties"]
    page = dict(pages()["Answer"])
    assert page.pop("trace[].arguments") == OPEN
    assert page == {at: frozenset(keys) for at, keys in real.items()}


def test_the_page_names_what_a_line_of_a_batch_has_besides() -> None:
    (line,) = batch().lines(QUESTIONS[:1])
    page, answer = pages()["Line of a batch"], pages()["Answer"][TOP]
    assert frozenset(line) - answer == page[TOP]
    assert frozenset(line["usage"]) == page["usage"]


def test_the_page_names_the_keys_of_a_saved_conversation(tmp_path: Path) -> None:
    answer, _ = ask_scripted(call("AnswerDraft", refusal="Not defined here."))
    turns = [Turn("What is Loam?", answer)]
    talk = Conversation(None, None, turns=turns)  # type: ignore[arg-type]  # neither is asked
    save(talk, str(tmp_path / "talk.json"))
    value = json.loads((tmp_path / "talk.json").read_text(encoding="utf-8"))
    assert frozenset(value) == pages()["Conversation"][TOP]
    assert frozenset(value["turns"][0]) == pages()["Conversation"]["turns[]"]


@pytest.mark.parametrize(
    ("heading", "ask"),
    [
        ("Search", lambda tools: tools.search_spec("ConvertReading")),
        ("Fetch", lambda tools: tools.fetch_section_chunks("sec-convertreading")),
        ("Subsections", lambda tools: tools.check_subsections("sec-types")),
    ],
)
def test_the_page_names_the_keys_of_what_a_tool_gives(
    heading: str, ask: Callable[[Toolbox], Any], sample_tools: Toolbox
) -> None:
    assert differences(json.loads(json.dumps(ask(sample_tools).data)), pages()[heading]) == []


@pytest.mark.parametrize(
    ("heading", "program", "arguments"),
    [
        ("Ingest", ingest, ["--sample", "--dry-run", "--json"]),
        ("Proofs", ingest, ["--sample", "--check", "--json"]),
        ("Editions", editions, ["--json"]),
        ("Doctor", examine, ["--json"]),
    ],
)
def test_the_page_names_the_keys_of_what_a_program_prints(
    heading: str,
    program: Callable[[list[str]], int],
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert program(arguments) == 0
    assert differences(json.loads(capsys.readouterr().out), pages()[heading]) == []


def test_the_page_names_the_keys_of_a_measured_ranking(tmp_path: Path) -> None:
    out = tmp_path / "runs.json"
    asked = ["--questions", str(ROOT / "setup" / "sample" / "questions.jsonl"), "--limit", "3"]
    strategies = ["--strategies", "flat_blocks", "back_off"]
    assert evaluate(["retrieval", *asked, *strategies, "--json", str(out)]) == 0
    assert differences(json.loads(out.read_text(encoding="utf-8")), pages()["Rankings"]) == []
