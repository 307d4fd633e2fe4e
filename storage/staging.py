"""Writes the tables of one build and checks them; nothing here makes a reader see them.

Tables carry the build's suffix and are filled in batches; indices come after the rows (built before, they
would cover none of them, and scores would change with `optimize`).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from storage.errors import StoreError
from storage.lance import explained, tables_folder
from storage.lease import claimed
from storage.model import EditionRecord
from storage.progress import Progress
from storage.schema import CLASS_INDICES, EXACT_INDICES, FULL_TEXT, FULL_TEXT_INDICES, UNITS

BATCH_ROWS = 5_000
"""Rows handed to LanceDB at once: tens of megabytes. Each hand-over is a fragment that indexing merges."""

Row = Mapping[str, Any]


def write_table(
    database: Any,
    name: str,
    *,
    rows: Iterable[Row],
    schema: Any,
    batch_rows: int,
    on_rows: Callable[[int], None],
) -> None:
    """A new table with the rows, in their order; `on_rows` is told how many are there."""
    import pyarrow as pa

    table = database.create_table(name, schema=schema)
    for done, batch in _batched(rows, batch_rows):
        table.add(pa.RecordBatch.from_pylist(batch, schema=schema))
        on_rows(done)


def _batched(rows: Iterable[Row], batch_rows: int) -> Iterator[tuple[int, list[Row]]]:
    batch: list[Row] = []
    done = 0
    for row in rows:
        batch.append(row)
        if len(batch) == batch_rows:
            done += len(batch)
            yield done, batch
            batch = []
    if batch:
        yield done + len(batch), batch


def index_tables(database: Any, tables: Mapping[str, str], *, progress: Progress) -> None:
    """Build the indices of every table."""
    for done, (role, name) in enumerate(tables.items(), start=1):
        index_table(database.open_table(name), role)
        progress("index", done, len(tables))


def check_tables(
    database: Any, tables: Mapping[str, str], counts: Mapping[str, int], *, progress: Progress
) -> None:
    """Raise StoreError unless every table is as it should be."""
    for done, (role, name) in enumerate(tables.items(), start=1):
        check_table(database.open_table(name), role, rows=counts[role])
        progress("check", done, len(tables))


def index_table(table: Any, role: str) -> None:
    """Every index of the role's table, then one optimisation. A table without rows has none."""
    from lancedb.index import FTS, Bitmap, BTree

    if not table.count_rows():
        return
    for column in EXACT_INDICES[role]:
        table.create_index(column, config=BTree())
    for column in CLASS_INDICES[role]:
        table.create_index(column, config=Bitmap())
    for column in FULL_TEXT_INDICES.get(role, ()):
        table.create_index(column, config=FTS(**FULL_TEXT))
    table.optimize(cleanup_older_than=timedelta(days=1))


def check_table(table: Any, role: str, *, rows: int) -> None:
    """Raise StoreError unless the table has its rows and every index covers all of them."""
    found = table.count_rows()
    if found != rows:
        raise StoreError(
            f"table {table.name} holds {found} rows instead of {rows}: run the same command again"
        )
    if not rows:
        return
    statistics = {index.columns[0]: table.index_stats(index.name) for index in table.list_indices()}
    for column in indexed_columns(role):
        covered = statistics.get(column)
        if covered is None or covered.num_unindexed_rows or covered.num_indexed_rows != rows:
            raise StoreError(
                f"the index over {column} of table {table.name} does not cover its {rows} rows: "
                "run the same command again"
            )


def indexed_columns(role: str) -> tuple[str, ...]:
    """Every column of the role's table that has an index."""
    return (*EXACT_INDICES[role], *CLASS_INDICES[role], *FULL_TEXT_INDICES.get(role, ()))


def seal(storage_dir: Path, name: str) -> str:
    """SHA-256 over the names and bytes of a table's files."""
    folder = tables_folder(storage_dir) / f"{name}.lance"
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        total.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()


def unsealed(storage_dir: Path, record: EditionRecord) -> list[str]:
    """The tables of a build that are not as they were written, or cannot be read.

    By their files, since LanceDB finds a torn index only when a query happens to need the torn part.
    """
    return [
        name for role, name in record.tables.items() if not _holds(storage_dir, name, record.seals.get(role))
    ]


def _holds(storage_dir: Path, name: str, sealed: str | None) -> bool:
    try:
        return seal(storage_dir, name) == sealed
    except OSError:
        return False


def drop_tables(database: Any, storage_dir: Path, *, keep: frozenset[str]) -> list[str]:
    """Drop every table that the catalog does not name: older builds, and what a dead build left behind.

    A build that somebody reads stays until the next time. Gives the names of the tables that were dropped.
    """
    dropped: list[str] = []
    with explained(storage_dir):
        for tables in unused_builds(database, keep=keep):
            with claimed(tables_folder(storage_dir) / f"{tables[-1]}.lance") as free:
                for name in tables if free else ():
                    database.drop_table(name)
                    dropped.append(name)
    return dropped


def unused_builds(database: Any, *, keep: frozenset[str]) -> list[list[str]]:
    """The tables that the catalog does not name, a list a build; `units`, by which it is held, is last."""
    builds: dict[str, list[str]] = {}
    for name in sorted(table_names(database)):
        if name not in keep:
            builds.setdefault(name.partition(".")[2], []).append(name)
    return [sorted(tables, key=lambda name: name.startswith(f"{UNITS}.")) for tables in builds.values()]


def table_names(database: Any) -> list[str]:
    """All tables, over as many pages as LanceDB makes of them."""
    names: list[str] = []
    token = None
    while True:
        page = database.list_tables(page_token=token)
        names += page.tables
        token = page.page_token
        if not token:
            return names
