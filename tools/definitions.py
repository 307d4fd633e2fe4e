"""The units behind the names that a look-up found, in an order that people expect. Pure; units are handed in.

By kind of name; the main text before the annexes that change it; a production before its repetitions in
examples; what a heading defines before what a table or a paragraph mentions; sections before pieces; then by
section number. A definition inside another one of the same sort (a getter under its property) is not a
second meaning.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from storage.model import Level, NameKind, Unit
from storage.name_table import PREFERENCE
from tools.lookup import Match


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that was found, and the section or piece that it leads to."""

    match: Match
    unit: Unit

    @property
    def sort(self) -> tuple[int, bool, bool, bool, bool]:
        """Smaller is more likely meant; equal sorts are meanings side by side."""
        kind, _, repeated, mentioned, piece = self.main_sort
        return kind, self.unit.annex, repeated, mentioned, piece

    @property
    def main_sort(self) -> tuple[int, bool, bool, bool, bool]:
        """The sort that it would have in the main text."""
        name = self.match.name
        by_heading = name.start == self.unit.start
        repeated = name.kind is NameKind.NONTERMINAL and bool(name.detail)
        piece = self.unit.level is Level.PIECE
        return PREFERENCE[name.kind], False, repeated, not by_heading, piece


def definitions(matches: Iterable[Match], units: Iterable[Unit]) -> list[Definition]:
    """The matches whose units there are, in order."""
    by_id: Mapping[str, Unit] = {unit.unitid: unit for unit in units}
    found = [Definition(one, by_id[one.name.sectionid]) for one in matches if one.name.sectionid in by_id]
    return sorted(found, key=_place)


def meanings(found: Sequence[Definition]) -> list[Definition]:
    """What a lone name can mean: the definitions of the best sort that stand in no other one.

    Where the main text alone has several, those of the annexes belong to the list; where it has one, that is
    it.
    """
    best = [one for one in found if one.sort == found[0].sort]
    if len(best) > 1 and not best[0].unit.annex:
        best += [one for one in found if one.unit.annex and one.main_sort == best[0].sort]
    ids = {one.unit.unitid for one in best}
    return [one for one in best if one.unit.parentsectionid not in ids]


def number_key(secnum: str) -> tuple[tuple[int, int, str], ...]:
    """Section numbers in the order of the document: numerals by value, then annex letters, then none."""
    if not secnum:
        return ((2, 0, ""),)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"\.", secnum))


def _place(one: Definition) -> tuple[object, ...]:
    unit = one.unit
    return (one.sort, number_key(unit.secnum), unit.source, unit.start, unit.unitid)
