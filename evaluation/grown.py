"""A store grown from one edition, for measurements: the edition many times, or one edition many times as
large.

Files under other names are copies of an edition's tables with a row of the catalog each. A large edition
holds every row several times: under other ids, with a few words more and slightly turned vectors, so that
copies are told apart as real sections are. Writes to a folder of its own; the store that it reads is left as
it is.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from storage import catalog, staging
from storage.inspection import opened
from storage.lance import connect, tables_folder
from storage.lock import writer_lock
from storage.model import EditionRecord
from storage.progress import Silent
from storage.schema import NAMES, PAGES, UNITS, WINDOWS, arrow_schemas

_IDS = {
    UNITS: ("unitid", "sectionid", "clauseid", "parentsectionid", "chapter", "source"),
    WINDOWS: ("windowid", "unitid", "clauseid", "chapter"),
    NAMES: ("name", "key", "sectionid"),
    PAGES: ("pageid", "source"),
}
"""Columns that must differ from copy to copy, by role."""

_LISTS = ("subsections", "references")

_MORE_WORDS = 10
"""Copies have from none to nine words more, so that few of them have equal scores."""

_TURN = 0.05
"""Length of the noise that is added to a vector of length one: a cosine of about .999."""


def many_editions(store: Path, record: EditionRecord, folder: Path, *, times: int) -> list[EditionRecord]:
    """A new store in `folder` with the edition under `times` names; the first is its own."""
    database = connect(folder)
    made = []
    with writer_lock(folder, say=Silent().say):
        for number in range(times):
            edition = record.edition if number == 0 else f"{record.edition}-copy{number}"
            tables = {role: f"{role}.{edition}.grown" for role in record.tables}
            for role, name in record.tables.items():
                copy = tables_folder(folder) / f"{tables[role]}.lance"
                shutil.copytree(tables_folder(store) / f"{name}.lance", copy)
            one = replace(record, edition=edition, tables=tables, previous=None)
            catalog.save_record(folder, database, one)
            made.append(one)
    return made


def large_edition(store: Path, record: EditionRecord, folder: Path, *, times: int) -> EditionRecord:
    """A new store in `folder` with one edition whose tables hold every row `times` times."""
    database = connect(folder)
    roles = (UNITS, PAGES, NAMES, WINDOWS)
    tables = {role: f"{role}.{record.edition}.grown" for role in roles}
    counts = dict(record.counts)
    held = opened(store, record)
    schemas = arrow_schemas(record.embedder.dimension)
    with writer_lock(folder, say=Silent().say):
        for role, name in tables.items():
            rows = held.columns(role, schemas[role].names).cast(schemas[role])
            table = database.create_table(name, schema=schemas[role])
            for copy in _copies(rows, role, times):
                table.add(copy)
            counts[role] = rows.num_rows * times
        staging.index_tables(database, tables, progress=Silent())
        grown = replace(record, tables=tables, counts=counts, seals={}, generated={}, previous=None)
        catalog.save_record(folder, database, grown)
    return grown


def _copies(rows: Any, role: str, times: int) -> Iterator[Any]:
    yield rows
    for number in range(1, times):
        yield _copy(rows, role, number)


def _copy(rows: Any, role: str, number: int) -> Any:
    """The rows once more, under ids of their own."""
    prefix = f"x{number}-"
    for column in _IDS[role]:
        rows = _with(rows, column, _prefixed(rows[column], prefix))
    if role == UNITS:
        for column in _LISTS:
            rows = _with(rows, column, _prefixed_lists(rows[column], prefix))
        words = " ".join(f"copy{place}" for place in range(number % _MORE_WORDS))
        rows = _with(rows, "body", _suffixed(rows["body"], f" {words}"))
    return _with(rows, "vector", _turned(rows["vector"], number)) if role == WINDOWS else rows


def _with(rows: Any, column: str, values: Any) -> Any:
    place = rows.schema.get_field_index(column)
    return rows.set_column(place, rows.schema.field(place), values)


def _prefixed(values: Any, prefix: str) -> Any:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(prefix, values, "")


def _suffixed(values: Any, suffix: str) -> Any:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(values, suffix, "")


def _prefixed_lists(values: Any, prefix: str) -> Any:
    import pyarrow as pa

    whole = values.combine_chunks()
    return pa.ListArray.from_arrays(whole.offsets, _prefixed(whole.values, prefix))


def _turned(values: Any, number: int) -> Any:
    """The vectors with a little noise, of length one again."""
    import numpy as np
    import pyarrow as pa

    whole = values.combine_chunks()
    width = whole.type.list_size
    vectors = np.asarray(whole.flatten()).reshape(-1, width)
    noise = np.random.default_rng(number).normal(scale=_TURN / width**0.5, size=vectors.shape)
    turned = vectors + noise.astype(np.float32)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return pa.FixedSizeListArray.from_arrays(pa.array(turned.reshape(-1)), width)
