"""Exact before approximate: which sections a query names, before anything is ranked.

Pure functions over a name table; reads no text and ranks nothing. The order of attempts:

1. the whole query is a name, however spelled (`§7.1.4`, `` `ToNumber()` ``, `Array#sort`, `@@iterator`);
2. it is an operation and what it is defined for (`Evaluation of IfStatement`);
3. it is one name with a slip or two, and only one name is that near;
4. identifier-like parts of a longer question (`mentions`). Common words that are also names (`Set`, `Get`,
   `Type`) count only when they are the whole query;
5. a miss; with the nearest names where the query is written like an identifier.

A name with several definitions (a syntax-directed operation, an internal method) gives all of them.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.model import Name, NameKind
from storage.name_table import PREFERENCE
from storage.names import fold
from storage.reading import NameTable
from tools import spelling

NEAREST = 5
"""Names offered after a miss: enough to hold the right one, few enough to read."""

SAME_SECTION = 8
"""Names of one section among the nearest: an id, its legacy ids, operation and method."""

_IDS = frozenset({NameKind.ID, NameKind.LEGACY_ID, NameKind.ANCHOR})
_SHAPES = {
    "slot": frozenset({NameKind.SLOT}),
    "intrinsic": frozenset({NameKind.INTRINSIC, NameKind.METHOD, NameKind.SYMBOL}),
    "number": frozenset({NameKind.NUMBER}),
    "id": _IDS,
    "symbol": frozenset({NameKind.SYMBOL}),
    "path": frozenset({NameKind.METHOD, NameKind.INTRINSIC, NameKind.SYMBOL, NameKind.OPERATION}),
    "camel": frozenset({NameKind.OPERATION, NameKind.NONTERMINAL, NameKind.TERM}),
}
"""What a part of a question may name, by its shape."""
_NOT_MENDED = (NameKind.TITLE, NameKind.NUMBER, NameKind.TERM, NameKind.ANCHOR)
"""Kinds in which a slip is not mended. A near number is another section, a near word another word."""


@dataclass(frozen=True, slots=True)
class Match:
    """A name that the query holds. `mended` says that it was written with a slip."""

    name: Name
    asked: str
    mended: bool = False

    @property
    def why(self) -> str:
        """How the match came about, for people."""
        return f"near {self.name.kind} {self.name.name}" if self.mended else f"exact {self.name.kind}"


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a query names."""

    matches: tuple[Match, ...] = ()
    whole: bool = False
    """The query is nothing but a name."""
    nearest: tuple[Name, ...] = ()
    """Filled only after a miss, and only where the query looks like an identifier."""

    def of_best_kind(self) -> tuple[Match, ...]:
        """The matches of the kind that comes first in the order of preference: what a fetch means."""
        return tuple(match for match in self.matches if match.name.kind == self.matches[0].name.kind)


def look_up(query: str, names: NameTable) -> Lookup:
    """The sections that a query names, exact spellings first; see the module's text for the order."""
    asked = spelling.bare(query)
    forms = (*spelling.lone_spellings(asked), *spelling.wrapped(asked))
    if whole := _exact(asked, names, forms=forms) or _of_production(asked, names):
        return Lookup(matches=whole, whole=True)
    near = near_slips(asked, names) if spelling.one_name(asked) else ()
    if near and _one_name(near):
        return Lookup(matches=_one_a_section(Match(name, asked, mended=True) for name in near), whole=True)
    mentioned = _mentioned(query, names) if not near else ()
    if spelling.one_name(asked):
        # `Map.prototype.emplace` is no `Map.prototype`: what it is a method of is not what was asked for.
        mentioned = tuple(one for one in mentioned if not one.name.name.endswith(".prototype"))
    if mentioned:
        return Lookup(matches=mentioned)
    if spelling.one_name(asked) and spelling.mentions(asked):
        return Lookup(nearest=nearest(asked, names), whole=True)
    return Lookup()


def nearest(asked: str, names: Iterable[Name], *, limit: int = NEAREST) -> tuple[Name, ...]:
    """The names most like `asked`, one a section, best first: a slip away; those that go on from it; those
    that end in the same property; then by letter pairs."""
    if spelling.is_number(asked):
        return _near_numbers(asked, names)[:limit]
    key = fold(asked)
    pairs, last = spelling.letter_pairs(key), spelling.last_part(key)
    held = _mendable(names)
    slips = spelling.distances(key, [name.key for name in held], most=max(1, spelling.allowed_slips(key)))
    scored = []
    for place, name in enumerate(held):
        likeness = spelling.likeness(pairs, spelling.letter_pairs(name.key))
        same_last = bool(last) and spelling.last_part(name.key) == last
        if place in slips or likeness:
            goes_on = bool(key) and name.key.startswith(key)
            order = (slips.get(place, len(key)), not goes_on, not same_last, -likeness)
            scored.append(((*order, name.name, name.sectionid, name.kind, name.start), name))
    out: dict[str, Name] = {}
    for _, name in heapq.nsmallest(limit * SAME_SECTION, scored, key=lambda one: one[0]):
        out.setdefault(name.sectionid, name)
    return tuple(out.values())[:limit]


def _mendable(names: Iterable[Name]) -> list[Name]:
    # By identity: a set would call the hash of every kind, which takes longer than all the rest of a look-up.
    title, number, term, anchor = _NOT_MENDED
    return [
        name
        for name in names
        if (kind := name.kind) is not title and kind is not number and kind is not term and kind is not anchor
    ]


def _near_numbers(asked: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """The section that would hold this number, then those beside it."""
    parts = asked.casefold().split(".")
    held = [(name.key.split("."), name) for name in names if name.kind is NameKind.NUMBER]
    around = [(them, name) for them, name in held if them[:-1] == parts[:-1] or them == parts[: len(them)]]
    return tuple(
        name for _, name in sorted(around, key=lambda one: (len(one[0]), _between(one[0][-1], parts[-1])))
    )


def _between(one: str, other: str) -> int:
    """How far two numerals are apart; letters by their place in the alphabet."""
    one, other = (text if text.isdecimal() else str(ord(text[0])) for text in (one, other))
    return abs(int(one) - int(other))


def _one_name(names: Sequence[Name]) -> bool:
    """Whether all are definitions of one name, or other names of the sections that it leads to."""
    first = {name.sectionid for name in names if name.key == names[0].key}
    return first.issuperset(name.sectionid for name in names)


def near_slips(asked: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """All definitions of the names that are nearest to the likeliest spelling of `asked` that has any within
    the slips allowed."""
    held = _mendable(names)
    keys = [name.key for name in held]
    best: dict[int, int] = {}
    for key in dict.fromkeys(map(fold, spelling.lone_spellings(asked))):
        most = min(spelling.allowed_slips(key), min(best.values(), default=2) - 1)
        near = spelling.distances(key, keys, most=most) if most > 0 else {}
        best = {at: far for at, far in near.items() if spelling.same_numbers(keys[at], key)} or best
    least = min(best.values(), default=0)
    return tuple(held[at] for at in sorted(best) if best[at] == least)


def _exact(asked: str, names: NameTable, *, forms: Iterable[str] | None = None) -> tuple[Match, ...]:
    """The names under the likeliest spelling that has any."""
    keys = list(dict.fromkeys(map(fold, spelling.spellings(asked) if forms is None else forms)))
    found = names.by_keys(keys)
    best = min((keys.index(name.key) for name in found), default=0)
    meant = [name for name in found if name.key == keys[best]]
    # The inner id `typedarray` is not what `TypedArray` means.
    if any(name.name == asked and name.kind is not NameKind.ANCHOR for name in meant):
        meant = [name for name in meant if name.name == asked or name.kind is not NameKind.ANCHOR]
    return _one_a_section(Match(name, asked) for name in meant)


def _mentioned(question: str, names: NameTable) -> tuple[Match, ...]:
    found: list[Match] = []
    for shape, text in spelling.mentions(question):
        found += _mention(shape, text, names)
    return _one_a_section(found, keep_order=True)


def _mention(shape: str, text: str, names: NameTable) -> tuple[Match, ...]:
    forms = spelling.shorter_paths(text) if shape == "path" else (text,)
    for form in forms:
        matches = (match for match in _exact(form, names) if match.name.kind in _SHAPES[shape])
        # In a question `toString` is a method of something and `ToString` the operation: here case counts.
        kept = tuple(match for match in matches if shape != "camel" or _same_case(match.name.name, text))
        if kept:
            return kept
    return ()


def _same_case(name: str, text: str) -> bool:
    return text in name


def _of_production(asked: str, names: NameTable) -> tuple[Match, ...]:
    """The definitions of an operation for one production: `Evaluation of IfStatement`."""
    for operation, production in spelling.operation_and_production(asked):
        found = _exact(operation, names)
        kept = tuple(one for one in found if fold(production) in fold(one.name.detail).split(","))
        if kept:
            return kept
    return ()


def _one_a_section(matches: Iterable[Match], *, keep_order: bool = False) -> tuple[Match, ...]:
    """Each section once, under its best kind; otherwise in the order of the table, which is the
    document's."""
    ordered: Sequence[Match] = list(matches)
    if not keep_order:
        ordered = sorted(ordered, key=lambda match: PREFERENCE[match.name.kind])
    out: dict[str, Match] = {}
    for match in ordered:
        out.setdefault(match.name.sectionid, match)
    return tuple(out.values())
