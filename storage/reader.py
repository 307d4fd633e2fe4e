"""Reads one edition of the store. Creates nothing and changes nothing: a question never makes an empty store.

A reader reads one build from its opening to its end. A switch does not reach it, and its tables are kept as
long as it is there (`storage.lease`), so no two of its results come from two builds.

Results do not depend on the order in which rows were written: whatever ties is fetched before the cut is
made, and ties are broken by unit id.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from storage import catalog
from storage.errors import StoreError
from storage.filters import Filter, Where, equals, every, matching, one_of
from storage.lance import connect
from storage.model import EditionRecord, Kind, Level, Page, Unit
from storage.name_table import StoredNames
from storage.reading import Candidate, GeneratedTexts, Place
from storage.schema import (
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
from storage.tables import BuildTables, Row, open_build

BOOSTS = {"head": 1.0, "body": 1.0, "idents": 0.7}
"""What a match in each column counts for; a part of an identifier is a weaker sign than a word.

The columns' scores are added. Lance's own query over several columns takes the best one instead, and
a title alone then outranks a section that answers: hit@10 of `real-dev` over es2026 was .40, added it is .54.
"""

CHUNK_IDS = 500
"""Ids in one filter: a longer list is parsed more slowly than two short ones are run."""

MARGIN = 16
"""Rows fetched beyond the limit at first, so that most ties at the cut are seen without a second search."""

WINDOWS_OF_A_UNIT = 3
"""Windows asked for each unit wanted: near ones are often of one unit, and asking twice costs twice."""

UNITS_KEPT = 5_000
"""Units that a reader keeps, some 15 MB: a server that runs for weeks must not come to hold all."""

MAX_QUERY_CHARACTERS = 2_000
"""What is searched for of a longer query: nobody asks more, and every further word costs time."""


class LanceReader:
    """One edition; see `storage.reading.Reader`."""

    def __init__(self, tables: BuildTables) -> None:
        self._tables = tables
        self._pages: dict[str, Page] = {}
        self._units: dict[str, Unit] = {}

    @property
    def record(self) -> EditionRecord:
        """What the edition was made of."""
        return self._tables.record

    def unit(self, unitid: str, /) -> Unit | None:
        """The unit, or None."""
        return next(iter(self.units([unitid])), None)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The units in the order of `ids`, each as often as it is asked for; missing ones are left out.

        The last ones are kept: the build does not change under a reader, and a search reads the same again.
        """
        # Taken out first: another thread may let go what was there a moment ago.
        held = {one: unit for one in dict.fromkeys(ids) if (unit := self._units.get(one)) is not None}
        wanted = [one for one in dict.fromkeys(ids) if one not in held]
        for at in range(0, len(wanted), CHUNK_IDS):
            found = self._units_where(one_of("unitid", wanted[at : at + CHUNK_IDS]))
            held |= {unit.unitid: unit for unit in found}
        self._keep(held)
        return [held[unitid] for unitid in ids if unitid in held]

    def _keep(self, units: Mapping[str, Unit]) -> None:
        self._units.update(units)
        for oldest in list(self._units)[: max(0, len(self._units) - UNITS_KEPT)]:
            self._units.pop(oldest, None)

    def children(self, sectionid: str, /) -> list[Unit]:
        """The immediate sections and pieces of a section, piece or page, in document order."""
        below = one_of("level", [Level.SECTION.value, Level.PIECE.value])
        return self._units_where(every(equals("parentsectionid", sectionid), below))

    def blocks(self, sectionid: str, /) -> list[Unit]:
        """The blocks of a section's, piece's or page's own text, in document order."""
        return self._units_where(every(equals("sectionid", sectionid), equals("level", Level.BLOCK.value)))

    def matching(self, where: Where, /) -> list[Unit]:
        """Every unit that a condition matches, in document order; all of them for an empty one."""
        return self._units_where(matching(where))

    def page(self, source: str, /) -> Page:
        """The page of a source file, kept once read. StoreError for a source that the edition lacks."""
        if source not in self._pages:
            rows = self._tables.select(PAGES, equals("source", source))
            if not rows:
                raise StoreError(f"edition {self.record.edition} has no page {source!r}")
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
        # Not a lambda over self: a cycle would keep the build held until the next garbage collection.
        return StoredNames(functools.partial(self._tables.select, NAMES))

    def count(self, level: Level, /) -> int:
        """How many units of a level there are."""
        return self.record.counts[level.value]

    def referrers(self) -> Mapping[str, int]:
        """How many sections and pieces refer to each section; 0 is left out. Counted once."""
        return self._referrers

    @functools.cached_property
    def _referrers(self) -> Mapping[str, int]:
        told = one_of("level", [Level.SECTION.value, Level.PIECE.value])
        rows = self._tables.select(UNITS, told, ["references"])
        return Counter(target for row in rows for target in row["references"])

    def outline(self) -> Mapping[str, Place]:
        """What each section is, by id. Read once, and no text with it."""
        return self._outline

    @functools.cached_property
    def _outline(self) -> Mapping[str, Place]:
        columns = ["unitid", "title", "parentsectionid", "segments", "normative"]
        rows = self._tables.select(UNITS, equals("level", Level.SECTION.value), columns)
        parents = {row["parentsectionid"] for row in rows}
        return {row["unitid"]: _place(row, childless=row["unitid"] not in parents) for row in rows}

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
            rows = self._tables.ranked(UNITS, _text_query(text), "fts", condition, count, score="_score")
            return [candidate(row, row["_score"]) for row in rows]

        return best(search, limit=limit)

    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Where | None = None
    ) -> list[Candidate]:
        """The units nearest to a vector, each with its best window; the score is the cosine."""
        condition = matching(where)

        def search(count: int) -> list[Candidate]:
            rows = self._tables.ranked(WINDOWS, list(vector), "vector", condition, count, score="_distance")
            return [candidate(row, 1.0 - row["_distance"]) for row in rows]

        return best(search, limit=limit, rows=WINDOWS_OF_A_UNIT * limit) if limit > 0 else []

    @property
    def generated(self) -> GeneratedTexts:
        """The texts that were generated for the edition, for searching."""
        from storage.generated_reader import GeneratedReader

        return GeneratedReader(self._tables)

    def _units_where(self, condition: Filter | None) -> list[Unit]:
        units = [unit_of(row) for row in self._tables.select(UNITS, condition, list(UNIT_COLUMNS))]
        return sorted(units, key=lambda unit: (unit.source, unit.start, unit.end, unit.unitid))


def open_reader(settings: Settings, edition: str | None = None) -> LanceReader:
    """A reader of the edition that `edition` or the settings name; of the newest without either.

    Raises NoStoreError where nothing was ingested, UnknownEditionError for an edition that is not there,
    StoreError for a store that is damaged or of another schema.
    """
    storage_dir = settings.storage_dir
    if not catalog.exists(storage_dir):
        catalog.find_edition(catalog.EMPTY, edition, default=settings.edition, storage_dir=storage_dir)
    database = connect(storage_dir)
    held = catalog.read_catalog(storage_dir, database)
    while True:
        record = catalog.find_edition(held, edition, default=settings.edition, storage_dir=storage_dir)
        tables = open_build(storage_dir, database, record)
        # Once more, now that the build is held: a writer may have dropped it between the first look and that.
        before, held = held, catalog.read_catalog(storage_dir, database)
        if isinstance(tables, BuildTables) and held.tables.issuperset(record.tables.values()):
            return LanceReader(tables)
        if isinstance(tables, StoreError) and held == before:
            raise tables


def best(
    search: Callable[[int], Sequence[Candidate]], *, limit: int, rows: int | None = None
) -> list[Candidate]:
    """The `limit` best units, each once with its best candidate, ties by unit id.

    `search(count)` gives the best `count` candidates. It is asked for more until the cut falls between two
    scores or nothing is left: which of several equal rows a store gives first is chance. `rows` is how many
    are likely to hold as many units.
    """
    count = (limit if rows is None else rows) + MARGIN
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


def candidate(row: Row, score: float) -> Candidate:
    """The unit that a row of a search names."""
    return Candidate(
        unitid=row["unitid"],
        clauseid=row["clauseid"],
        level=Level(row["level"]),
        kind=Kind(row["kind"]),
        start=row["start"],
        end=row["end"],
        score=score,
    )


def _place(row: Row, *, childless: bool) -> Place:
    edges = row["segments"]
    return Place(
        title=row["title"],
        parent=row["parentsectionid"],
        characters=sum(edges[1::2]) - sum(edges[::2]),
        normative=row["normative"],
        childless=childless,
    )


def _text_query(text: str) -> Any:
    from lancedb.query import BooleanQuery, MatchQuery, Occur

    # By dictionary, since LanceDB's types ask for the arguments that have defaults too.
    options: list[dict[str, Any]] = [
        {"query": text, "column": column, "boost": BOOSTS[column]} for column in TEXT_COLUMNS
    ]
    return BooleanQuery([(Occur.SHOULD, MatchQuery(**option)) for option in options])
