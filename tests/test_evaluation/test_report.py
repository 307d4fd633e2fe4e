"""The page on all measurements: from stored results alone, complete, and as its command writes it now."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaluation.__main__ import main
from evaluation.plots import drawn, ticks
from evaluation.report import PAGE, PARTS, page
from evaluation.report_parts import FOLDER
from evaluation.results import FOLDER as RESULTS
from evaluation.results import SCHEMA, head, read, rounded, stored, write
from evaluation.tables import markdown, plain, shown
from storage.errors import InputError


def result(name: str, **more: Any) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "name": name,
        "command": f"python -m evaluation {name}",
        "commit": "abc",
        "machine": {"system": "Linux x86_64", "processors": 2, "python": "3.11.1"},
        "date": "2026-01-02",
        "data": {"editions": [], "questions": {"file": "0123"}},
        **more,
    }


PLOT = {
    "title": "A & B",
    "kind": "lines",
    "x": "n",
    "y": "share",
    "places": ["1", "2"],
    "series": {"<one>": [0.5, 0.75], "two": [0.25, 1.0]},
}


def test_the_page_in_the_repository_is_what_its_command_writes_from_the_stored_results() -> None:
    made = page(stored(RESULTS))
    assert PAGE.read_text(encoding="utf-8") == "\n".join(made.lines) + "\n"
    kept = {
        f"{FOLDER}/{path.name}": path.read_text(encoding="utf-8") for path in (PAGE.parent / FOLDER).glob("*")
    }
    assert kept == dict(made.drawings)


def test_stored_results_name_no_machine_and_no_folder() -> None:
    for path in RESULTS.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(?:home|work|tmp|root|Users)\b", text), path.name


def test_what_was_not_measured_is_named_with_its_command() -> None:
    text = "\n".join(page({}).lines)
    for part in PARTS:
        assert f"Not measured yet: `{part.command}`" in text


def test_a_result_is_shown_with_where_it_comes_from_and_no_other_part_is_lost() -> None:
    made = page({"lookup": result("lookup", printed="all found\n"), "odd": result("odd", printed="7\n")})
    text = "\n".join(made.lines)
    assert "all found" in text
    assert "## Other results" in text
    assert "`python -m evaluation odd`, 2026-01-02, commit `abc`" in text


def test_rows_have_their_metrics_with_intervals_and_differences_their_verdict() -> None:
    row = {
        "dataset": "d",
        "strategy": "default",
        "metrics": {"mrr": 0.5, "other": 1.0},
        "intervals": {"mrr": [0.4, 0.6]},
    }
    gap = {"dataset": "d", "strategy": "default", "other": "b", "measure": "mrr"}
    differences = [{**gap, "difference": 0.1, "low": low, "high": 0.2} for low in (0.05, -0.05)]
    made = page({"retrieval-d": result("retrieval-d", rows=[row], differences=differences)})
    text = "\n".join(made.lines)
    assert "| default | 0.500 (0.40 to 0.60) |" in text
    assert text.count("| supported |") == 1


def test_answers_are_shown_with_what_they_are_worth_and_how_they_ended() -> None:
    metrics = {
        "gold_cited": 0.75,
        "quoted": 0.5,
        "refused": 0.25,
        "refusal_recall": 0.9,
        "invented": 0.0,
        "calls": 3.0,
    }
    row = {"dataset": "d", "arm": "agent", "group": "all", "questions": 4, "metrics": metrics}
    lines = page({"answers-d": result("answers-d", rows=[row])}).lines
    heads = [line for line in lines if line.startswith("| arm |")]
    assert heads == [
        "| arm | group | questions | gold_cited | quoted |",
        "| arm | group | questions | refused | refusal_recall | invented | calls |",
    ]
    assert "| agent | all | 4 | 0.750 | 0.500 |" in lines


def test_rankings_are_drawn_and_what_raised_is_told() -> None:
    metrics = {"hit@10": 0.9, "mrr": 0.5}
    rows = [{"dataset": "d", "strategy": "a", "metrics": metrics, "raised": {"ValueError: no": 2}}]
    made = page({"retrieval-d": result("retrieval-d", rows=rows)})
    assert "a raised on 2 questions, counted as nothing found: ValueError: no" in "\n".join(made.lines)
    assert list(made.drawings) == ["evaluation/retrieval-d-1.svg"]


def test_rows_of_plain_figures_are_a_table_as_they_come() -> None:
    made = page({"scale": result("scale", rows=[{"times": 1, "median": 2.5}, {"times": 10, "median": 3.5}])})
    assert "| times | median |" in made.lines
    assert "| 10 | 3.500 |" in made.lines


def test_a_study_has_its_words_its_tables_and_its_plots() -> None:
    table = {"title": "T", "columns": ["a", "b"], "rows": [["x", {"value": 0.5, "low": 0.25, "high": 0.75}]]}
    made = page({"study-vectors": result("study-vectors", tables=[table], plots=[PLOT])})
    text = "\n".join(made.lines)
    for word in ("**Question.**", "**Set-up.**", "**What we conclude.**", "**What would change it.**"):
        assert word in text
    assert "| x | 0.500 (0.25 to 0.75) |" in text
    assert list(made.drawings) == ["evaluation/study-vectors-1.svg"]


def test_the_command_writes_page_and_drawings_and_removes_what_is_stale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, out = tmp_path / "results", tmp_path / "docs" / "page.md"
    write(results / "study-vectors.json", result("study-vectors", tables=[], plots=[PLOT]))
    (out.parent / FOLDER).mkdir(parents=True)
    (out.parent / FOLDER / "study-old-1.svg").write_text("<svg/>", encoding="utf-8")
    assert main(["report", "--results", str(results), "--out", str(out)]) == 0
    assert [path.name for path in (out.parent / FOLDER).iterdir()] == ["study-vectors-1.svg"]
    assert "1 drawings" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["lines", "dots"])
def test_a_plot_is_xml_with_a_dot_for_every_value_and_its_words_escaped(kind: str) -> None:
    svg = drawn({**PLOT, "kind": kind})
    root = ElementTree.fromstring(svg)
    dots = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == 4 + 2
    assert "A &amp; B" in svg
    assert "&lt;one&gt;" in svg
    bounds = [float(number) for number in root.attrib["viewBox"].split()[2:]]
    for dot in dots:
        assert 0 <= float(dot.attrib["cx"]) <= bounds[0]
        assert 0 <= float(dot.attrib["cy"]) <= bounds[1]


@pytest.mark.parametrize("values", [[0.5], [0.0, 1.0], [0.91, 0.97], [-0.2, 0.1], [3.0, 40.0]])
def test_ticks_enclose_all_values(values: list[float]) -> None:
    marks = ticks({"one": values})
    assert marks[0] <= min(values)
    assert marks[-1] >= max(values)
    assert 2 <= len(marks) <= 50


def test_cells_are_rounded_and_columns_of_figures_stand_on_the_right() -> None:
    gap = {"value": -0.1234, "low": -0.2, "high": 0.05, "signed": 1}
    assert shown(gap) == "-0.123 (-0.20 to +0.05)"
    assert [shown(one) for one in (0.5, 1234, 2000.0, "x")] == ["0.500", "1,234", "2,000", "x"]
    assert markdown(["a|b", "n"], [["x|y", 1]])[1:] == ["| --- | ---: |", "| x\\|y | 1 |"]
    assert plain(["a", "n"], [["long", 1]]) == ["a     n", "long  1"]


def test_a_file_that_is_no_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in ("nothing", "[]", json.dumps({"schema": "other"})):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"x\.json"):
            read(path)


def test_a_head_names_command_commit_machine_date_and_data(tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text("{}", encoding="utf-8")
    made = head("n", "python -m evaluation n", questions=[questions])
    assert {"schema", "name", "command", "commit", "machine", "date", "data"} == made.keys()
    assert made["data"]["questions"].keys() == {"q"}
    assert str(tmp_path) not in json.dumps(made)
    assert rounded({"a": (0.123456, [1])}) == {"a": [0.1235, [1]]}
