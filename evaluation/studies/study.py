"""The shape of a study and of what it finds: tables and plots as plain values.

A study's words stand in `words.toml` beside the programs; its figures are computed, stored and shown.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from evaluation.bootstrap import difference, interval
from evaluation.studies.setting import Setting

Cell = str | float | dict[str, float]
"""Words, a number, or a mean with its interval: `value`, `low`, `high`."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def data(self) -> dict[str, Any]:
        """As it is stored."""
        return {"title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True, slots=True)
class Plot:
    """Values of several series at the same places: joined as lines, or as dots with a row a place."""

    title: str
    x: str
    y: str
    places: Sequence[str]
    series: Mapping[str, Sequence[float]]
    kind: Literal["lines", "dots"] = "lines"

    def data(self) -> dict[str, Any]:
        """As it is stored."""
        return {
            "title": self.title,
            "kind": self.kind,
            "x": self.x,
            "y": self.y,
            "places": list(self.places),
            "series": {name: list(values) for name, values in self.series.items()},
        }


@dataclass(frozen=True, slots=True)
class Findings:
    """What a study computed."""

    tables: Sequence[Table]
    plots: Sequence[Plot] = field(default=())

    def data(self) -> dict[str, Any]:
        """As it is stored."""
        return {
            "tables": [table.data() for table in self.tables],
            "plots": [plot.data() for plot in self.plots],
        }


@dataclass(frozen=True, slots=True)
class Study:
    """A measurement by name; its words are under that name in `words.toml`."""

    name: str
    measure: Callable[[Setting], Findings]


@dataclass(frozen=True, slots=True)
class Words:
    """What a study asks, how it was set up, what we make of it, and what would change our mind."""

    title: str
    question: str
    setup: str
    conclusion: str
    change: str


def words(name: str) -> Words:
    """The words of a study."""
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    told = tomllib.loads(text)[name]
    return Words(**{key: " ".join(told[key].split()) for key in told})


def mean(values: Sequence[float]) -> Cell:
    """A mean with its interval; a dash where there is nothing to average."""
    if not values:
        return "-"
    low, high = interval(values)
    return {"value": sum(values) / len(values), "low": low, "high": high}


def gap(ours: Sequence[float], theirs: Sequence[float]) -> Cell:
    """The mean difference of two columns over the same questions, with its interval."""
    value, low, high = difference(ours, theirs)
    return {"value": value, "low": low, "high": high, "signed": 1.0}


def value(cell: Cell) -> float:
    """The number of a cell."""
    return cell["value"] if isinstance(cell, dict) else float(cell)
