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

from storage.editions import SAMPLE, canonical_edition, ingest_command, resolve_edition
from storage.errors import InputError, NoStoreError, StoreError, UnknownEditionError
from storage.filters import equals
from storage.lance import connect, explained, no_folder, tables_folder
from storage.model import BreakdownRules, EditionRecord, EmbedderIdentity
from storage.schema import SCHEMA

TABLE = "catalog"

NO_STORE = (
    "there is no store in {folder} yet: build one with `python -m setup.ingest SOURCE`, "
    'or try the small sample: `ask262 --sample "..."`'
)


@dataclass(frozen=True, slots=True)
class Unusable:
    """An edition that must be built again before it can be read: why, and with which command."""

    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """What the catalog holds at one moment."""

    records: tuple[EditionRecord, ...]
    unusable: Mapping[str, Unusable]
    """Editions that cannot be read as they are, by name."""
    tables: frozenset[str]
    """Every table that an edition uses or keeps for going back."""

    def record(self, edition: str) -> EditionRecord | None:
        """The record of exactly this edition."""
        return next((record for record in self.records if record.edition == edition), None)

    def named(self, name: str) -> str:
        """The edition, readable or not, that `name` spells: for what changes an edition.

        Aliases do not count, since `latest` may be another one tomorrow. Raises UnknownEditionError.
        """
        held = sorted({*self.unusable, *(record.edition for record in self.records)})
        try:
            edition = canonical_edition(name)
        except InputError:
            edition = ""
        if edition in held:
            return edition
        raise UnknownEditionError(
            f"no edition is called {name[:60]!r}; this store holds {', '.join(held) or 'none'}"
        )


EMPTY = Catalog(records=(), unusable={}, tables=frozenset())


def exists(storage_dir: Path) -> bool:
    """Whether anything was ever ingested here; looks at the folder alone and creates nothing."""
    versions = tables_folder(storage_dir) / f"{TABLE}.lance" / "_versions"
    with explained(storage_dir):
        try:
            return any(versions.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return False


def nothing_there(storage_dir: Path) -> StoreError:
    """What to raise where the catalog names no edition: an empty store, or one that lost its catalog.

    A first build makes the catalog before its tables, so that tables without one are no build that died.
    """
    tables = tables_folder(storage_dir)
    with explained(storage_dir):
        if fault := no_folder(storage_dir):
            return fault
        names = {path.name for path in tables.glob("*.lance")} if not exists(storage_dir) else set()
    if not names:
        return NoStoreError(NO_STORE.format(folder=storage_dir))
    editions = sorted({name.split(".")[1] for name in names if name.count(".") > 1}) or ["NAME"]
    commands = [ingest_command(one, origin="SOURCE", sample=one == SAMPLE) for one in editions]
    return StoreError(
        f"the store in {storage_dir} is damaged: it has tables, and no catalog that names them;"
        f" build again: {' && '.join(commands)}"
    )


def make_catalog(storage_dir: Path, database: Any) -> None:
    """An empty catalog where there is none. Only the holder of the writer's lock may call it."""
    if exists(storage_dir):
        return
    with explained(storage_dir):
        database.create_table(TABLE, schema=_arrow_schema(), exist_ok=True)


def read_catalog(storage_dir: Path, database: Any = None) -> Catalog:
    """The catalog as it stands; empty where there is none. Raises StoreError where it is damaged."""
    if not exists(storage_dir):
        return EMPTY
    connection = database if database is not None else connect(storage_dir)
    remedy = f"if it is damaged, delete {tables_folder(storage_dir)} and ingest again"
    with explained(storage_dir, remedy=remedy):
        table = connection.open_table(TABLE).to_arrow()
        if missing := set(_arrow_schema().names) - set(table.column_names):
            raise ValueError(f"the catalog has no column {min(missing)}")
        rows = table.to_pylist()
    records, unusable = [], {}
    for row in rows:
        read = _record(row)
        if isinstance(read, EditionRecord):
            records.append(read)
        else:
            unusable[str(row["edition"])] = read
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
    StoreError for an edition that must be built again and for a store that lost its catalog.
    """
    _refuse_unusable(catalog, name or default, storage_dir)
    if not catalog.records:
        raise nothing_there(storage_dir)
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
    fault = catalog.unusable[edition]
    raise StoreError(f"edition {edition} in {storage_dir} {fault.why}: {fault.remedy}")


def save_record(storage_dir: Path, database: Any, record: EditionRecord) -> None:
    """Replace the edition's row: the switch. Only the holder of the writer's lock may call it."""
    with explained(storage_dir):
        table = database.create_table(TABLE, schema=_arrow_schema(), exist_ok=True)
        upsert = table.merge_insert("edition").when_matched_update_all().when_not_matched_insert_all()
        upsert.execute([_row(record)])


def remove_record(storage_dir: Path, database: Any, edition: str) -> None:
    """Take the edition's row out, in one write. Only the holder of the writer's lock may call it."""
    with explained(storage_dir):
        database.open_table(TABLE).delete(equals("edition", edition))


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
    builds = [record, record.previous] if record.previous else [record]
    return {
        "edition": record.edition,
        "schema": record.schema,
        "build": record.build,
        "built": record.built,
        "keeps": json.dumps(sorted(name for build in builds for name in build.tables.values())),
        "record": json.dumps(dataclasses.asdict(record), ensure_ascii=False),
    }


def _record(row: Mapping[str, Any]) -> EditionRecord | Unusable:
    """The record that a row holds, or why it cannot be read."""
    if row["schema"] != SCHEMA:
        return Unusable(_other_schema(row["schema"]), _remedy(row))
    try:
        return _read(json.loads(row["record"]))
    except (ValueError, TypeError, KeyError):
        return Unusable("has a row in the catalog that cannot be read", _remedy(row))


def _read(values: dict[str, Any]) -> EditionRecord:
    before = values.get("previous")
    parts = {
        "embedder": EmbedderIdentity(**values["embedder"]),
        "rules": BreakdownRules(**values["rules"]),
        # An early form of the row held table names alone: there is no way back to those.
        "previous": _read(before) if before and "edition" in before else None,
    }
    return EditionRecord(**{**values, **parts})


def _other_schema(schema: int) -> str:
    if schema > SCHEMA:
        return f"was built by a newer ask262 (schema {schema}, and this program reads {SCHEMA})"
    return f"has schema {schema} and this program reads {SCHEMA}"


def _remedy(row: Mapping[str, Any]) -> str:
    """For a newer schema, an update keeps the edition; else it is built again."""
    try:
        values = json.loads(row["record"])
        origin, sample = str(values["origin"]), values["sample"] is True
    except (ValueError, TypeError, KeyError):
        origin, sample = "SOURCE", False
    command = ingest_command(str(row["edition"]), origin=origin, sample=sample)
    newer = row["schema"] is not None and row["schema"] > SCHEMA
    return f"update the program, or build it again: {command}" if newer else f"build it again: {command}"
