"""Writes an edition: embeds what is new, fills new tables, checks them, then switches to them in one write.

Until that write the old build answers, whatever happens here; after it the old build stays for rollback,
and what is older is dropped. Leftovers of a build that died are dropped by the next one. The embeddings of
a build that died are kept in the cache, so the next one goes on from there.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from storage import catalog, staging
from storage.changes import COLUMNS, Changes, compare, words_of_rows, words_of_units
from storage.embedder import Embedder, checked
from storage.errors import StoreError
from storage.generated import NOTHING, Generated, identity
from storage.lance import connect, explained
from storage.lock import writer_lock
from storage.model import REPRESENTATION, BuiltEdition, EditionRecord, EmbedderIdentity, Level
from storage.passages import EMBEDDED_LEVELS, EmbeddedWindow, embedded_windows
from storage.progress import Progress, Silent
from storage.rows import Content
from storage.schema import SCHEMA, UNITS, arrow_schemas
from storage.tables import open_build
from storage.vector_cache import VectorCache, embed_cached
from storage.windows import WINDOWING

if TYPE_CHECKING:
    from storage.vector_cache import Rows

STAGES = ("windows", "embed", "write", "index", "check")
"""What the progress of a build reports, in this order; `embed` only where something is new."""

TOLD_UNITS = 1_000
"""Units cut into windows between two reports: less than a second's work."""


def utc_now() -> datetime:
    """The time that an edition is stamped with."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing an edition came to."""

    record: EditionRecord
    """What readers see from then on."""
    written: bool
    """False where the edition was up to date."""
    changes: Changes | None
    """Against the build before; None where nothing was written, or no such build could be read."""
    embedded: int
    """Texts that were embedded; equal ones are embedded once."""


def write_edition(
    storage_dir: Path,
    built: BuiltEdition,
    embedder: Embedder,
    *,
    generated: Generated = NOTHING,
    inputs: str = "",
    progress: Progress | None = None,
    now: Callable[[], datetime] = utc_now,
    batch_rows: int = staging.BATCH_ROWS,
) -> Stored:
    """Store the edition, with the texts that were generated for it, and switch to it.

    An unchanged edition whose tables are sound is left alone: nothing is embedded and no table is written.
    `inputs` is noted for `up_to_date`. Waits while another process writes. Raises StoreError where the store
    cannot be written, EmbedderError where the embedder fails.
    """
    told = progress or Silent()
    with writer_lock(storage_dir, say=told.say):
        database = connect(storage_dir)
        catalog.make_catalog(storage_dir, database)
        held = catalog.read_catalog(storage_dir, database)
        staging.drop_tables(database, storage_dir, keep=held.tables | {catalog.TABLE})
        before = held.record(built.edition)
        build = build_digest(built, embedder.identity, generated)
        if before and before.build == build:
            if not staging.unsealed(storage_dir, before):
                return Stored(_noted(storage_dir, database, before, built.origin, inputs), False, None, 0)
            # A damaged build is nothing to go back to.
            before = before.previous
        staged = _stage(storage_dir, database, built, generated, embedder, told, batch_rows)
        changes = _changes(storage_dir, database, before, built) if before else None
        record = _record(built, embedder.identity, build, staged, before, now(), inputs, generated.makers)
        catalog.save_record(storage_dir, database, record)
        kept = catalog.read_catalog(storage_dir, database).tables
        staging.drop_tables(database, storage_dir, keep=kept | {catalog.TABLE})
        return Stored(record, True, changes, staged.embedded)


def up_to_date(storage_dir: Path, inputs: str) -> EditionRecord | None:
    """The edition that was made of exactly these inputs, if its tables are sound. Writes nothing."""
    if not inputs or not catalog.exists(storage_dir):
        return None
    database = connect(storage_dir)
    for record in catalog.read_catalog(storage_dir, database).records:
        if record.inputs == inputs and not staging.unsealed(storage_dir, record):
            return record
    return None


def _noted(
    storage_dir: Path, database: Any, record: EditionRecord, origin: str, inputs: str
) -> EditionRecord:
    """The record of an unchanged edition, with where its source is now and what was asked for."""
    noted = replace(record, origin=origin, inputs=inputs or record.inputs)
    if noted != record:
        catalog.save_record(storage_dir, database, noted)
    return noted


def _changes(storage_dir: Path, database: Any, before: EditionRecord, built: BuiltEdition) -> Changes | None:
    tables = open_build(storage_dir, database, before)
    try:
        if isinstance(tables, StoreError):
            return None
        rows = tables.columns(UNITS, list(COLUMNS)).to_pylist()
    except StoreError:
        return None
    return compare(words_of_rows(rows), words_of_units(built.units))


def build_digest(built: BuiltEdition, embedder: EmbedderIdentity, generated: Generated = NOTHING) -> str:
    """SHA-256 over all that the tables are made of: equal digests, equal rows.

    Over the content and not the source alone: a renderer that was mended gives other rows from the same
    source.
    """
    total = hashlib.sha256()
    procedure = (SCHEMA, REPRESENTATION, WINDOWING, sorted(EMBEDDED_LEVELS), astuple(embedder))
    edition = (built.edition, built.title, built.sourcedigest, built.sample, astuple(built.rules))
    for value in (procedure, edition, *built.pages, *built.units, *built.names):
        total.update(repr(value).encode("utf-8", "backslashreplace"))
    for role, texts in generated.by_role.items():
        for text in texts:
            total.update(repr((role, *identity(text))).encode("utf-8", "backslashreplace"))
        # Asked for and empty is a table without rows.
        total.update(role.encode())
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class _Staged:
    """The new tables, by role, their rows and seals, and how many texts were embedded for them."""

    tables: dict[str, str]
    counts: dict[str, int]
    seals: dict[str, str]
    embedded: int


def _stage(
    storage_dir: Path,
    database: Any,
    built: BuiltEdition,
    generated: Generated,
    embedder: Embedder,
    progress: Progress,
    batch_rows: int,
) -> _Staged:
    """Tables with rows and indices, checked; no reader sees them yet."""
    texts = {page.source: page.text for page in built.pages}
    content = Content(built, _windows(built, texts, progress), generated)
    vectors, embedded = _vectors(storage_dir, content.embedded_texts, embedder, progress)
    rows, counts = content.rows(vectors), content.counts
    # The suffix tells this build's tables from all others', those of a second run of the same build included.
    suffix = secrets.token_hex(6)
    tables = {role: f"{role}.{built.edition}.{suffix}" for role in rows}
    with explained(storage_dir):
        schemas = arrow_schemas(embedder.identity.dimension)
        _write(database, tables, rows, counts, schemas, progress, batch_rows)
        staging.index_tables(database, tables, progress=progress)
        staging.check_tables(database, tables, counts, progress=progress)
        seals = {role: staging.seal(storage_dir, name) for role, name in tables.items()}
    return _Staged(tables, counts, seals, embedded)


def _write(
    database: Any,
    tables: dict[str, str],
    rows: dict[str, Iterator[staging.Row]],
    counts: dict[str, int],
    schemas: dict[str, Any],
    progress: Progress,
    batch_rows: int,
) -> None:
    total = sum(counts.values())
    written = 0
    for role, name in tables.items():
        start = written
        staging.write_table(
            database,
            name,
            rows=rows[role],
            schema=schemas[role],
            batch_rows=batch_rows,
            on_rows=lambda done, start=start: progress("write", start + done, total),  # type: ignore[misc]
        )
        written += counts[role]


def _windows(built: BuiltEdition, texts: dict[str, str], progress: Progress) -> list[EmbeddedWindow]:
    out: list[EmbeddedWindow] = []
    for done, unit in enumerate(built.units, start=1):
        out += embedded_windows(unit, texts[unit.source])
        if done % TOLD_UNITS == 0 or done == len(built.units):
            progress("windows", done, len(built.units))
    return out


def _vectors(
    storage_dir: Path, texts: list[str], embedder: Embedder, progress: Progress
) -> "tuple[Rows, int]":
    """A vector for each text, and how many had to be embedded for them."""
    embedded = 0

    def on_progress(done: int, total: int) -> None:
        nonlocal embedded
        embedded = total
        if total:
            progress("embed", done, total)

    cache = VectorCache(storage_dir, note=progress.say)
    vectors = embed_cached(texts, embedder, cache, on_progress=on_progress)
    if texts:
        vectors = checked(vectors, count=len(texts), name=embedder.identity.name)
    return vectors, embedded


def _record(
    built: BuiltEdition,
    embedder: EmbedderIdentity,
    build: str,
    staged: _Staged,
    before: EditionRecord | None,
    now: datetime,
    inputs: str,
    makers: dict[str, str],
) -> EditionRecord:
    levels = Counter(unit.level.value for unit in built.units)
    return EditionRecord(
        edition=built.edition,
        title=built.title,
        origin=built.origin,
        sourcedigest=built.sourcedigest,
        representation=REPRESENTATION,
        schema=SCHEMA,
        sample=built.sample,
        embedder=embedder,
        rules=built.rules,
        tables=staged.tables,
        counts={**staged.counts, **{level.value: levels[level.value] for level in Level}},
        built=now.isoformat(timespec="seconds"),
        build=build,
        inputs=inputs,
        seals=staged.seals,
        previous=replace(before, previous=None) if before else None,
        generated=makers,
    )
