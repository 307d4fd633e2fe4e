"""What the settings of full-text search find: stop words, stemming, identifier parts, columns.

Each row is a table of its own in a temporary folder, over the same units.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.measures import measured
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Study, Table, mean
from storage.model import Level, Unit
from storage.reader import BOOSTS
from storage.schema import FULL_TEXT, unit_row
from storage.trial import TrialTable, trial_table

WIDE, NARROW = (Level.SECTION, Level.PIECE), (Level.BLOCK,)
DEPTH, BLOCKS = 100, 4
WORDS = ("this", "if", "for in", "not", "ToPropertyKey", "property key", "[[Get]]", "%Array.prototype%")
"""Queries that JavaScript is made of; each must find something."""
LIBRARY_DEFAULTS = {"remove_stop_words": True, "max_token_length": 40}


@dataclass(frozen=True, slots=True)
class Variant:
    """Settings of an index, and what each column counts for."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    boosts: Mapping[str, float] = field(default_factory=lambda: BOOSTS)


WHOLE = "whole"
"""A column of heading path, number and text together."""

VARIANTS = (
    Variant("as in the store"),
    Variant("stop words removed", {"remove_stop_words": True}),
    Variant("no stemming", {"stem": False}),
    Variant("words of 40 characters at most", {"max_token_length": 40}),
    Variant("the library's defaults", LIBRARY_DEFAULTS),
    Variant("no identifier parts", {}, {"head": BOOSTS["head"], "body": BOOSTS["body"]}),
    Variant("text alone", {}, {"body": 1.0}),
    Variant("path and text in one column", {}, {WHOLE: 1.0}),
    Variant("one column and identifier parts", {}, {WHOLE: 1.0, "idents": BOOSTS["idents"]}),
    Variant("as in the store and one column", {}, {**BOOSTS, WHOLE: 1.0}),
)


def rows(setting: Setting) -> Iterator[tuple[Unit, dict[str, str]]]:
    """The columns of each unit that is searched by words."""
    for unit in setting.corpus.level(*WIDE, *NARROW):
        row = unit_row(unit, setting.corpus.pages[unit.source].text)
        yield (
            unit,
            {
                **{column: row[column] for column in BOOSTS},
                WHOLE: f"{unit.titlepath} {unit.secnum}\n{row['body']}",
            },
        )


def measure(setting: Setting) -> Findings:
    """One table over questions, one over words."""
    found: list[list[Cell]] = []
    words: list[list[Cell]] = []
    built: dict[str, TrialTable] = {}
    with tempfile.TemporaryDirectory(prefix="ask262-trial-") as folder:
        for variant in VARIANTS:
            key = repr(sorted(variant.options.items()))
            if key not in built:
                where = Path(folder) / str(len(built))
                where.mkdir()
                built[key] = trial_table(where, rows(setting), {**FULL_TEXT, **variant.options})
            found.append([variant.name, *_row(setting, built[key], variant)])
            counts = [built[key].search(w, variant.boosts, limit=100, levels=WIDE) for w in WORDS]
            words.append([variant.name, *(float(len(held)) for held in counts)])
    names = [f"{name}, {part}" for name in setting.datasets for part in ("hit@10", "MRR")]
    targets = [f"target, {stratum}" for stratum in setting.strata]
    title = "Sections by words alone, and targets among the first four blocks"
    return Findings(
        [
            Table(title, ["settings", *names, *targets], found),
            Table("Sections found for a word, of 100 asked for", ["settings", *map(_code, WORDS)], words),
        ]
    )


def _code(word: str) -> str:
    return f"`{word}`"


def _row(setting: Setting, table: TrialTable, variant: Variant) -> list[Cell]:
    out: list[Cell] = []
    for asked in setting.datasets.values():
        values = []
        for one in asked:
            hits = table.search(one.query, variant.boosts, limit=DEPTH, levels=WIDE)
            sections = list(dict.fromkeys(hit.clauseid for hit in hits))
            values.append(measured(sections, one.question.gold, one.question.also_ok))
        out += [mean([one[name] for one in values]) for name in ("hit@10", "mrr")]
    for questions in setting.strata.values():
        hits_of = [
            table.search(one.query, variant.boosts, limit=BLOCKS, levels=NARROW)
            for one in questions[: setting.each // 3]
        ]
        out.append(
            mean(
                [
                    float(any(hit.unitid == one.target.unitid for hit in hits))
                    for one, hits in zip(questions, hits_of, strict=False)
                ]
            )
        )
    return out


STUDY = Study("full_text", measure)
