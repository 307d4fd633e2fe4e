"""What a new build changed: sections and pieces of which a word differs, that are new, that are gone.

Blocks are not counted: their ids number them, so one new step would count every step behind it. Nor are
offsets: a longer first section moves all that follow and changes none of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from storage.model import Level, Unit

COLUMNS = ("unitid", "level", "titlepath", "secnum", "text")
"""What is compared, and which unit it belongs to."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How many units (pages, sections and pieces) differ from the build before."""

    changed: int
    new: int
    removed: int


def words_of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """What the stored units say, from rows with `COLUMNS`."""
    return {
        row["unitid"]: (row["titlepath"], row["secnum"], row["text"])
        for row in rows
        if row["level"] != Level.BLOCK
    }


def words_of_units(units: Iterable[Unit]) -> dict[str, tuple[str, ...]]:
    """What the units say."""
    return {
        unit.unitid: (unit.titlepath, unit.secnum, unit.text)
        for unit in units
        if unit.level is not Level.BLOCK
    }


def compare(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Changes:
    """The counts.

    >>> compare({"a": ("old",), "b": ("same",), "c": ("gone",)}, {"a": ("new",), "b": ("same",)})
    Changes(changed=1, new=0, removed=1)
    """
    return Changes(
        changed=sum(after[unitid] != words for unitid, words in before.items() if unitid in after),
        new=len(after.keys() - before.keys()),
        removed=len(before.keys() - after.keys()),
    )
