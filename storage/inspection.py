"""Looks at all that a build holds, for whoever checks it or counts what it uses. Reads, changes nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from storage import staging
from storage.errors import StoreError
from storage.generated import GENERATED_ROLES
from storage.lance import connect, explained, tables_folder
from storage.model import BuiltEdition, EditionRecord
from storage.schema import NAMES, PAGES, UNIT_COLUMNS, UNITS, WINDOWS, name_of, page_of, unit_of
from storage.tables import BuildTables, open_build


def opened(storage_dir: Path, record: EditionRecord) -> BuildTables:
    """The tables of a build that the catalog names. Raises StoreError where they are gone or damaged."""
    tables = open_build(storage_dir, connect(storage_dir), record)
    if isinstance(tables, StoreError):
        raise tables
    return tables


def stored_edition(tables: BuildTables) -> BuiltEdition:
    """The edition as it was handed to the store, read back from it; units in document order a page."""
    record = tables.record
    units = [unit_of(row) for row in tables.select(UNITS, None, list(UNIT_COLUMNS))]
    pages = [page_of(row) for row in tables.select(PAGES, None)]
    return BuiltEdition(
        edition=record.edition,
        title=record.title,
        origin=record.origin,
        sourcedigest=record.sourcedigest,
        sample=record.sample,
        rules=record.rules,
        pages=tuple(sorted(pages, key=lambda page: page.source)),
        units=tuple(sorted(units, key=lambda unit: (unit.source, unit.start, -unit.end, unit.unitid))),
        names=tuple(name_of(row) for row in tables.select(NAMES, None)),
    )


def table_faults(storage_dir: Path, record: EditionRecord) -> list[str]:
    """What is wrong with a build's tables: files not as they were written, rows missing, rows not indexed."""
    database = connect(storage_dir)
    damaged = staging.unsealed(storage_dir, record) if record.seals else []
    faults = [f"table {name} is not as it was written" for name in damaged]
    for role, name in record.tables.items():
        try:
            with explained(storage_dir):
                staging.check_table(database.open_table(name), role, rows=record.counts[role])
        except StoreError as error:
            faults.append(str(error).partition(": run the same")[0])
    return faults


def bad_vectors(tables: BuildTables) -> list[str]:
    """Windows, summaries and contexts whose vector is zero, not a number, or not of length one.

    A search ranks them by chance.
    """
    import numpy as np

    bad: list[str] = []
    for role, column in {WINDOWS: "windowid", **dict.fromkeys(GENERATED_ROLES, "unitid")}.items():
        if not tables.record.counts.get(role):
            continue
        rows = tables.columns(role, [column, "vector"])
        vectors = np.asarray(rows["vector"].combine_chunks().flatten()).reshape(len(rows), -1)
        lengths = np.linalg.norm(vectors, axis=1)
        wrong = ~np.isfinite(lengths) | (np.abs(lengths - 1) > 1e-3)
        bad += [rows[column][int(place)].as_py() for place in np.flatnonzero(wrong)]
    return bad


def window_owners(tables: BuildTables) -> set[str]:
    """The ids of the units that have a vector."""
    owners: Sequence[Any] = tables.columns(WINDOWS, ["unitid"])["unitid"].to_pylist()
    return set(owners)


def folder_bytes(folder: Path) -> int:
    """What the files under a folder take; 0 where there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def build_bytes(storage_dir: Path, record: EditionRecord) -> int:
    """What the tables of a build take on disk."""
    return sum(folder_bytes(tables_folder(storage_dir) / f"{name}.lance") for name in record.tables.values())


def leftovers(storage_dir: Path, *, keep: frozenset[str]) -> dict[str, int]:
    """Tables that no edition uses, with their bytes: older builds that are read, what a dead one left."""
    builds = staging.unused_builds(connect(storage_dir), keep=keep)
    folder = tables_folder(storage_dir)
    return {name: folder_bytes(folder / f"{name}.lance") for build in builds for name in build}
