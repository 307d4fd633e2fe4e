"""Where fetched text leads: the operations it calls and the sections it points to. Reads a store.

Operations come first, in the order of the text, since an algorithm is followed through them; then the other
sections. What the fetch shows anyway, itself or as a marker, is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.model import Unit
from tools.clean import one_line
from tools.ports import Reader

NAMED, OTHERS = 12, 3
"""Operations named in the text of one fetch: more than an algorithm of usual length has. And other sections:
most are the types of values and conventions, the same in every algorithm."""
LABEL = "Refers to: "


@dataclass(frozen=True, slots=True)
class Reference:
    """A section that fetched text refers to; `name` is its operation, else its title."""

    sectionid: str
    name: str
    operation: bool


def outgoing(shown: Sequence[Unit], reader: Reader) -> list[Reference]:
    """What the units refer to, each once, operations first."""
    here = {unit.unitid for unit in shown} | {child for unit in shown for child in unit.subsections}
    here |= {unit.clauseid for unit in shown}
    wanted = [one for one in dict.fromkeys(_told(shown)) if one not in here]
    found = [
        Reference(unit.unitid, one_line(unit.aoid or unit.title), bool(unit.aoid))
        for unit in (reader.units(wanted) if wanted else ())
    ]
    return sorted(found, key=lambda one: not one.operation)


def _told(units: Iterable[Unit]) -> Iterable[str]:
    return (reference for unit in units for reference in unit.references)


def line(references: Sequence[Reference], *, room: int) -> str:
    """``Refers to: ToPrimitive (`sec-toprimitive`)`` in at most `room` characters; empty where none fits."""
    operations = [one for one in references if one.operation][:NAMED]
    others = [one for one in references if not one.operation][:OTHERS]
    entries = [f"{one.name} (`{one.sectionid}`)" for one in operations + others]
    while entries and len(text := _written(entries, more=len(references) - len(entries))) > room:
        entries.pop()
    return text if entries else ""


def _written(entries: Sequence[str], *, more: int) -> str:
    return LABEL + ", ".join(entries) + (f", and {more} more" if more else "")
