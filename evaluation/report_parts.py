"""The parts of the report, each from stored results of one kind. Results in, Markdown and drawings out.

A result is shown by what it holds: studies have tables and plots, measurements of rankings and answers have
rows with metrics and intervals, anything else has what its command printed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.answer_measures import COSTS, COUNTS, MEASURES, REFUSALS
from evaluation.plots import drawn
from evaluation.studies.study import words
from evaluation.tables import markdown

Result = Mapping[str, Any]

RANKING = (
    "hit@1",
    "hit@10",
    "recall@10",
    "mrr",
    "ndcg@10",
    "quoted",
    "characters",
    "calls",
    "ms_median",
    "ms_p95",
)
"""Columns of a ranking, where a result has them; those of other results are shown as they come."""
ANSWERS = ((*MEASURES[:-3], "citations"), (*MEASURES[-3:], *REFUSALS, *COUNTS, *COSTS[:-1]))
"""Columns of answers, in two tables: what they are worth, and how they ended and what they took."""
DRAWN = ("hit@10", "mrr")
"""Measures of a ranking that are drawn."""
NAMES = ("strategy", "arm", "name")
"""What a row of metrics may be called by."""
FOLDER = "evaluation"
"""Drawings stand beside the page, in a folder of its name."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of Markdown, and drawings by the path that the lines name."""

    lines: Sequence[str]
    drawings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the page: which results it shows, and the command that makes them."""

    title: str
    prefix: str
    """Of the names of its results."""
    command: str
    about: str = ""

    def names(self, results: Mapping[str, Result]) -> list[str]:
        """The results that are there."""
        return [name for name in results if name == self.prefix or name.startswith(f"{self.prefix}-")]


def part(one: Part, results: Mapping[str, Result]) -> Shown:
    """A part of the page; where nothing was measured, the command that would."""
    names = one.names(results)
    lines = [f"## {one.title}", ""]
    lines += [one.about, ""] if one.about else []
    if not names:
        return Shown([*lines, f"Not measured yet: `{one.command}`", ""], {})
    drawings: dict[str, str] = {}
    for name in names:
        shown = result(name, results[name], alone=name == one.prefix)
        lines += shown.lines
        drawings |= shown.drawings
    return Shown(lines, drawings)


def result(name: str, stored: Result, *, alone: bool = False) -> Shown:
    """One result under a heading of its own, unless it is the only one of its part."""
    study = name.removeprefix("study-") if name.startswith("study-") else ""
    lines = [] if alone else [f"### {words(study).title if study else name}", ""]
    drawings: dict[str, str] = {}
    if study:
        told = words(study)
        lines += [f"**Question.** {told.question}", "", f"**Set-up.** {told.setup}", ""]
    lines += _rows(stored.get("rows", ()))
    for number, plot in enumerate([*_plots(stored.get("rows", ())), *stored.get("plots", ())], start=1):
        path = f"{FOLDER}/{name}-{number}.svg"
        drawings[path] = drawn(plot)
        lines += [f"![{plot['title']}]({path})", ""]
    lines += _differences(stored.get("differences", ()))
    for table in stored.get("tables", ()):
        lines += [f"{table['title']}:", "", *markdown(table["columns"], table["rows"]), ""]
    if "printed" in stored:
        lines += ["```text", *stored["printed"].splitlines(), "```", ""]
    if study:
        lines += [
            f"**What we conclude.** {told.conclusion}",
            "",
            f"**What would change it.** {told.change}",
            "",
        ]
    return Shown([*lines, made_by(stored), ""], drawings)


def made_by(stored: Result) -> str:
    """Where a result comes from, in one line."""
    questions = ", ".join(f"{name} `{digest}`" for name, digest in stored["data"]["questions"].items())
    editions = ", ".join(f"{one['edition']} `{one['source']}`" for one in stored["data"]["editions"])
    data = "; ".join(filter(None, (editions, questions)))
    model = f", model {stored['model']}" if stored.get("model") else ""
    return f"<sub>`{stored['command']}`, {stored['date']}, commit `{stored['commit']}`; {data}{model}</sub>"


def _rows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table a dataset: metrics across, with the interval behind where there is one. Rows without metrics
    are shown as they come."""
    if rows and "metrics" not in rows[0]:
        return [*markdown(list(rows[0]), [list(row.values()) for row in rows]), ""]
    lines: list[str] = []
    for dataset, held in _by_dataset(rows).items():
        lines += [f"{dataset}:", ""] if dataset else []
        for columns in _columns(held):
            lines += [*_metrics(held, columns), ""]
        lines += [
            f"{_name(row)} raised on {count} questions, counted as nothing found: {error}\n"
            for row in held
            for error, count in row.get("raised", {}).items()
        ]
    return lines


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The columns of each table: those of answers or of a ranking that the rows have, else all."""
    known = dict.fromkeys(name for row in rows for name in row["metrics"])
    kinds = ANSWERS if "arm" in rows[0] else (RANKING,)
    found = [[name for name in kind if name in known] for kind in kinds]
    return [columns for columns in found if columns] or [list(known)]


def _metrics(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[str]:
    marks = [key for key in (*NAMES, "form", "group", "questions") if any(key in row for row in rows)]
    cells = ([row.get(key, "") for key in marks] + [_metric(row, name) for name in columns] for row in rows)
    return markdown([*marks, *columns], list(cells))


def _plots(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rankings as dots, a row a strategy; one plot a dataset."""
    return [
        {
            "title": dataset,
            "kind": "dots",
            "x": "strategy",
            "y": "share of questions, mean reciprocal rank",
            "places": [_name(row) for row in held],
            "series": {name: [row["metrics"][name] for row in held] for name in DRAWN},
        }
        for dataset, held in _by_dataset(rows).items()
        if all(name in row.get("metrics", {}) for row in held for name in DRAWN)
    ]


def _by_dataset(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    datasets: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        datasets.setdefault(str(row.get("dataset", "")), []).append(row)
    return datasets


def _name(row: Mapping[str, Any]) -> str:
    return next((str(row[key]) for key in NAMES if key in row), "")


def _metric(row: Mapping[str, Any], name: str) -> Any:
    value = row["metrics"].get(name, "-")
    held = row.get("intervals", {}).get(name)
    return {"value": value, "low": held[0], "high": held[1]} if held and value != "-" else value


def _differences(gaps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Paired differences, those whose interval leaves out 0 marked."""
    if not gaps:
        return []
    names = next(((one, "other") for one in NAMES if one in gaps[0]), ("strategy", "other"))
    rows = [
        [
            gap.get("dataset", ""),
            gap.get("group", ""),
            f"{gap[names[0]]} - {gap[names[1]]}",
            gap["measure"],
            {"value": gap["difference"], "low": gap["low"], "high": gap["high"], "signed": 1},
            "" if gap["low"] <= 0 <= gap["high"] else "supported",
        ]
        for gap in gaps
    ]
    columns = ["questions", "group", "pair", "measure", "difference", ""]
    return ["Paired differences, 95 % intervals:", "", *markdown(columns, rows), ""]
