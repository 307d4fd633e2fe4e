"""A full-text table with settings of its own, for measuring what other settings would find.

Built in a folder of the caller's (a temporary one), of rows that the caller made; knows no catalog. The
editions of a store are never touched.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.filters import one_of
from storage.lance import connect
from storage.model import Level, Unit
from storage.reader import best, candidate
from storage.reading import Candidate
from storage.schema import CANDIDATE_COLUMNS

TABLE = "trial"


class TrialTable:
    """Units searched by words in columns of any name."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def search(
        self, query: str, boosts: Mapping[str, float], *, limit: int, levels: Sequence[Level]
    ) -> list[Candidate]:
        """The best units of these levels, the columns' scores added; ties by unit id."""
        from lancedb.query import BooleanQuery, MatchQuery, Occur

        if not any(map(str.isalnum, query)):
            return []
        # By dictionary, since LanceDB's types ask for the arguments that have defaults too.
        options: list[dict[str, Any]] = [
            {"query": query, "column": column, "boost": boost} for column, boost in boosts.items()
        ]
        asked = BooleanQuery([(Occur.SHOULD, MatchQuery(**option)) for option in options])
        among = one_of("level", [level.value for level in levels])

        def rows(count: int) -> list[Candidate]:
            found = self._table.search(asked, query_type="fts").where(among, prefilter=True)
            shown = found.select([*CANDIDATE_COLUMNS, "_score"]).limit(count).to_list()
            return [candidate(row, row["_score"]) for row in shown]

        return best(rows, limit=limit)


def trial_table(
    folder: Path, rows: Iterable[tuple[Unit, Mapping[str, str]]], options: Mapping[str, Any]
) -> TrialTable:
    """A table of units with the texts of each, every text column indexed with these options."""
    from lancedb.index import FTS

    held = [
        {**{column: getattr(unit, column) for column in CANDIDATE_COLUMNS}, **texts} for unit, texts in rows
    ]
    for row in held:
        row["level"], row["kind"] = row["level"].value, row["kind"].value
    table = connect(folder).create_table(TABLE, held)
    for column in set(held[0]) - set(CANDIDATE_COLUMNS):
        table.create_index(column, config=FTS(**options))
    return TrialTable(table)
