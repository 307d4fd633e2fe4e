"""Whether the evidence holds heading and target: every strategy on questions whose target is known."""

from collections.abc import Sequence

from evaluation.contestants import DEFAULT
from evaluation.outcome import snippets
from evaluation.studies.evidence import judged
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Plot, Study, Table, mean, value
from tools.budget import Budget
from tools.packet import Selected
from tools.search import search
from tools.strategies.table import available, run

BUDGET = Budget()
TARGETS = {"unique": 0.97, "repeated": 0.97, "bare": 0.85}
"""What we set out to reach."""


def measure(setting: Setting) -> Findings:
    """One table, a row a strategy; the default's evidence are the snippets that fit."""
    rows: list[list[Cell]] = []
    for name in (*available(setting.reader.record), DEFAULT):

        def choose(query: str, name: str = name) -> Sequence[Selected]:
            if name == DEFAULT:
                return snippets(search(query, setting.reader, setting.embedder), BUDGET)
            return run(name, query, setting.library, BUDGET).selected

        found = judged(choose, setting, real=False)
        cells = [mean(found[stratum][part]) for stratum in found for part in ("both", "heading", "target")]
        rows.append([name, *cells])
    parts = [f"{stratum}, {part}" for stratum in setting.strata for part in ("both", "heading", "target")]
    counts = ", ".join(
        f"{len(held)} {stratum}, aim {TARGETS[stratum]:.0%}" for stratum, held in setting.strata.items()
    )
    title = f"Heading and target within 4 units and 900 characters ({counts})"
    series = {
        stratum.value: [value(row[1 + 3 * place]) for row in rows]
        for place, stratum in enumerate(setting.strata)
    }
    names = [str(row[0]) for row in rows]
    return Findings(
        [Table(title, ["strategy", *parts], rows)],
        [Plot("Heading and target covered", "strategy", "share", names, series, "dots")],
    )


STUDY = Study("strata", measure)
