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
from tools.lookup import look_up, nearest
from tools.ports import Named, Reader
from tools.spelling import bare
from tools.visible import shows_something

ALSO = 12
"""Further places that a note lists where the name has one meaning."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The unit that was meant. `note` says how it was found, and is empty when its own id was given."""

    unit: Unit
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a name can mean. `units` are the meanings, the likeliest first; empty after a miss, which offers
    the `nearest` names instead. `found` also has what only mentions the name."""

    units: tuple[Unit, ...] = ()
    meant: tuple[Definition, ...] = ()
    """The definitions behind the units; none where a unit's own id was given."""
    found: tuple[Definition, ...] = ()
    nearest: tuple[Name, ...] = ()


def seek(asked: str, reader: Named) -> Sought:
    """Everything that `asked` can mean; InputError for text that cannot be a name."""
    text = usable(asked, what="section id")
    for unitid in dict.fromkeys((text, bare(text))):
        if unit := reader.unit(unitid):
            return Sought(units=(unit,))
    lookup = look_up(text, reader.names())
    units = reader.units([match.name.sectionid for match in lookup.matches]) if lookup.matches else ()
    found = definitions(lookup.matches, units)
    meant = meanings(found)
    if not meant:
        return Sought(nearest=lookup.nearest or nearest(text, reader.names()))
    return Sought(tuple(one.unit for one in meant), tuple(meant), tuple(found))


def resolve(asked: str, reader: Reader) -> Resolved:
    """The one unit that `asked` names.

    Raises InputError, with the nearest names or all the meanings, where there is none or more than one.
    """
    sought = seek(asked, reader)
    text = usable(asked, what="section id")
    if not sought.units:
        raise InputError(_none(text, sought.nearest, reader.record.edition))
    if len(sought.units) > 1:
        raise InputError(_several(text, sought.meant))
    return Resolved(sought.units[0], _note(text, sought.meant[0], sought.found) if sought.meant else "")


def usable(text: str, *, what: str) -> str:
    """The text as one clean line; InputError when nothing is left of it or it is far too long."""
    if len(text) > QUERY_LIMIT:
        raise InputError(
            f"The {what} has {len(text):,} characters; at most {QUERY_LIMIT:,} are read. Shorten it."
        )
    line = one_line(text)
    if not shows_something(line):
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
    also = f"; it also stands in {', '.join(others[:ALSO])}" if others else ""
    return f"{here} is the {name.kind} that leads to `{name.sectionid}`{also}."


def _several(asked: str, meant: Sequence[Definition]) -> str:
    """All the meanings, by production or by owner: a list that stops short cannot be relied on."""
    listed = "; ".join(f"`{one.unit.unitid}`{_facts(one)}" for one in meant)
    return f"`{shortened(asked)}` has {len(meant)} definitions; fetch one of them: {listed}."


def _facts(one: Definition) -> str:
    """Number, and what tells it from the others: its productions, or the heading that it stands under."""
    owner = one.unit.titlepath.split(" > ")[-2:-1]
    detail = shortened(one.match.name.detail or "".join(owner))
    return " ".join(["", *filter(None, (one.unit.secnum, f"({detail})" if detail else ""))])


def _none(asked: str, near: tuple[Name, ...], edition: str) -> str:
    return (
        f"There is no such section: `{shortened(asked)}` is no id, number or name in {edition}.{offer(near)}"
    )
