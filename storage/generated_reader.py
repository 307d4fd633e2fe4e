"""Searches the generated texts of an edition. What it gives are units and spans, never the texts."""

from collections.abc import Sequence
from typing import Any

from storage.filters import Filter, one_of
from storage.generated import CONTEXTS, SUMMARIES, Standing, require, standing
from storage.reader import best, candidate
from storage.reading import Candidate
from storage.tables import BuildTables, Row

_STANDING_COLUMNS = ["unitid", "members", "spans", "source", "edition", "digest"]


class GeneratedReader:
    """See `storage.reading.GeneratedTexts`."""

    def __init__(self, tables: BuildTables) -> None:
        self._tables = tables

    def search_summaries(
        self, vector: Sequence[float], /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]:
        """The sections whose summaries are nearest; of all, or of those right below some summaries."""
        among = one_of("above", above) if above is not None else None
        return self._ranked(SUMMARIES, list(vector), "vector", among, limit=limit)

    def standing(self, ids: Sequence[str], /) -> list[Standing]:
        """What the summaries of these sections stand for, in the order of `ids`; missing ones left out."""
        require(SUMMARIES, self._tables.record)
        rows = self._tables.select(SUMMARIES, one_of("unitid", ids), _STANDING_COLUMNS) if ids else []
        found = {row["unitid"]: standing(row) for row in rows}
        return [found[one] for one in ids if one in found]

    def search_contexts(self, vector: Sequence[float], /, *, limit: int) -> list[Candidate]:
        """The blocks that are nearest with their context in front."""
        return self._ranked(CONTEXTS, list(vector), "vector", None, limit=limit)

    def search_context_words(self, query: str, /, *, limit: int) -> list[Candidate]:
        """The blocks that hold the words, their context counted in."""
        if not any(map(str.isalnum, query)):
            return []
        from lancedb.query import MatchQuery

        # By dictionary, since LanceDB's types ask for the arguments that have defaults too.
        asked: dict[str, Any] = {"query": query.encode("utf-8", "replace").decode(), "column": "indexed"}
        return self._ranked(CONTEXTS, MatchQuery(**asked), "fts", None, limit=limit)

    def _ranked(
        self, role: str, query: Any, kind: str, condition: Filter | None, *, limit: int
    ) -> list[Candidate]:
        require(role, self._tables.record)
        score = "_distance" if kind == "vector" else "_score"

        def search(count: int) -> list[Candidate]:
            rows = self._tables.ranked(role, query, kind, condition, count, score=score)
            return [candidate(row, _score(row, score)) for row in rows]

        return best(search, limit=limit) if limit > 0 else []


def _score(row: Row, column: str) -> float:
    value: float = row[column]
    return 1.0 - value if column == "_distance" else value
