"""What is done to a store besides ingesting: remove an edition, go back to its build before, prune.

Each takes the writer's lock and, but for pruning, changes the catalog in one write: killed at any moment, an
edition is there whole or gone whole, and the next writer drops what was left behind.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from storage import catalog, staging
from storage.catalog import Catalog
from storage.editions import rebuild_command
from storage.errors import StoreError
from storage.generated import GENERATED_ROLES
from storage.inspection import leftovers, opened, stored_edition
from storage.lance import connect
from storage.lock import writer_lock
from storage.model import EditionRecord
from storage.passages import embedded_windows
from storage.tables import BuildTables, open_build
from storage.vector_cache import VectorCache, text_digest

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Freed:
    """Tables that were dropped, and how many were left because somebody reads them."""

    tables: int
    bytes: int
    still_read: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """What pruning took away and what is left in the cache of embeddings."""

    freed: Freed
    vectors: int
    kept: int
    bytes: int
    """By how much the cache's file shrank."""


def remove_edition(storage_dir: Path, name: str, *, say: Say) -> tuple[str, Freed]:
    """Take an edition out of the store; its name as stored, and what that freed.

    Its embeddings stay in the cache. Raises UnknownEditionError, NoStoreError, StoreError.
    """
    with _writing(storage_dir, say) as (database, held):
        edition = held.named(name)
        catalog.remove_record(storage_dir, database, edition)
        return edition, _drop_unused(storage_dir, database)


def restore_edition(storage_dir: Path, name: str, *, say: Say) -> EditionRecord:
    """Go back to the build before; the one that answered until now becomes the one to go back to.

    Raises StoreError where there is no sound build before, UnknownEditionError, NoStoreError.
    """
    with _writing(storage_dir, say) as (database, held):
        edition = held.named(name)
        now = held.record(edition)
        if now is None:
            fault = held.unusable[edition]
            raise StoreError(f"edition {edition} {fault.why}: {fault.remedy}")
        before = now.previous
        if before is None:
            raise StoreError(
                f"edition {edition} has no build before to go back to: the only one is of {now.built}; "
                f"to build it again: {rebuild_command(now)}"
            )
        if before.schema != now.schema or staging.unsealed(storage_dir, before):
            raise StoreError(
                f"the build of {edition} before, of {before.built}, cannot be read any more; the one of "
                f"{now.built} goes on answering; to build another: {rebuild_command(now)}"
            )
        back = replace(before, previous=replace(now, previous=None))
        catalog.save_record(storage_dir, database, back)
        return back


def prune(storage_dir: Path, *, say: Say) -> Pruned:
    """Drop the tables and the cached embeddings that no edition uses, its build before included.

    Raises StoreError where that cannot be told of an edition, since it is damaged or of another schema.
    """
    with _writing(storage_dir, say) as (database, held):
        if held.unusable:
            edition, fault = next(iter(held.unusable.items()))
            raise StoreError(f"edition {edition} {fault.why}: {fault.remedy}; or remove it, then prune")
        freed = _drop_unused(storage_dir, database)
        cache = VectorCache(storage_dir, note=say)
        before = cache.size()
        removed, kept = cache.keep_only(_used(storage_dir, database, held.records))
        return Pruned(freed, removed, kept, before - cache.size())


@contextmanager
def _writing(storage_dir: Path, say: Say) -> Iterator[tuple[Any, Catalog]]:
    """The store to oneself; never makes one."""
    if not catalog.exists(storage_dir):
        raise catalog.nothing_there(storage_dir)
    with writer_lock(storage_dir, say=say):
        database = connect(storage_dir)
        yield database, catalog.read_catalog(storage_dir, database)


def _drop_unused(storage_dir: Path, database: Any) -> Freed:
    keep = catalog.read_catalog(storage_dir, database).tables | {catalog.TABLE}
    unused = leftovers(storage_dir, keep=keep)
    dropped = staging.drop_tables(database, storage_dir, keep=keep)
    return Freed(len(dropped), sum(unused[name] for name in dropped), len(unused) - len(dropped))


def _used(storage_dir: Path, database: Any, records: tuple[EditionRecord, ...]) -> Iterator[tuple[str, str]]:
    """(embedder, text) digests of everything that a rebuild of the builds at hand would embed."""
    for record in records:
        yield from _embedded_for(opened(storage_dir, record))
        if record.previous is not None:
            before = open_build(storage_dir, database, record.previous)
            # A build before that cannot be read cannot be gone back to: it uses nothing.
            if isinstance(before, BuildTables):
                yield from _embedded_for(before)


def _embedded_for(tables: BuildTables) -> Iterator[tuple[str, str]]:
    embedder = tables.record.embedder.digest
    for role in GENERATED_ROLES:
        for row in tables.select(role, None, ["indexed"]) if role in tables.record.tables else ():
            yield embedder, text_digest(row["indexed"])
    built = stored_edition(tables)
    texts = {page.source: page.text for page in built.pages}
    for unit in built.units:
        for window in embedded_windows(unit, texts[unit.source]):
            yield embedder, text_digest(window.text)
