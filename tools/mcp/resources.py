"""Sections as resources: `spec://es2026/sec-tonumber`. Pages of a list, and the text of one. Writes nothing.

An id may hold `%`, so it is escaped in an address as in any other; one that a client wrote without escaping
is understood too.
"""

import base64
import binascii
from dataclasses import dataclass
from urllib.parse import quote, unquote

from storage.documents import page_content
from storage.errors import InputError
from storage.model import Level, Unit
from storage.reading import Reader
from tools.clean import clean, one_line, shortened
from tools.mcp.editions import Editions, Opened
from tools.resolve import resolve, seek

SCHEME = "spec://"
PAGE = 200
"""Sections in one page of the list: some 40 kB."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of the list."""

    uri: str
    name: str
    title: str
    size: int
    """Characters of its subtree."""


def uri_of(edition: str, sectionid: str) -> str:
    """The address of a section."""
    return f"{SCHEME}{quote(edition, safe='')}/{quote(sectionid, safe='')}"


def listed(opened: Opened, cursor: str | None) -> tuple[list[Listed], str | None]:
    """A page of the edition's sections in document order, and the cursor of the next one.

    Raises InputError for a cursor of another build, or of none.
    """
    record = opened.reader.record
    start = _place(cursor, build=record.build) if cursor else 0
    sections = _sections(opened.reader)
    page = [
        Listed(
            uri_of(record.edition, unit.unitid),
            unit.unitid,
            one_line(f"{unit.secnum} {unit.title}") or unit.unitid,
            unit.end - unit.start,
        )
        for unit in sections[start : start + PAGE]
    ]
    after = start + PAGE
    return page, _cursor(after, build=record.build) if after < len(sections) else None


def _sections(reader: Reader) -> list[Unit]:
    """In the order of the document: its chapters by number, the annexes after them."""
    sections = [
        unit for unit in reader.matching({"level": Level.SECTION.value}) if unit.unitid == unit.clauseid
    ]
    first: dict[str, tuple[int, int, str]] = {}
    for unit in sections:
        first.setdefault(unit.source, _rank(unit))
    return sorted(sections, key=lambda unit: (first[unit.source], unit.source, unit.start, -unit.end))


def _rank(unit: Unit) -> tuple[int, int, str]:
    """Introductions without a number, chapters, annexes."""
    outermost = unit.secnum.partition(".")[0]
    if outermost.isdigit():
        return 1, int(outermost), ""
    return (2, 0, outermost) if outermost else (3 if unit.annex else 0, 0, "")


def read(editions: Editions, uri: str) -> str:
    """The text of the section at an address, markers where its children stand.

    Raises InputError for an address that leads nowhere, with the nearest names.
    """
    if not uri.startswith(SCHEME) or "/" not in uri[len(SCHEME) :]:
        raise InputError(f"{shortened(uri)} is no section; write {uri_of('es2026', 'sec-tonumber')}")
    edition, _, sectionid = uri[len(SCHEME) :].partition("/")
    reader = editions.get(unquote(edition)).reader
    named = unquote(sectionid)
    unit = reader.unit(named) or _resolved(sectionid, named, reader)
    return clean(page_content(unit))


def _resolved(written: str, named: str, reader: Reader) -> Unit:
    """What a name, a number or a former id leads to, with its escapes read and, where that is nothing, as
    written."""
    try:
        return resolve(named, reader).unit
    except InputError:
        if named == written or not seek(written, reader).units:
            raise
        return resolve(written, reader).unit


def _cursor(place: int, *, build: str) -> str:
    return base64.urlsafe_b64encode(f"{place}.{build}".encode()).decode()


def _place(cursor: str, *, build: str) -> int:
    try:
        place, _, of = base64.b64decode(cursor, altchars=b"-_", validate=True).decode().partition(".")
        if place.isdigit() and of == build:
            return int(place)
    except (ValueError, binascii.Error):
        pass
    raise InputError(
        f"the cursor {shortened(cursor)} is not of this list: ask for it again from its beginning"
    )
