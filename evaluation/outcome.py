"""What a contestant of the bench gives for one question: a ranking, evidence, and what it took. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tools.budget import Basket, used
from tools.packet import Selected


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question answered by one contestant."""

    ranked: tuple[str, ...]
    texts: tuple[str, ...]
    """The evidence, one text a selected unit."""
    packet: dict[str, Any]
    """What was selected and refused, and what it took, for the JSON; `raised` where it failed instead."""


Contestant = Callable[[str], Outcome]


def outcome(ranked: Sequence[str], held: Basket | Sequence[Selected], more: dict[str, Any]) -> Outcome:
    """A ranking with what was selected."""
    units = list(held.held if isinstance(held, Basket) else held)
    selected = [
        {
            "unitid": one.unitid,
            "level": one.level.value,
            "spans": [[span.start, span.end] for span in one.spans],
            "children": [child.unitid for child in one.children],
        }
        for one in units
    ]
    packet = {"characters": used(units), "selected": selected, **more}
    return Outcome(tuple(ranked), tuple(one.text for one in units), packet)
