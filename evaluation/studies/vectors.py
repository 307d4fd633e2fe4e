"""Windows or sections for vectors: how a section is scored from the vectors of its windows.

The windows' vectors are read from the store once; every row ranks the same sections for the same queries.
"""

from collections.abc import Callable, Mapping
from typing import Any

from evaluation.measures import measured
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Study, Table, gap, mean
from storage.inspection import opened
from storage.schema import WINDOWS

DEPTH = 10


class Windows:
    """The vectors of an edition, and the section that each stands for."""

    def __init__(self, setting: Setting) -> None:
        import numpy as np

        tables = opened(setting.settings.storage_dir, setting.reader.record)
        found = tables.columns(WINDOWS, ["clauseid", "unitid", "start", "end", "vector"])
        self.vectors = np.asarray(found["vector"].combine_chunks().flatten()).reshape(len(found), -1)
        clauses, starts = found["clauseid"].to_pylist(), found["start"].to_pylist()
        lengths = [end - start for start, end in zip(starts, found["end"].to_pylist(), strict=True)]
        self.sections = sorted(set(clauses))
        place = {one: number for number, one in enumerate(self.sections)}
        self.owner = np.asarray([place[one] for one in clauses])
        self.lengths = np.asarray(lengths, dtype=np.float64)
        self.starts = np.asarray(starts)

    def pooled(self, weights: Any) -> Any:
        """A vector a section: the weighted mean of its windows', of length one."""
        import numpy as np

        out = np.zeros((len(self.sections), self.vectors.shape[1]))
        np.add.at(out, self.owner, self.vectors * weights[:, None])
        return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)

    def best(self, query: Any) -> Any:
        """Each section's best window."""
        import numpy as np

        out = np.full(len(self.sections), -1.0)
        np.maximum.at(out, self.owner, self.vectors @ query)
        return out

    def first(self) -> Any:
        """1 for the window that comes first in its section, 0 for the others."""
        import numpy as np

        first = np.full(len(self.sections), np.iinfo(np.int64).max)
        np.minimum.at(first, self.owner, self.starts)
        return (self.starts == first[self.owner]).astype(np.float64)


def scorers(windows: Windows) -> Mapping[str, Callable[[Any], Any]]:
    """A score for every section, by name."""
    import numpy as np

    first = windows.pooled(windows.first())
    even = windows.pooled(np.ones(len(windows.owner)))
    long = windows.pooled(np.maximum(1.0, windows.lengths))
    return {
        "best window": windows.best,
        "first window only": lambda query: first @ query,
        "mean of the windows": lambda query: even @ query,
        "mean weighted by length": lambda query: long @ query,
        "best window + mean": lambda query: windows.best(query) + even @ query,
    }


def measure(setting: Setting) -> Findings:
    """Each way's measures, and its difference from the best window."""
    import numpy as np

    windows = Windows(setting)
    columns: dict[tuple[str, str, str], list[float]] = {}
    ways = scorers(windows)
    for dataset, asked in setting.datasets.items():
        for one in asked:
            query = np.asarray(setting.embedder.embed_query(one.query))
            for name, score in ways.items():
                order = np.argsort(-score(query), kind="stable")[:DEPTH]
                ranked = [windows.sections[int(place)] for place in order]
                values = measured(ranked, one.question.gold, one.question.also_ok)
                for part in ("hit@10", "mrr"):
                    columns.setdefault((dataset, part, name), []).append(values[part])
    parts = [(dataset, part) for dataset in setting.datasets for part in ("hit@10", "mrr")]
    head = ["a section is scored by", *(f"{dataset}, {part}" for dataset, part in parts)]
    first = next(iter(ways))
    rows: list[list[Cell]] = [[name, *(mean(columns[(*part, name)]) for part in parts)] for name in ways]
    gaps: list[list[Cell]] = [
        [name, *(gap(columns[(*part, name)], columns[(*part, first)]) for part in parts)]
        for name in list(ways)[1:]
    ]
    return Findings(
        [
            Table("Vectors alone", head, rows),
            Table(f"Difference from the {first}, paired", head, gaps),
        ]
    )


STUDY = Study("vectors", measure)
