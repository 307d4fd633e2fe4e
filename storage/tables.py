"""The tables of one build, opened for reading and kept from being dropped meanwhile.

What LanceDB raises comes out as StoreError with the command that mends this edition.
"""

from pathlib import Path
from typing import Any

from storage.editions import rebuild_command
from storage.errors import StoreError
from storage.filters import Filter
from storage.lance import explained, tables_folder
from storage.lease import Lease, hold
from storage.model import EditionRecord
from storage.schema import CANDIDATE_COLUMNS, UNITS

Row = dict[str, Any]


class BuildTables:
    """Rows of one build by role. Opened with `open_build`; the build stays as long as this object does."""

    def __init__(
        self, storage_dir: Path, record: EditionRecord, tables: dict[str, Any], lease: Lease
    ) -> None:
        self.record = record
        self._storage_dir = storage_dir
        self._tables = tables
        self._lease = lease

    def select(self, role: str, condition: Filter | None, columns: list[str] | None = None) -> list[Row]:
        """Every row that the condition matches, in no order."""
        with self._explained():
            query = self._tables[role].search()
            if condition is not None:
                query = query.where(condition)
            if columns is not None:
                query = query.select(columns)
            rows: list[Row] = query.limit(max(1, self.record.counts[role])).to_list()
        return rows

    def ranked(
        self, role: str, query: Any, kind: str, condition: Filter | None, count: int, *, score: str
    ) -> list[Row]:
        """The `count` best rows of a full-text or vector search, best first, with their score."""
        with self._explained():
            search = self._tables[role].search(query, query_type=kind)
            if kind == "vector":
                search = search.distance_type("cosine")
            if condition is not None:
                # Before the ranking: a filter after it would return fewer hits than there are.
                search = search.where(condition, prefilter=True)
            rows: list[Row] = search.select([*CANDIDATE_COLUMNS, score]).limit(count).to_list()
        return rows

    def columns(self, role: str, columns: list[str]) -> Any:
        """Whole columns of a role's table, as an Arrow table."""
        with self._explained():
            return self._tables[role].search().select(columns).limit(self.record.counts[role]).to_arrow()

    def _explained(self) -> Any:
        return explained(self._storage_dir, remedy=damage_remedy(self.record))


def damage_remedy(record: EditionRecord) -> str:
    """What mends a damaged table of this edition."""
    return f"if it is damaged, rebuild it: {rebuild_command(record)}"


def build_folder(storage_dir: Path, tables: dict[str, str]) -> Path:
    """The folder that stands for a build where one is held or claimed; dropped after its other tables."""
    return tables_folder(storage_dir) / f"{tables[UNITS]}.lance"


def open_build(storage_dir: Path, database: Any, record: EditionRecord) -> BuildTables | StoreError:
    """The build's tables, held; the error to raise where they are gone or damaged.

    An error is returned, not raised: whoever opens a build asks the catalog once more, and a build that was
    dropped since the first look is none.
    """
    try:
        with explained(storage_dir, remedy=damage_remedy(record)):
            lease = hold(build_folder(storage_dir, record.tables))
            if lease is None:
                raise FileNotFoundError(f"a table of {record.edition} is missing")
            tables = {role: database.open_table(name) for role, name in record.tables.items()}
            for role, table in tables.items():
                # Of a table that lost its last version LanceDB opens the one before, with fewer rows or none.
                if table.count_rows() != record.counts[role]:
                    raise ValueError(
                        f"{table.name} has not the {record.counts[role]} rows that it was built with"
                    )
    except StoreError as error:
        return error
    return BuildTables(storage_dir, record, tables, lease)
