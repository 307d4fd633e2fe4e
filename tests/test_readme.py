"""What the README says is true: its first commands, its figures, and the answer that it shows."""

import html
import json
import re
from typing import Any

from storage.settings import ROOT
from tests.spec import SHARED, needs_spec

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
ANSWER, REFUSAL = (text for language, text in BLOCKS if language == "text")
_LABEL = re.compile(r"^\s*(?:\d+|[a-z]+)\. ")


def test_the_first_two_commands_of_the_readme_are_the_ones_that_a_newcomer_types() -> None:
    shown = [text.strip() for language, text in BLOCKS if not language]
    first, second = shown[:2]
    assert first == (
        'pip install uv && uv run ask262 --sample "What does Count::divide do when the divisor is 0?"'
    )
    assert re.fullmatch(r"pip install uv && uv run (?:--group \w+ )?python -m tests", second)
    assert f"\n{second.removeprefix('pip install uv && ')}\n" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_figures_in_the_readme_are_those_of_the_stored_results() -> None:
    readme = " ".join(README.split())
    people, together = _figures("answers-offline", "real-dev"), _figures("answers-offline", "together")
    test262 = _figures("answers-offline-test262-dev", "test262-dev")
    low, high = (round(100 * bound) for bound in people["intervals"]["gold_cited"])
    under, over = (round(100 * bound) for bound in test262["intervals"]["gold_cited"])
    assert (
        f"Of {people['answerable']} questions that people asked it cites a section that answers in "
        f"{100 * people['metrics']['gold_cited']:.1f} % (95 % interval {low} to {high}) and quotes "
        f"{100 * people['metrics']['quoted']:.0f} % of the decisive words."
    ) in readme
    assert (
        f"Of {together['questions'] - together['answerable']} that the specification does not answer it "
        f"refuses {100 * together['metrics']['refusal_recall']:.0f} %."
    ) in readme
    assert (
        f"of {test262['questions']} sentences from test262 it is "
        f"{100 * test262['metrics']['gold_cited']:.0f} % ({under} to {over})."
    ) in readme


def test_figures_of_names_and_words_in_the_readme_are_those_of_the_measurements() -> None:
    readme = " ".join(README.split())
    printed = json.loads((DOCS / "results" / "lookup.json").read_text(encoding="utf-8"))["printed"]
    written, _, slipped = re.findall(r"^all +([\d,]+) +[\d,]+ +([\d.]+)%", printed, re.MULTILINE)
    assert f"Of {written[0]} names of ES2026 {written[1]} % lead to their section" in readme
    assert f"{slipped[1]} % of {slipped[0]}" in readme
    words = re.search(
        r"^\| visible words \| ([\d,]+) ", (DOCS / "proofs.md").read_text("utf-8"), re.MULTILINE
    )
    assert words is not None
    assert f"Of the {words[1]} visible words of ES2026's HTML none is missing" in readme


def test_the_answer_in_the_readme_numbers_its_citations_and_says_of_each_what_became_of_it() -> None:
    told = re.findall(r"^\[(\d+)\] ✓ verified: .+ \(es2026\), sec-[\w.%-]+$", ANSWER, re.MULTILINE)
    text = ANSWER.partition("\n\n[1] ")[0]
    assert told == re.findall(r"\[(\d+)\]", text)
    assert REFUSAL.startswith("Refused: ")


@needs_spec
def test_the_answer_in_the_readme_quotes_the_real_specification() -> None:
    pages = (SHARED / "spec" / "es2026").glob("*.html")
    words = "".join(html.unescape(re.sub(r"<[^>]+>", "", page.read_text("utf-8"))) for page in pages)
    stands = "".join(words.split())
    quoted = [
        _LABEL.sub("", line)
        for text in re.findall(r"“(.+?)”", ANSWER, re.DOTALL)
        for line in text.splitlines()
    ]
    assert len(quoted) > 3
    assert [line for line in quoted if "".join(line.split()) not in stands] == []


def _figures(result: str, dataset: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = json.loads(
        (DOCS / "results" / f"{result}.json").read_text(encoding="utf-8")
    )["rows"]
    return next(
        row for row in rows if (row["dataset"], row["arm"], row["group"]) == (dataset, "agent", "all")
    )
