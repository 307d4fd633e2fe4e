"""The catalog: one row for each edition, naming the tables that answer for it. Readers go through it.

A row is replaced in one write, and that write is the switch from one build to the next. Rows hold the
record as JSON, so a catalog stays readable when a record gains a field; `schema` says whether its tables
do.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.editions import canonical_edition, resolve_edition
from storage.errors import InputError, NoStoreError, StoreError
from storage.lance import connect, explained, tables_folder
from storage.model import BreakdownRules, EditionRecord, EmbedderIdentity
from storage.schema import SCHEMA

TABLE = "catalog"

NO_STORE = (
    "there is no store in {folder} yet: build one with `python -m setup.ingest SOURCE`, "
    'or try the small sample: `ask262 --sample "..."`'
)


@dataclass(frozen=True, slots=True)
class Catalog:
    """What the catalog holds at one moment."""

    records: tuple[EditionRecord, ...]
    unusable: Mapping[str, str]
    """Editions that must be built again before they can be read, and why."""
    tables: frozenset[str]
    """Every table that an edition uses or keeps for rollback."""

    def record(self, edition: str) -> EditionRecord | None:
        """The record of exactly this edition."""
        return next((record for record in self.records if record.edition == edition), None)


EMPTY = Catalog(records=(), unusable={}, tables=frozenset())


def exists(storage_dir: Path) -> bool:
    """Whether anything was ever ingested here; looks at the folder alone and creates nothing."""
    versions = tables_folder(storage_dir) / f"{TABLE}.lance" / "_versions"
    with explained(storage_dir):
        try:
            return any(versions.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return False


def read_catalog(storage_dir: Path, database: Any = None) -> Catalog:
    """The catalog as it stands; empty where there is none. Raises StoreError where it is damaged."""
    if not exists(storage_dir):
        return EMPTY
    connection = database if database is not None else connect(storage_dir)
    folder = tables_folder(storage_dir)
    with explained(storage_dir, remedy=f"if it is damaged, delete {folder} and ingest again"):
        rows = connection.open_table(TABLE).to_arrow().to_pylist()
    records, unusable = [], {}
    for row in rows:
        read = _record(row)
        if isinstance(read, EditionRecord):
            records.append(read)
        else:
            unusable[row["edition"]] = read
    return Catalog(
        records=tuple(sorted(records, key=lambda record: record.edition)),
        unusable=unusable,
        tables=frozenset(name for row in rows for name in json.loads(row["keeps"])),
    )


def list_editions(storage_dir: Path) -> list[EditionRecord]:
    """The editions that can be asked, by name; none where there is no store."""
    return list(read_catalog(storage_dir).records)


def find_edition(
    catalog: Catalog, name: str | None, *, default: str | None, storage_dir: Path
) -> EditionRecord:
    """The record that `name` means; see `storage.editions.resolve_edition`.

    Raises NoStoreError for an empty catalog, UnknownEditionError for a name that it does not hold,
    StoreError for an edition that must be built again.
    """
    _refuse_unusable(catalog, name or default, storage_dir)
    if not catalog.records:
        raise NoStoreError(NO_STORE.format(folder=storage_dir))
    return resolve_edition(name, catalog.records, default=default)


def _refuse_unusable(catalog: Catalog, name: str | None, storage_dir: Path) -> None:
    """Only where nothing usable is left, or where an unusable edition is the one that is asked for."""
    if not catalog.unusable:
        return
    try:
        asked = canonical_edition(name) if name and name.strip() else None
    except InputError:
        asked = None
    if asked not in catalog.unusable and catalog.records:
        return
    edition = asked if asked is not None and asked in catalog.unusable else min(catalog.unusable)
    raise StoreError(
        f"edition {edition} in {storage_dir} {catalog.unusable[edition]}: build it again: "
        f"python -m setup.ingest SOURCE --edition {edition}"
    )


def save_record(storage_dir: Path, database: Any, record: EditionRecord) -> None:
    """Replace the edition's row: the switch. Only the holder of the writer's lock may call it."""
    with explained(storage_dir):
        table = database.create_table(TABLE, schema=_arrow_schema(), exist_ok=True)
        upsert = table.merge_insert("edition").when_matched_update_all().when_not_matched_insert_all()
        upsert.execute([_row(record)])


def _arrow_schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            ("edition", pa.string()),
            ("schema", pa.int64()),
            ("build", pa.string()),
            ("built", pa.string()),
            ("keeps", pa.string()),
            ("record", pa.string()),
        ]
    )


def _row(record: EditionRecord) -> dict[str, Any]:
    return {
        "edition": record.edition,
        "schema": record.schema,
        "build": record.build,
        "built": record.built,
        "keeps": json.dumps(sorted({*record.tables.values(), *record.previous.values()})),
        "record": json.dumps(dataclasses.asdict(record), ensure_ascii=False),
    }


def _record(row: Mapping[str, Any]) -> EditionRecord | str:
    """The record that a row holds, or why it cannot be read."""
    if row["schema"] != SCHEMA:
        return f"has schema {row['schema']} and this program reads {SCHEMA}"
    try:
        values = json.loads(row["record"])
        parts = {
            "embedder": EmbedderIdentity(**values["embedder"]),
            "rules": BreakdownRules(**values["rules"]),
        }
        return EditionRecord(**{**values, **parts})
    except (ValueError, TypeError, KeyError):
        return "has a row in the catalog that cannot be read"
