"""From what a model or a person typed to one unit of the store: an id of any kind, a number, or a name.

Every id that any tool prints is accepted here. Nothing is guessed in silence: whatever was not the unit's own
id is said in `note`, several meanings are listed, and a miss offers the nearest names.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.errors import InputError
from storage.model import Name, Unit
from tools.clean import QUERY_LIMIT, one_line, shortened
from tools.definitions import Definition, definitions, meanings
from tools.lookup import Lookup, look_up, nearest
from tools.ports import Reader
from tools.spelling import bare

MEANINGS = 12
"""Definitions that a message lists: internal methods have fewer, `Evaluation` has seventy."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The unit that was meant. `note` says how it was found, and is empty when its own id was given."""

    unit: Unit
    note: str = ""


def resolve(asked: str, reader: Reader) -> Resolved:
    """The one unit that `asked` names.

    Raises InputError, with the nearest names or all the meanings, where there is none or more than one.
    """
    text = usable(asked, what="section id")
    for unitid in dict.fromkeys((text, bare(text))):
        if unit := reader.unit(unitid):
            return Resolved(unit)
    lookup = look_up(text, reader.names())
    units = reader.units([match.name.sectionid for match in lookup.matches]) if lookup.matches else ()
    found = definitions(lookup.matches, units)
    meant = meanings(found)
    if not meant:
        raise InputError(_none(text, lookup, reader))
    if len(meant) > 1:
        raise InputError(_several(text, meant))
    return Resolved(meant[0].unit, _note(text, meant[0], found))


def usable(text: str, *, what: str) -> str:
    """The text as one clean line; InputError when nothing is left of it or it is far too long."""
    if len(text) > QUERY_LIMIT:
        raise InputError(
            f"The {what} has {len(text):,} characters; at most {QUERY_LIMIT:,} are read. Shorten it."
        )
    line = one_line(text)
    if not line:
        raise InputError(f"The {what} is empty. Give an id such as `sec-x`, a number, a name or a question.")
    return line


def offer(names: tuple[Name, ...]) -> str:
    """The nearest names as the end of a sentence; empty when there are none."""
    found = [
        f"`{name.sectionid}`" + ("" if name.name == name.sectionid else f" ({one_line(name.name)})")
        for name in names
    ]
    return f" Nearest: {', '.join(found)}." if found else ""


def _note(asked: str, meant: Definition, found: Sequence[Definition]) -> str:
    name = meant.match.name
    here = f"`{shortened(asked)}`"
    if meant.match.mended:
        return f"{here} is no name here; read as {name.kind} `{name.name}`, in `{name.sectionid}`."
    others = [f"`{one.unit.unitid}`" for one in found if one.unit is not meant.unit]
    also = f"; it also stands in {', '.join(others[:MEANINGS])}" if others else ""
    return f"{here} is the {name.kind} that leads to `{name.sectionid}`{also}."


def _several(asked: str, meant: Sequence[Definition]) -> str:
    listed = "; ".join(f"`{one.unit.unitid}`{_facts(one)}" for one in meant[:MEANINGS])
    more = f"; a search for it lists all {len(meant)}" if len(meant) > MEANINGS else ""
    return f"`{shortened(asked)}` has {len(meant)} definitions; fetch one of them: {listed}{more}."


def _facts(one: Definition) -> str:
    detail = f" ({shortened(one.match.name.detail)})" if one.match.name.detail else ""
    return f" {one.unit.secnum}{detail}" if one.unit.secnum else detail


def _none(asked: str, lookup: Lookup, reader: Reader) -> str:
    near = lookup.nearest or nearest(asked, reader.names())
    edition = reader.record.edition
    return (
        f"There is no such section: `{shortened(asked)}` is no id, number or name in {edition}.{offer(near)}"
    )
