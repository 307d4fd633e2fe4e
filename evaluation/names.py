"""What an edition's sections are called, and how people write it: the cases of `evaluation lookup`.

Made from headings, attributes and ids by rules of its own, so that a fault in the table of names shows. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from storage.model import Name, NameKind, Unit

_SEMANTICS = re.compile(r"(?:Static|Runtime) Semantics: (?P<name>[A-Z]\w+)(?: \(.*\))?$")
_CALL = re.compile(r"(?P<head>[^()]*\S) ?\(.*\)$")
_PATH = re.compile(
    r"(?:[gs]et )?%?\w+%?(?:\.[\w$]+)+$|(?:[gs]et )?%?[\w.]+%?(?:\.[\w.]+)? ?\[ %Symbol\.\w+% \]$"
)
_OPERATION = re.compile(r"[A-Z]\w*(?:::\w+)?$")

_FROM_TABLE = {
    NameKind.LEGACY_ID: "legacy ids",
    NameKind.INTRINSIC: "intrinsics",
    NameKind.SLOT: "slots",
    NameKind.SYMBOL: "well-known symbols",
    NameKind.NONTERMINAL: "nonterminals",
}
"""What only the table of names tells; all the rest is told by the sections."""

ONE_IS_ENOUGH = frozenset(_FROM_TABLE.values())
"""Sorts whose names are also said in passing, in tables and examples: one of the places is what is meant."""


@dataclass(frozen=True, slots=True)
class Case:
    """A name, and the sections that it names."""

    sort: str
    name: str
    sections: frozenset[str]


def cases(sections: Sequence[Unit], names: Iterable[Name]) -> list[Case]:
    """Every name of an edition, by sort."""
    found: dict[tuple[str, str], set[str]] = {}
    for unit in sections:
        found.setdefault(("section ids", unit.unitid), set()).add(unit.unitid)
        if unit.secnum:
            found.setdefault(("numbers", unit.secnum), set()).add(unit.unitid)
        for headed in _headed(unit):
            found.setdefault(headed, set()).add(unit.unitid)
    for name in names:
        if name.kind in _FROM_TABLE:
            found.setdefault((_FROM_TABLE[name.kind], name.name), set()).add(name.sectionid)
    return [Case(sort, called, frozenset(wanted)) for (sort, called), wanted in found.items()]


def _headed(unit: Unit) -> Iterator[tuple[str, str]]:
    """The operation or method that a section's heading or attribute says it defines."""
    title = unit.title
    semantics, call = _SEMANTICS.match(title), _CALL.match(title)
    head = call["head"] if call else title
    if unit.aoid:
        yield "operation names", unit.aoid
    elif semantics:
        yield "operation names", semantics["name"]
    elif call and re.fullmatch(r"\[\[\w+\]\]", head):
        yield "internal methods", head
    elif _PATH.match(head):
        yield "method paths", head
    elif call and "::" in head and _OPERATION.match(head):
        yield "operation names", head
    elif call and re.fullmatch(r"[A-Za-z]\w*", head):
        yield "functions and constructors", head


def spellings(case: Case) -> Iterator[tuple[str, str]]:
    """Other ways to write the name, each with what it is called."""
    name = case.name
    for way, made in _WAYS.get(case.sort, ()):
        text = made(name)
        if text != name:
            yield f"{case.sort}: {way}", text


def _hash(name: str) -> str:
    return re.sub(r"\.prototype\.(?=\w+$)", "#", name)


def _older(name: str) -> str:
    return re.sub(r" \[ %Symbol\.(\w+)% \]", r"[@@\1]", name)


def _programmers(name: str) -> str:
    return re.sub(r" \[ %(Symbol\.\w+)% \]", r"[\1]", name)


def _unquoted(name: str) -> str:
    return name.replace("%TypedArray%", "TypedArray")


def _called(name: str) -> str:
    return f"{name}()"


_CASES = (("lower case", str.lower), ("in backticks", "`{}`".format))
_WAYS = {
    "section ids": (("upper case", str.upper), ("as a fragment", "#{}".format)),
    "numbers": (("with §", "§{}".format), ("after a word", "section {}".format)),
    "operation names": (
        *_CASES,
        ("as a call", _called),
        ("in words", lambda name: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)),
    ),
    "method paths": (
        *_CASES,
        ("as a call", _called),
        ("as a call, lower case", lambda name: f"{name.casefold()}()"),
        ("with #", _hash),
        ("with @@", _older),
        ("with Symbol.x", _programmers),
        ("without %", _unquoted),
        ("without get or set", lambda name: re.sub(r"^[gs]et ", "", name)),
    ),
    "functions and constructors": (*_CASES, ("as a call", _called)),
    "intrinsics": (*_CASES, ("without %", lambda name: name.strip("%"))),
    "internal methods": (*_CASES, ("with spaces", lambda name: f"[[ {name[2:-2]} ]]")),
    "slots": (*_CASES, ("with spaces", lambda name: f"[[ {name[2:-2]} ]]")),
    "well-known symbols": (("older", lambda name: name.replace("%Symbol.", "@@").strip("%")),),
    "nonterminals": (
        *_CASES,
        ("between bars", "|{}|".format),
        ("with parameters", "{}[Yield, Await]".format),
    ),
}
