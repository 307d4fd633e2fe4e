"""The pages under `docs/` that hold figures: written by a command, and as it would write them now."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evaluation.__main__ import main
from evaluation.breakdown import THRESHOLDS, composition, drawing, measure, page
from evaluation.figures import Axis, longer_than
from evaluation.proofs import page as proofs_page
from setup.proofs import Proof, data
from storage.model import BreakdownRules
from tests.spec import ROOT, edition, needs_spec, reading, words

DOCS = ROOT / "docs"
PROVEN = ("es2026", "es2025", "es2025-multipage-sample", "ecma402")


def test_a_page_says_what_each_rule_cut_and_how_large_the_rest_is() -> None:
    cuts = measure(reading("sample"), BreakdownRules(), THRESHOLDS)
    text = page(cuts, figure="figure.svg")
    assert "| section | 58 | 58 | 58 |" in text
    assert "| table | 0 | 1 | 2 |" in text
    assert "![How many sections and pieces are longer than a length, before and after](figure.svg)" in text
    assert all(made.build.report.passed for made in cuts)


def test_what_a_long_part_is_made_of_adds_up_to_its_own_text() -> None:
    (_, made) = measure(reading("sample"), BreakdownRules(), [2_000])
    for part in made.parts:
        assert composition(part, made.rules.smallest).total() == part.own_length


def test_a_drawing_is_xml_whose_lines_never_rise() -> None:
    root = ElementTree.fromstring(drawing(measure(reading("sample"), BreakdownRules(), THRESHOLDS)))
    paths = [path.attrib["d"] for path in root.iter("{http://www.w3.org/2000/svg}path")]
    assert len(paths) == 3
    for path in paths:
        points = [tuple(map(int, point)) for point in re.findall(r"(\d+),(\d+)", path)]
        assert points == sorted(points)


def test_a_line_ends_at_the_longest_value() -> None:
    axis = Axis("x", 1, 100, (1, 10, 100))
    root = ElementTree.fromstring(longer_than("t", {"a": [10, 100]}, axis, Axis("y", 1, 10, (1, 10))))
    (path,) = root.iter("{http://www.w3.org/2000/svg}path")
    assert path.attrib["d"].endswith("740,344")
    assert "<title>t</title>" in ElementTree.tostring(root, encoding="unicode").replace("ns0:", "")


def test_the_command_writes_the_page_and_its_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["breakdown", "--sample", "--out", str(tmp_path / "page.md")]) == 0
    assert "breakdown rules do to sample" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert (tmp_path / "page.svg").read_text(encoding="utf-8").startswith("<svg")
    assert capsys.readouterr().out == ""


def test_a_report_that_is_none_is_refused_with_the_command_that_makes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no.json").write_text("nothing", encoding="utf-8")
    (tmp_path / "other.json").write_text('{"schema": "other"}', encoding="utf-8")
    for name in ("missing.json", "no.json", "other.json"):
        assert main(["proofs", str(tmp_path / name)]) == 1
        assert "--check --json" in capsys.readouterr().err


def test_a_page_of_proofs_shows_each_proof_and_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = edition("sample")
    proof = Proof("sample", made.assembled.built, made.report, words("sample"))
    report = tmp_path / "report.json"
    report.write_text(json.dumps(data([proof])), encoding="utf-8")
    assert main(["proofs", str(report)]) == 0
    text = capsys.readouterr().out
    assert "All proofs hold." in text
    assert "| 1. every section is a unit, no id twice | 58 |" in text
    assert "| visible words in order | 100.0000% |" in text


@pytest.mark.spec
@needs_spec
def test_the_page_on_the_breakdown_is_what_its_command_writes_now() -> None:
    cuts = measure(reading("es2026"), BreakdownRules(), THRESHOLDS)
    assert (DOCS / "breakdown.md").read_text(encoding="utf-8") == page(cuts, figure="breakdown.svg")
    assert (DOCS / "breakdown.svg").read_text(encoding="utf-8") == drawing(cuts)


@pytest.mark.spec
@needs_spec
def test_the_page_on_the_proofs_is_what_its_command_writes_now() -> None:
    proofs = [
        Proof(name, (made := edition(name)).assembled.built, made.report, words(name)) for name in PROVEN
    ]
    assert (DOCS / "proofs.md").read_text(encoding="utf-8") == proofs_page(data(proofs))
