"""The public page of a section, for the edition that was asked. Pure; asks no server.

Each yearly edition keeps its own page, where a section's id is the anchor, so a link shows the words that
were quoted and not today's. An edition from an address of its own links there; a file or a folder has none.
"""

import re
from urllib.parse import quote, urlsplit

from storage.model import EditionRecord
from storage.reading import Reader

_FOLLOWABLE = re.compile(r"https://[\w.:-]+/[\w/.%~-]*(?:#[\w.%~-]*)?", re.ASCII)
_YEARLY = (
    (re.compile(r"es(?P<year>20\d\d)"), 2016, "https://tc39.es/ecma262/{year}/"),
    (re.compile(r"ecma402-(?P<year>20\d\d)"), 2021, "https://tc39.es/ecma402/{year}/"),
)
"""How an edition is called, the first year that is kept so, and its page."""


def public_page(record: EditionRecord) -> str:
    """The address of an edition's page; empty where it has none."""
    if record.sample:
        return ""
    for pattern, first, address in _YEARLY:
        found = pattern.fullmatch(record.edition)
        if found and int(found["year"]) >= first:
            return address.format(year=found["year"])
    parts = urlsplit(record.origin)
    # Only the public part of it: an address may hold a name and a password.
    safe = parts.scheme == "https" and parts.hostname and not parts.username and not parts.query
    return f"https://{parts.netloc}{quote(parts.path)}" if safe else ""


def followable(url: str) -> bool:
    """Whether an address may stand in a rendering as a link: of the web, and nothing that ends it early."""
    return bool(_FOLLOWABLE.fullmatch(url))


def public_link(record: EditionRecord, sectionid: str) -> str:
    """The section on that page; empty where there is no page."""
    page = public_page(record)
    return f"{page}#{quote(sectionid, safe='')}" if page and sectionid else ""


def section_link(reader: Reader, sectionid: str) -> str:
    """The public page of a section that an edition has; empty where there is none."""
    url = public_link(reader.record, sectionid) if sectionid in reader.outline() else ""
    return url if followable(url) else ""
