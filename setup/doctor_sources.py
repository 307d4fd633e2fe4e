"""Examines where editions come from: the configured source, kept downloads, the source of each edition.

Asks no network: an address is examined by the copy that was kept of it.
"""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from setup.doctor_finding import Finding, fail, ok, warn
from setup.sources import Source, read_source
from storage.editions import ingest_command, rebuild_command
from storage.errors import SourceError
from storage.model import Level
from storage.progress import Silent

if TYPE_CHECKING:
    from storage.model import BuiltEdition, EditionRecord
    from storage.settings import Settings

_IGNORED = re.compile(rb"<!--.*?-->|<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_SECTION = re.compile(rb"<emu-(?:clause|annex|intro)\b", re.IGNORECASE)


def configured_source(settings: "Settings") -> Iterator[Finding]:
    """What an ingest without SOURCE would read."""
    if settings.source is None:
        yield ok(
            "source", "ASK262_SOURCE is not set: an ingest without SOURCE takes the public specification"
        )
        return
    if _is_address(settings.source):
        yield ok("source", f"{settings.source}, fetched when it is ingested")
        return
    try:
        source = _read(settings, settings.source)
    except SourceError as error:
        yield fail("source", f"ASK262_SOURCE: {error}", "python -m setup.ingest --sample")
    else:
        yield ok("source", f"{source.origin}: {len(source.files)} files")


def downloads(settings: "Settings") -> Iterator[Finding]:
    """Every kept download still has the files and digests with which it was fetched."""
    for manifest in sorted((settings.storage_dir / "downloads").glob("*/manifest.json")):
        address, files = _kept(manifest)
        if not address:
            what = f"{manifest} cannot be read: the copy is of no use"
            yield warn("downloads", what, f"rm -r {shlex.quote(str(manifest.parent))}")
            continue
        remedy = f"python -m setup.ingest {shlex.quote(address)} --refresh"
        missing = [name for name in files if not (manifest.parent / name).is_file()]
        if missing:
            what = f"{missing[0]} and {len(missing) - 1} others are missing from the copy of {address}"
            yield fail("downloads", what, remedy)
            continue
        try:
            source = _read(settings, address)
        except SourceError as error:
            yield fail("downloads", str(error), remedy)
        else:
            yield ok("downloads", f"{address}: {len(source.files)} files, as they were fetched")


def source_findings(
    settings: "Settings", record: "EditionRecord", built: "BuiltEdition"
) -> Iterator[Finding]:
    """Whether an edition still says what its source says, counted section by section."""
    name, remedy = f"{record.edition} source", rebuild_command(record)
    try:
        source = _read(settings, record.origin, sample=record.sample)
    except SourceError:
        moved = ingest_command(record.edition, origin="SOURCE", sample=False)
        yield warn(name, f"{record.origin} cannot be read: rows were not counted against it", moved)
        return
    now = {file.name: file.sha256 for file in source.files if sections_in(file.html)}
    then = {page.source: page.sourcedigest for page in built.pages}
    changed = {file for file in now.keys() | then.keys() if now.get(file) != then.get(file)}
    if changed:
        yield warn(name, f"{len(changed)} files of {source.origin} changed since {record.built}", remedy)
        return
    there = sum(sections_in(file.html) for file in source.files)
    here = sum(unit.level is Level.SECTION for unit in built.units)
    if there != here:
        yield fail(name, f"{source.origin} has {there:,} sections and the store {here:,}", remedy)
    else:
        yield ok(name, f"{source.origin} is unchanged: {there:,} sections there and {here:,} in the store")


def sections_in(html: bytes) -> int:
    """Section elements of a page, counted without a parser; comments and scripts do not count.

    >>> sections_in(b'<emu-clause id=a><!-- <emu-annex> --><EMU-INTRO></emu-intro></emu-clause>')
    2
    """
    return len(_SECTION.findall(_IGNORED.sub(b"", html)))


def _read(settings: "Settings", location: str, *, sample: bool = False) -> Source:
    unplugged = settings.model_copy(update={"offline": True})
    return read_source(location, sample=sample, settings=unplugged, progress=Silent())


def _is_address(location: str) -> bool:
    return location.startswith(("http://", "https://"))


def _kept(manifest: Path) -> tuple[str, list[str]]:
    """The address of a kept download and its files; an empty address where the manifest is torn."""
    try:
        values = json.loads(manifest.read_text(encoding="utf-8"))
        address, files = str(values["address"]), [str(name) for name in values["files"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", []
    return (address, files) if _is_address(address) else ("", [])
