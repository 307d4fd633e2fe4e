"""The units behind the names that a look-up found, in an order that people expect. Pure; units are handed in.

By kind of name; the main text before the annexes that change it; sections before the tables that list them;
then by section number. A definition inside another one (a getter under its property) is not a second meaning.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from storage.model import Level, Unit
from storage.name_table import PREFERENCE
from tools.lookup import Match


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that was found, and the section or piece that it leads to."""

    match: Match
    unit: Unit


def definitions(matches: Iterable[Match], units: Iterable[Unit]) -> list[Definition]:
    """The matches whose units there are, in order."""
    by_id: Mapping[str, Unit] = {unit.unitid: unit for unit in units}
    found = [Definition(one, by_id[one.name.sectionid]) for one in matches if one.name.sectionid in by_id]
    return sorted(found, key=_place)


def meanings(found: Sequence[Definition]) -> list[Definition]:
    """What a lone name can mean: the definitions of its best kind, each without those that stand inside it.

    One in the main text is meant rather than those of the annexes, a section rather than the tables that list
    it.
    """
    best = [one for one in found if one.match.name.kind == found[0].match.name.kind]
    ids = {one.unit.unitid for one in best}
    outer = [one for one in best if one.unit.parentsectionid not in ids]
    first = outer[0].unit if outer else None
    return [one for one in outer if first and (one.unit.annex, one.unit.level) == (first.annex, first.level)]


def number_key(secnum: str) -> tuple[tuple[int, int, str], ...]:
    """Section numbers in the order of the document: numerals by value, annex letters after them, none
    last."""
    if not secnum:
        return ((2, 0, ""),)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"\.", secnum))


def _place(one: Definition) -> tuple[object, ...]:
    unit = one.unit
    return (
        PREFERENCE[one.match.name.kind],
        unit.annex,
        unit.level is Level.PIECE,
        number_key(unit.secnum),
        unit.source,
        unit.start,
        unit.unitid,
    )
