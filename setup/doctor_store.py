"""Examines the store as a whole: its folder, its catalog, what no edition uses, the cache. Writes nothing."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from setup.doctor_edition import edition_findings
from setup.doctor_finding import Finding, fail, ok, warn
from storage.errors import NoStoreError, StoreError, UnknownEditionError

if TYPE_CHECKING:
    from storage.catalog import Catalog
    from storage.settings import Settings

_PRUNE = "python -m setup.editions prune"
_LEAST_ROOM = 50_000_000
"""Bytes without which not even a small edition can be built."""

_BUILDS_OF_ROOM = 3
"""An ingest writes a build beside the present one, and indices take room while they are made."""

_CACHE_SLACK = 2
"""The cache may hold this many times what the editions use, before it is worth pruning."""


def store_findings(settings: "Settings") -> Iterator[Finding]:
    """The store and every edition in it."""
    from storage import catalog

    folder = settings.storage_dir
    try:
        held = catalog.read_catalog(folder)
    except StoreError as error:
        yield fail("catalog", str(error), "python -m setup.ingest SOURCE --edition NAME")
        return
    if not held.records and not held.unusable:
        what = catalog.nothing_there(folder)
        remedy = "--sample" if isinstance(what, NoStoreError) else "SOURCE --edition NAME"
        yield fail("catalog", str(what), f"python -m setup.ingest {remedy}")
        yield from _room(settings, None)
        return
    yield from _catalog(settings, held)
    for record in held.records:
        yield from edition_findings(settings, record)
    yield from _unused(settings, held)
    yield from _cache(settings, held)
    yield from _room(settings, held)


def _catalog(settings: "Settings", held: "Catalog") -> Iterator[Finding]:
    from storage.editions import resolve_edition
    from storage.schema import SCHEMA

    for edition, fault in held.unusable.items():
        yield fail(f"{edition} catalog", f"edition {edition} {fault.why}", fault.remedy.partition(": ")[2])
    names = ", ".join(record.edition for record in held.records)
    if not held.records:
        return
    try:
        asked = resolve_edition(None, held.records, default=settings.edition)
    except UnknownEditionError as error:
        first = held.records[0].edition
        yield fail("catalog", f"ASK262_EDITION: {error}", f"export ASK262_EDITION={first}")
        return
    yield ok(
        "catalog",
        f"{settings.storage_dir} holds {names}, schema {SCHEMA}; {asked.edition} is asked by default",
    )


def _unused(settings: "Settings", held: "Catalog") -> Iterator[Finding]:
    from storage import catalog
    from storage.inspection import leftovers

    unused = leftovers(settings.storage_dir, keep=held.tables | {catalog.TABLE})
    if unused:
        size = sum(unused.values()) / 1_000_000
        what = (
            f"{len(unused)} tables of dead or older builds ({size:,.1f} MB); the next ingest drops them too"
        )
        yield warn("leftovers", what, _PRUNE)
    else:
        yield ok("leftovers", "no table is left of a build that died")


def _cache(settings: "Settings", held: "Catalog") -> Iterator[Finding]:
    from storage.generated import vector_count
    from storage.vector_cache import cache_state

    state = cache_state(settings.storage_dir)
    told = f"{state.vectors:,} embeddings, {state.bytes / 1_000_000:,.1f} MB"
    builds = [build for record in held.records for build in (record, record.previous) if build]
    used = sum(vector_count(build) for build in builds)
    if state.fault:
        what = f"cannot be read ({state.fault}): the next ingest begins it anew and embeds everything"
        yield warn("embedding cache", what, "python -m setup.ingest SOURCE --edition NAME")
    elif state.vectors > _CACHE_SLACK * used:
        yield warn("embedding cache", f"{told}, and the editions have {used:,} vectors", _PRUNE)
    else:
        yield ok("embedding cache", told)


def _room(settings: "Settings", held: "Catalog | None") -> Iterator[Finding]:
    """Whether another build can be written."""
    from storage.inspection import build_bytes

    folder = settings.storage_dir
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(there, os.W_OK):
        what = f"{there} may be read but not written: questions are answered, nothing can be ingested"
        yield warn("folder", what, f"chmod u+w {there}")
    records = held.records if held else ()
    largest = max((build_bytes(folder, record) for record in records), default=0)
    yield room(shutil.disk_usage(there).free, largest=largest, folder=str(there))


def room(free: int, *, largest: int, folder: str) -> Finding:
    """Whether so many free bytes are enough to build the largest edition again."""
    told = f"{free / 1e9:,.1f} GB free for {folder}"
    if free < _LEAST_ROOM:
        return fail("disk space", f"{told}: no edition can be built", _PRUNE)
    if free < _BUILDS_OF_ROOM * largest:
        what = f"{told}; an ingest of the largest edition may need {_BUILDS_OF_ROOM * largest / 1e9:,.1f} GB"
        return warn("disk space", what, _PRUNE)
    return ok("disk space", told)
