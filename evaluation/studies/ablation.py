"""What each ingredient of the default search gives: all of it, then without one at a time.

Everything about a question is gathered once; without an ingredient only the sums are made anew. Columns of
full text are left out, and one is added, by searching a table of our own that has them all.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluation.fit import Sections
from evaluation.measures import measured
from evaluation.studies.full_text import WHOLE
from evaluation.studies.full_text import rows as text_rows
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Plot, Study, Table, gap, mean, value
from storage.model import Level
from storage.reader import BOOSTS
from storage.reading import Candidate
from storage.schema import FULL_TEXT
from storage.trial import TrialTable, trial_table
from tools.fusion import best_first
from tools.gathering import Gathered, gather
from tools.ranking import weighted
from tools.weights import WEIGHTS, Weights

ALL = "everything"
PARTS = ("hit@10", "recall@10", "mrr")


@dataclass(frozen=True, slots=True)
class Without:
    """Ingredients that are left out: weights set to 0."""

    name: str
    weights: tuple[str, ...]


INGREDIENTS = (
    Without("without exact look-up", ("pointed", "named")),
    Without("without vectors", ("vectors",)),
    Without("without full text of sections", ("sections",)),
    Without("without full text of blocks", ("blocks",)),
    Without("without any full text", ("sections", "blocks", "glossary")),
    Without("without the glossary", ("glossary", "meant")),
    Without("without references", ("references",)),
    Without(
        "without what a section is",
        ("evaluation", "early", "pointer", "informative", "short", "aside"),
    ),
)
COLUMNS: Mapping[str, Mapping[str, float]] = {
    **{
        f"without {name}": {key: boost for key, boost in BOOSTS.items() if key != column}
        for name, column in {"identifier parts": "idents", "the heading column": "head"}.items()
    },
    "with a column of path and text": {**BOOSTS, WHOLE: 1.0},
}
"""Other columns of full text, and what each counts for."""


class OtherText:
    """The reader with another full-text search."""

    def __init__(self, reader: Any, table: TrialTable, boosts: Mapping[str, float]) -> None:
        self._reader, self._table, self._boosts = reader, table, boosts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def search_text(
        self, query: str, *, limit: int, where: object = None, levels: Sequence[Level] = ()
    ) -> list[Candidate]:
        """By the columns that are left."""
        assert where is None, "the study asks without filters"
        return self._table.search(query, self._boosts, limit=limit, levels=levels)


def measure(setting: Setting) -> Findings:
    """A table a file of questions: the measures, and what is lost without each ingredient."""
    told = setting.reader.matching({"level": Level.SECTION.value})
    sections = Sections(told, setting.reader.referrers(), setting.reader.outline())
    columns: dict[str, dict[str, list[list[float]]]] = {name: {} for name in setting.datasets}
    with tempfile.TemporaryDirectory(prefix="ask262-trial-") as folder:
        table = trial_table(Path(folder), text_rows(setting), FULL_TEXT)
        readers: dict[str, Any] = {ALL: setting.reader}
        for name, boosts in COLUMNS.items():
            readers[name] = OtherText(setting.reader, table, boosts)
        for dataset, asked in setting.datasets.items():
            for reader_name, reader in readers.items():
                gathered = [gather(one.query, reader, setting.embedder, where=None) for one in asked]
                tried = INGREDIENTS if reader_name == ALL else ()
                for without in (Without(reader_name, ()), *tried):
                    weights = replace(WEIGHTS, **dict.fromkeys(without.weights, 0.0))
                    ranks = [_ranked(one, sections, weights) for one in gathered]
                    values = [
                        measured(ranked, one.question.gold, one.question.also_ok)
                        for ranked, one in zip(ranks, asked, strict=True)
                    ]
                    columns[dataset][without.name] = [[one[part] for one in values] for part in PARTS]
    return _findings(columns)


def _ranked(gathered: Gathered, sections: Sections, weights: Weights) -> list[str]:
    share = {"vector": weights.vectors, "glossary": weights.glossary}
    texts = iter((weights.sections, weights.blocks))
    searches = tuple(
        replace(one, weight=share[one.how] if one.how in share else next(texts)) for one in gathered.searches
    )
    found = weighted(replace(gathered, searches=searches), sections, where=None, weights=weights)
    named = gathered.named if gathered.lookup.whole and weights.pointed else ()
    return list(dict.fromkeys([*named, *best_first(found)]))


def _findings(columns: Mapping[str, Mapping[str, list[list[float]]]]) -> Findings:
    tables, series = [], {}
    for dataset, ways in columns.items():
        rows: list[list[Cell]] = []
        for name, parts in ways.items():
            losses: list[Cell] = (
                ["-"] * len(PARTS)
                if name == ALL
                else [gap(mine, whole) for mine, whole in zip(parts, ways[ALL], strict=True)]
            )
            rows.append([name, *(value(mean(part)) for part in parts), *losses])
        head = ["", *PARTS, *(f"{part}, difference" for part in PARTS)]
        tables.append(Table(f"{dataset}: {len(next(iter(ways.values()))[0])} questions", head, rows))
        series[dataset] = [value(row[3]) for row in rows]
    places = [str(row[0]).removeprefix("without ") for row in tables[0].rows]
    return Findings(
        tables,
        [
            Plot(
                "MRR of the default search, changed in one ingredient",
                "change",
                "MRR",
                places,
                series,
                "dots",
            )
        ],
    )


STUDY = Study("ablation", measure)
