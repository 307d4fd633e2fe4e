"""What a contestant of the bench gives for one question: a ranking, evidence, and what it took. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from storage.model import Span
from tools.budget import Basket, Budget, used
from tools.packet import Selected
from tools.search import SearchResult


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


def snippets(result: SearchResult, budget: Budget) -> list[Selected]:
    """A search's snippets, as far as they fit."""
    basket = Basket(budget)
    for hit in result.hits:
        basket.offer(
            Selected(
                unitid=hit.section.unitid,
                clauseid=hit.section.clauseid,
                level=hit.section.level,
                source=hit.section.source,
                edition=hit.section.edition,
                spans=(Span(hit.start, hit.end),),
                text=hit.snippet,
                children=hit.matched,
            )
        )
    return basket.held
