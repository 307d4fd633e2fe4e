"""Exact before approximate: which sections a query names, before anything is ranked.

Pure functions over a name table; reads no text and ranks nothing. The order of attempts:

1. the whole query is a name, however spelled (`§7.1.4`, `` `ToNumber()` ``, `Array#sort`, `@@iterator`);
2. identifier-like parts of a longer question (`mentions`). Common words that are also names (`Set`, `Get`,
   `Type`) count only when they are the whole query;
3. the whole query is one name with a slip or two, and only one name is that near;
4. a miss; with the nearest names where the query is written like an identifier.

A name with several definitions (a syntax-directed operation, an internal method) gives all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.model import Name, NameKind
from storage.name_table import PREFERENCE
from storage.names import fold
from storage.reading import NameTable
from tools import spelling

NEAREST = 5
"""Names offered after a miss: enough to hold the right one, few enough to read."""

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
_MENDED = frozenset(NameKind) - {NameKind.ANCHOR, NameKind.NUMBER, NameKind.TERM, NameKind.TITLE}
"""Kinds in which a slip is mended. A near number is another section, a near word another word."""


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
    if whole := _exact(asked, names):
        return Lookup(matches=whole, whole=True)
    if mentioned := _mentioned(query, names):
        return Lookup(matches=mentioned)
    if spelling.one_name(asked):
        if mended := _mended(asked, names):
            return Lookup(matches=mended, whole=True)
        if spelling.mentions(asked):
            return Lookup(nearest=nearest(asked, names), whole=True)
    return Lookup()


def nearest(asked: str, names: Iterable[Name], *, limit: int = NEAREST) -> tuple[Name, ...]:
    """The names most like `asked`, one a section, best first: those that go on from it, then by letter
    pairs."""
    key = fold(asked)
    pairs = spelling.letter_pairs(key)
    scored = [
        (
            not (key and name.key.startswith(key)),
            -spelling.likeness(pairs, spelling.letter_pairs(name.key)),
            name,
        )
        for name in names
        if name.kind in _MENDED
    ]
    out: dict[str, Name] = {}
    for _, score, name in sorted(scored, key=lambda one: (one[0], one[1], one[2].name, one[2].sectionid)):
        if score == 0 or len(out) == limit:
            break
        out.setdefault(name.sectionid, name)
    return tuple(out.values())


def _exact(asked: str, names: NameTable) -> tuple[Match, ...]:
    """The names under the likeliest spelling that has any."""
    keys = list(dict.fromkeys(fold(form) for form in spelling.spellings(asked)))
    found = names.by_keys(keys)
    best = min((keys.index(name.key) for name in found), default=0)
    return _one_a_section(Match(name, asked) for name in found if name.key == keys[best])


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


def _mended(asked: str, names: NameTable) -> tuple[Match, ...]:
    """All definitions of the one name that is nearest within the slips allowed; nothing when two are as
    near."""
    key = fold(asked)
    most = spelling.allowed_slips(key)
    near: dict[int, dict[str, list[Name]]] = {}
    for name in names if most else ():
        if name.kind in _MENDED and spelling.same_numbers(name.key, key):
            distance = spelling.edits(key, name.key, most=most)
            if distance <= most:
                near.setdefault(distance, {}).setdefault(name.key, []).append(name)
    best = near[min(near)] if near else {}
    if len(best) != 1:
        return ()
    return _one_a_section(Match(name, asked, mended=True) for found in best.values() for name in found)


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
