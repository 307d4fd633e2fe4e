"""Examines one edition of the store against its record, its own structure and its source. Writes nothing."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from setup.checks import TITLES, check
from setup.doctor_finding import Finding, fail, ok, warn
from setup.doctor_sources import source_findings
from storage.editions import rebuild_command
from storage.errors import StoreError
from storage.identity import configured_identity
from storage.model import REPRESENTATION, Level

if TYPE_CHECKING:
    from storage.model import BuiltEdition, EditionRecord
    from storage.settings import Settings
    from storage.tables import BuildTables

_SHOWN = 5
"""Faults in one message: room for one of each check."""


def edition_findings(settings: "Settings", record: "EditionRecord") -> Iterator[Finding]:
    """Everything about one edition, as far as its tables can be read."""
    from storage.inspection import opened, stored_edition

    yield from _made_by(settings, record)
    yield _tables(settings, record)
    try:
        tables = opened(settings.storage_dir, record)
        built = stored_edition(tables)
        yield from _structure(built, record)
        yield from _vectors(built, tables)
    except StoreError as error:
        yield fail(f"{record.edition} rows", str(error), rebuild_command(record))
        return
    yield from source_findings(settings, record, built)
    yield from _before(settings, record)


def _tables(settings: "Settings", record: "EditionRecord") -> Finding:
    """Files as they were written, rows as the record says, indices over all of them."""
    from storage.inspection import table_faults

    name, remedy, counts = f"{record.edition} tables", rebuild_command(record), record.counts
    faults = table_faults(settings.storage_dir, record)
    if faults:
        return fail(name, _listed(faults), remedy)
    told = (
        f"{counts['units']:,} units, {counts['pages']:,} pages, {counts['names']:,} names, "
        f"{counts['windows']:,} vectors"
        + "".join(f", {counts[role]:,} {role} ({maker})" for role, maker in record.generated.items())
        + "; every index covers every row"
    )
    if not record.seals:
        return warn(name, f"{told}; stored without seals, so damage to a file would not be seen", remedy)
    return ok(name, f"as they were written: {told}")


def _made_by(settings: "Settings", record: "EditionRecord") -> Iterator[Finding]:
    """Whether this program with these settings would make, and can search, the same edition."""
    name, remedy = record.edition, rebuild_command(record)
    ours, asked = record.embedder, configured_identity(settings)
    if ours.digest != asked.digest:
        yield fail(
            f"{name} embedder",
            f"built with {ours.name} ({ours.dimension} numbers), but ASK262_EMBEDDER names {asked.name}: it "
            f"cannot be searched; set ASK262_EMBEDDER={ours.name}, or build it again",
            remedy,
        )
    else:
        yield ok(f"{name} embedder", f"{ours.name}, {ours.dimension} numbers, as configured")
    if record.representation != REPRESENTATION:
        what = f"its text is {record.representation} and this program renders {REPRESENTATION}"
        yield warn(f"{name} text", what, remedy)
    if record.rules != settings.rules:
        rules, wanted = record.rules, settings.rules
        what = f"cut by {rules}, and the settings say {wanted}".replace("BreakdownRules", "")
        yield warn(f"{name} rules", what, remedy)


def _structure(built: "BuiltEdition", record: "EditionRecord") -> Iterator[Finding]:
    """The proofs of an ingest over what is stored now; rows by level, digests, and where names lead."""
    name, remedy = record.edition, rebuild_command(record)
    faults = list(_proofs(built))
    levels = Counter(unit.level.value for unit in built.units)
    faults += [
        f"{levels[level.value]:,} units of level {level} instead of {record.counts[level.value]:,}"
        for level in Level
        if levels[level.value] != record.counts[level.value]
    ]
    faults += _wrong_digests(built)
    known = {unit.unitid for unit in built.units}
    faults += [
        f"the name {one.name!r} leads to {one.sectionid}, which is no unit"
        for one in built.names
        if one.sectionid not in known
    ]
    if faults:
        yield fail(f"{name} structure", _listed(faults), remedy)
    else:
        yield ok(
            f"{name} structure",
            f"all five checks hold for {len(built.units):,} units; digests are right, names lead to units",
        )


def _proofs(built: "BuiltEdition") -> Iterator[str]:
    """What the five checks find, one line a check, as far as there are pages to check against."""
    sources = {page.source for page in built.pages}
    lost = sorted({unit.source for unit in built.units} - sources)
    if lost:
        yield f"units of {len(lost)} pages have no text: {', '.join(lost[:_SHOWN])}"
        return
    sections = [unit.unitid for unit in built.units if unit.level is Level.SECTION]
    try:
        report = check(built, section_ids=sections)
    except RecursionError:
        yield "units contain one another in a circle"
        return
    for number in TITLES:
        broken = [one for one in report.findings if one.check == number]
        if broken:
            more = f" ({len(broken) - 1:,} more)" if len(broken) > 1 else ""
            yield f"check {number}: {broken[0].unitid}: {broken[0].message}{more}"


def _wrong_digests(built: "BuiltEdition") -> Iterator[str]:
    texts = {page.source: page.text for page in built.pages}
    digests = {page.source: _digest(page.text) for page in built.pages}
    for page in built.pages:
        if page.digest != digests[page.source]:
            yield f"the text of {page.source} has another digest than stored"
    for unit in built.units:
        text = texts.get(unit.source, "")
        if unit.digest != digests.get(unit.source):
            yield f"{unit.unitid} belongs to another text of {unit.source}"
        elif unit.unitdigest != _digest(text[unit.start : unit.end]):
            yield f"{unit.unitid} has another digest than its text"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _vectors(built: "BuiltEdition", tables: "BuildTables") -> Iterator[Finding]:
    """Every section and piece can be found by meaning, and no vector is worthless."""
    from storage.inspection import bad_vectors, window_owners

    name, remedy = tables.record.edition, rebuild_command(tables.record)
    owners = window_owners(tables)
    wanted = {unit.unitid for unit in built.units if unit.level in (Level.SECTION, Level.PIECE)}
    units = {unit.unitid for unit in built.units}
    faults = [f"{unitid} has no vector" for unitid in sorted(wanted - owners)]
    faults += [f"a vector belongs to {unitid}, which is no unit" for unitid in sorted(owners - units)]
    faults += [f"the vector {windowid} is zero or no number" for windowid in bad_vectors(tables)]
    if faults:
        yield fail(f"{name} vectors", _listed(faults), remedy)
    else:
        what = f"every section and piece has one of {tables.record.counts['windows']:,}; none is zero"
        yield ok(f"{name} vectors", what)


def _before(settings: "Settings", record: "EditionRecord") -> Iterator[Finding]:
    """The build that `restore` would go back to."""
    from storage.inspection import build_bytes, table_faults

    if record.previous is None:
        return
    name, before = f"{record.edition} before", record.previous
    faults = table_faults(settings.storage_dir, before)
    if faults:
        what = (
            f"the build of {before.built} cannot be gone back to: {_listed(faults)}; another ingest drops it"
        )
        yield warn(name, what, rebuild_command(record))
    else:
        size = build_bytes(settings.storage_dir, before) / 1_000_000
        back = f"python -m setup.editions restore {record.edition}"
        what = f"the build of {before.built} is kept ({size:,.1f} MB): {back}"
        yield ok(name, what)


def _listed(faults: Sequence[str]) -> str:
    more = f"; and {len(faults) - _SHOWN:,} more" if len(faults) > _SHOWN else ""
    return "; ".join(faults[:_SHOWN]) + more
