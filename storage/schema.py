"""The shape of the tables: columns, indices, and rows to and from the values of `storage.model`.

Columns are lower case (capitals break Lance's filters). `head`, `body` and `idents` are what full-text
search reads; they are never shown.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from storage.generated import CONTEXTS, SUMMARIES
from storage.model import SPECIFICATION, Kind, Level, Name, NameKind, Page, Span, Unit
from storage.names import identifier_parts

SCHEMA = 1
"""Raised with every change of a table's shape; a store of another number is rebuilt, not guessed at."""

UNITS, PAGES, NAMES, WINDOWS = "units", "pages", "names", "windows"
ROLES = (UNITS, PAGES, NAMES, WINDOWS)
"""What an edition's tables are for; those of `storage.generated` are there only where they were asked for."""

TEXT_COLUMNS = ("head", "body", "idents")
"""Columns of `units` with a full-text index."""

FULL_TEXT_INDICES: dict[str, tuple[str, ...]] = {UNITS: TEXT_COLUMNS, CONTEXTS: ("indexed",)}
"""Columns with a full-text index, by role."""

UNIT_COLUMNS = (
    "unitid",
    "sectionid",
    "clauseid",
    "parentsectionid",
    "level",
    "kind",
    "title",
    "titlepath",
    "secnum",
    "aoid",
    "chapter",
    "annex",
    "normative",
    "step",
    "source",
    "edition",
    "start",
    "end",
    "segments",
    "subsections",
    "text",
    "digest",
    "unitdigest",
    "references",
)
"""What a Unit is read from; the fields of `Unit`, one column each."""

CANDIDATE_COLUMNS = ("unitid", "clauseid", "level", "kind", "start", "end")

_GENERATED_COLUMNS = (
    *CANDIDATE_COLUMNS,
    "chapter",
    "annex",
    "type",
    "maker",
    "text",
    "indexed",
    "vector",
)

EXACT_INDICES: dict[str, tuple[str, ...]] = {
    UNITS: ("unitid", "sectionid", "parentsectionid", "clauseid"),
    PAGES: (),
    NAMES: ("key",),
    WINDOWS: ("unitid", "clauseid"),
    SUMMARIES: ("unitid", "above"),
    CONTEXTS: ("unitid",),
}
"""Columns with many values: a B-tree."""

CLASS_INDICES: dict[str, tuple[str, ...]] = {
    UNITS: ("type", "level", "kind", "chapter"),
    PAGES: (),
    NAMES: ("kind",),
    WINDOWS: ("level", "kind", "chapter"),
    SUMMARIES: (),
    CONTEXTS: (),
}
"""Columns with few values: a bitmap."""

FULL_TEXT: dict[str, Any] = {
    "remove_stop_words": False,  # `this`, `if`, `for`, `in` and `not` are what JavaScript is made of
    "stem": True,  # people ask for what "throws", the specification says "throw"
    "ascii_folding": True,
    "max_token_length": 256,  # the longest real names exceed the default of 40
    "with_position": False,  # phrases are not searched for, and positions broke `optimize` in releases before
}


def arrow_schemas(dimension: int) -> dict[str, Any]:
    """The Arrow schema of each role's table; vectors have `dimension` numbers."""
    import pyarrow as pa

    text, number, flag = pa.string(), pa.int64(), pa.bool_()
    other = {
        "start": number,
        "end": number,
        "annex": flag,
        "normative": flag,
        "segments": pa.list_(number),
        "subsections": pa.list_(text),
        "references": pa.list_(text),
        "members": pa.list_(text),
        "spans": pa.list_(number),
        "layer": number,
        "vector": pa.list_(pa.float32(), dimension),
    }
    columns = {
        UNITS: (*UNIT_COLUMNS, "type", *TEXT_COLUMNS),
        PAGES: ("pageid", "source", "edition", "title", "text", "digest", "sourcedigest"),
        NAMES: ("name", "key", "kind", "sectionid", "start", "detail"),
        WINDOWS: ("windowid", *CANDIDATE_COLUMNS, "chapter", "annex", "vector"),
        SUMMARIES: (*_GENERATED_COLUMNS, "above", "layer", "members", "spans", "source", "edition", "digest"),
        CONTEXTS: _GENERATED_COLUMNS,
    }
    return {
        role: pa.schema([(column, other.get(column, text)) for column in names])
        for role, names in columns.items()
    }


def unit_row(unit: Unit, page_text: str) -> dict[str, Any]:
    """A unit as a row of `units`. `page_text` is the canonical text of its page."""
    body = "\n".join(page_text[span.start : span.end] for span in unit.segments)
    return {
        **{column: getattr(unit, column) for column in UNIT_COLUMNS},
        "level": unit.level.value,
        "kind": unit.kind.value,
        "segments": [edge for span in unit.segments for edge in (span.start, span.end)],
        "type": SPECIFICATION,
        "head": " ".join(filter(None, (unit.titlepath, unit.secnum, *id_words(unit.sectionid)))),
        "body": body,
        "idents": " ".join(identifier_parts(f"{unit.title}\n{body}")),
    }


def unit_of(row: Mapping[str, Any]) -> Unit:
    """The unit that a row of `units` holds."""
    edges = row["segments"]
    return Unit(
        **{
            **{column: row[column] for column in UNIT_COLUMNS},
            "level": Level(row["level"]),
            "kind": Kind(row["kind"]),
            "segments": tuple(Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)),
            "subsections": tuple(row["subsections"]),
            "references": tuple(row["references"]),
        }
    )


def page_row(page: Page) -> dict[str, Any]:
    """A page as a row of `pages`."""
    return asdict(page)


def page_of(row: Mapping[str, Any]) -> Page:
    """The page that a row of `pages` holds."""
    return Page(**row)


def name_row(name: Name) -> dict[str, Any]:
    """A name as a row of `names`."""
    return {**asdict(name), "kind": name.kind.value}


def name_of(row: Mapping[str, Any]) -> Name:
    """The name that a row of `names` holds."""
    return Name(**{**row, "kind": NameKind(row["kind"])})


def id_words(sectionid: str) -> list[str]:
    """The words of an id without the `sec` that nearly all begin with.

    >>> id_words("sec-array.prototype.sort")
    ['array', 'prototype', 'sort']
    """
    return [word for word in re.findall(r"[A-Za-z0-9]+", sectionid) if word != "sec"]
