"""Reads one edition of the store. Creates nothing and changes nothing: a question never makes an empty store.

Results do not depend on the order in which rows were written: whatever ties is fetched before the cut is
made, and ties are broken by unit id.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from storage import catalog
from storage.errors import StoreError
from storage.filters import Filter, Where, equals, every, matching, one_of
from storage.lance import connect, explained
from storage.model import EditionRecord, Kind, Level, Page, Unit
from storage.name_table import StoredNames
from storage.reading import Candidate
from storage.schema import (
    CANDIDATE_COLUMNS,
    NAMES,
    PAGES,
    TEXT_COLUMNS,
    UNIT_COLUMNS,
    UNITS,
    WINDOWS,
    page_of,
    unit_of,
)
from storage.settings import Settings

BOOSTS = {"head": 1.0, "body": 1.0, "idents": 0.7}
"""What a match in each column counts for; a part of an identifier is a weaker sign than a word.

The columns' scores are added. Lance's own query over several columns takes the best one instead, and
a title alone then outranks a section that answers: hit@10 of `real-dev` over es2026 was .40, added it is .54.
"""

CHUNK_IDS = 500
"""Ids in one filter: a longer list is parsed more slowly than two short ones are run."""

MARGIN = 16
"""Rows fetched beyond the limit at first, so that most ties at the cut are seen without a second search."""

MAX_QUERY_CHARACTERS = 2_000
"""What is searched for of a longer query: nobody asks more, and every further word costs time."""

Row = dict[str, Any]


class LanceReader:
    """One edition; see `storage.reading.Reader`."""

    def __init__(self, storage_dir: Path, record: EditionRecord, tables: dict[str, Any]) -> None:
        self._storage_dir = storage_dir
        self._record = record
        self._tables = tables
        self._pages: dict[str, Page] = {}

    @property
    def record(self) -> EditionRecord:
        """What the edition was made of."""
        return self._record

    def unit(self, unitid: str, /) -> Unit | None:
        """The unit, or None."""
        return next(iter(self.units([unitid])), None)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The units in the order of `ids`, each as often as it is asked for; missing ones are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Unit] = {}
        for at in range(0, len(wanted), CHUNK_IDS):
            chunk = wanted[at : at + CHUNK_IDS]
            found |= {unit.unitid: unit for unit in self._units_where(one_of("unitid", chunk))}
        return [found[unitid] for unitid in ids if unitid in found]

    def children(self, sectionid: str, /) -> list[Unit]:
        """The immediate sections and pieces of a section, piece or page, in document order."""
        below = one_of("level", [Level.SECTION.value, Level.PIECE.value])
        return self._units_where(every(equals("parentsectionid", sectionid), below))

    def blocks(self, sectionid: str, /) -> list[Unit]:
        """The blocks of a section's, piece's or page's own text, in document order."""
        return self._units_where(every(equals("sectionid", sectionid), equals("level", Level.BLOCK.value)))

    def page(self, source: str, /) -> Page:
        """The page of a source file, kept once read. StoreError for a source that the edition lacks."""
        if source not in self._pages:
            rows = self._select(PAGES, equals("source", source), None)
            if not rows:
                raise StoreError(f"edition {self._record.edition} has no page {source!r}")
            self._pages[source] = page_of(rows[0])
        return self._pages[source]

    def slice(self, source: str, start: int, end: int, /) -> str:
        """Characters `[start, end)` of a page's canonical text."""
        return self.page(source).text[start:end]

    def names(self) -> StoredNames:
        """The names of the edition; nothing is read before it is asked for."""
        return self._names

    @functools.cached_property
    def _names(self) -> StoredNames:
        return StoredNames(lambda where: self._select(NAMES, where, None))

    def count(self, level: Level, /) -> int:
        """How many units of a level there are."""
        return self._record.counts[level.value]

    def search_text(
        self, query: str, *, limit: int, where: Where | None = None, levels: Sequence[Level] | None = None
    ) -> list[Candidate]:
        """The best units for the words of a query, whatever characters it holds; [] where none matches."""
        text = query.encode("utf-8", "replace").decode()[:MAX_QUERY_CHARACTERS]
        if limit < 1 or not any(map(str.isalnum, text)):
            return []
        among = one_of("level", [str(level) for level in levels]) if levels is not None else None
        condition = every(matching(where), among)

        def search(count: int) -> list[Candidate]:
            rows = self._ranked(UNITS, _text_query(text), "fts", condition, count, score="_score")
            return [_candidate(row, row["_score"]) for row in rows]

        return best(search, limit=limit)

    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Where | None = None
    ) -> list[Candidate]:
        """The units nearest to a vector, each with its best window; the score is the cosine."""
        condition = matching(where)

        def search(count: int) -> list[Candidate]:
            rows = self._ranked(WINDOWS, list(vector), "vector", condition, count, score="_distance")
            return [_candidate(row, 1.0 - row["_distance"]) for row in rows]

        return best(search, limit=limit) if limit > 0 else []

    def _units_where(self, condition: Filter | None) -> list[Unit]:
        units = [unit_of(row) for row in self._select(UNITS, condition, list(UNIT_COLUMNS))]
        return sorted(units, key=lambda unit: (unit.source, unit.start, unit.end, unit.unitid))

    def _select(self, role: str, condition: Filter | None, columns: list[str] | None) -> list[Row]:
        query = self._tables[role].search()
        if condition is not None:
            query = query.where(condition)
        if columns is not None:
            query = query.select(columns)
        with explained(self._storage_dir):
            rows: list[Row] = query.limit(max(1, self._record.counts[role])).to_list()
        return rows

    def _ranked(
        self, role: str, query: Any, kind: str, condition: Filter | None, count: int, *, score: str
    ) -> list[Row]:
        with explained(self._storage_dir):
            search = self._tables[role].search(query, query_type=kind)
            if kind == "vector":
                search = search.distance_type("cosine")
            if condition is not None:
                # Before the ranking: a filter after it would return fewer hits than there are.
                search = search.where(condition, prefilter=True)
            rows: list[Row] = search.select([*CANDIDATE_COLUMNS, score]).limit(count).to_list()
        return rows


def open_reader(settings: Settings, edition: str | None = None) -> LanceReader:
    """A reader of the edition that `edition` or the settings name; of the newest without either.

    Raises NoStoreError where nothing was ingested, UnknownEditionError for an edition that is not there,
    StoreError for a store that is damaged or of another schema.
    """
    storage_dir = settings.storage_dir
    if not catalog.exists(storage_dir):
        catalog.find_edition(catalog.EMPTY, edition, default=settings.edition, storage_dir=storage_dir)
    database = connect(storage_dir)
    while True:
        held = catalog.read_catalog(storage_dir, database)
        record = catalog.find_edition(held, edition, default=settings.edition, storage_dir=storage_dir)
        try:
            with explained(storage_dir):
                tables = {role: database.open_table(name) for role, name in record.tables.items()}
            return LanceReader(storage_dir, record, tables)
        except StoreError:
            # A build that ended twice since the catalog was read has dropped these tables: read it again.
            if catalog.read_catalog(storage_dir, database).record(record.edition) == record:
                raise


def best(search: Callable[[int], Sequence[Candidate]], *, limit: int) -> list[Candidate]:
    """The `limit` best units, each once with its best candidate, ties by unit id.

    `search(count)` gives the best `count` candidates. It is asked for more until the cut falls between two
    scores or nothing is left: which of several equal rows a store gives first is chance.
    """
    count = limit + MARGIN
    while True:
        found = search(count)
        units = _by_unit(found)
        complete = len(found) < count
        if complete or (len(units) >= limit and found[-1].score < units[limit - 1].score):
            return units[:limit]
        count *= 4


def _by_unit(found: Iterable[Candidate]) -> list[Candidate]:
    """One candidate a unit, the best first; of equal windows the one that comes first in the page."""
    out: dict[str, Candidate] = {}
    for candidate in sorted(found, key=lambda one: (-one.score, one.unitid, one.start)):
        out.setdefault(candidate.unitid, candidate)
    return list(out.values())


def _candidate(row: Row, score: float) -> Candidate:
    return Candidate(
        unitid=row["unitid"],
        clauseid=row["clauseid"],
        level=Level(row["level"]),
        kind=Kind(row["kind"]),
        start=row["start"],
        end=row["end"],
        score=score,
    )


def _text_query(text: str) -> Any:
    from lancedb.query import BooleanQuery, MatchQuery, Occur

    # By dictionary, since LanceDB's types ask for the arguments that have defaults too.
    options: list[dict[str, Any]] = [
        {"query": text, "column": column, "boost": BOOSTS[column]} for column in TEXT_COLUMNS
    ]
    return BooleanQuery([(Occur.SHOULD, MatchQuery(**option)) for option in options])
