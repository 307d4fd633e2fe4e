"""The proofs as a program: several sources in one command, for people and for programs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from setup.completeness import compare
from setup.ingest import main
from setup.proofs import Proof, data, lines, prove
from setup.sources import Source, source_file
from storage.model import BreakdownRules
from tests.test_setup.helpers import Silent

HTML = (
    '<!DOCTYPE html><title>T</title><div id="spec-container">'
    '<emu-clause id="sec-a"><h1>1 A</h1>{}</emu-clause></div>'
)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two small specifications; no settings of the user's."""
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        (tmp_path / f"{name}.html").write_text(HTML.format(f"<p>The {name} text.</p>"), encoding="utf-8")
    return [str(tmp_path / "first.html"), str(tmp_path / "second.html")]


def proof(body: str) -> Proof:
    source = Source("a test", "test", (source_file("a.html", HTML.format(body).encode()),))
    return prove(source, edition=None, rules=BreakdownRules(), progress=Silent())


def test_several_sources_are_proven_in_one_command(
    sources: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*sources, "--check"]) == 0
    told = capsys.readouterr().out
    assert told.count("all six proofs hold") == 2
    assert "first: all six proofs hold" in told
    assert told.count("6. every visible word of the HTML is in the text, in order: holds (6 examined)") == 2


def test_the_report_of_a_check_is_for_programs_too(
    sources: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*sources, "--check", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is True
    assert [edition["source"] for edition in report["editions"]] == ["first", "second"]
    for edition in report["editions"]:
        assert [check["check"] for check in edition["checks"]] == [1, 2, 3, 4, 5, 6]
        assert all(check["findings"] == [] for check in edition["checks"])
        assert edition["words"]["visible"] == edition["words"]["in_order"] == 6


def test_several_sources_are_for_checking_only(
    sources: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(sources) == 1
    assert main([*sources, "--check", "--edition", "one"]) == 1
    assert capsys.readouterr().err.count("one SOURCE at a time, or several with --check") == 2


def test_a_source_that_cannot_be_read_stops_the_check_before_any_is_proven(
    sources: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*sources, "nowhere.html", "--check"]) == 1
    told = capsys.readouterr()
    assert "nowhere.html" in told.err
    assert told.out == ""


def test_a_lost_word_is_told_where_it_stood_and_fails() -> None:
    sound = proof("<p>All of it.</p>")
    assert sound.passed
    broken = replace(sound, words=compare([(HTML.format("<p>All of it.</p>"), "1 A\n\nAll it.")]))
    assert not broken.passed
    assert data([sound, broken])["passed"] is False
    assert data([broken])["editions"][0]["words"]["missing"] == {"div > emu-clause > p": 1}
    told = lines(broken)
    assert told[0].endswith("NOT proven")
    assert "     word: 'of' in '1 A All of it .' (div > emu-clause > p)" in told
