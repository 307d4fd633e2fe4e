"""What is measured: rankings of sections with their evidence, by name. One row of a table each.

`default` is the search that the tools offer. The others are the strategies of `tools.strategies`. All search
the same edition with the same embedder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from storage.model import Span
from storage.reading import Reader
from tools.budget import Basket, Budget
from tools.packet import Order, Packet, Selected
from tools.ports import TextEmbedder
from tools.search import SearchResult, search
from tools.stored_library import StoredLibrary
from tools.strategies.table import STRATEGIES, available, require, run

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question answered by one contestant."""

    ranked: tuple[str, ...]
    texts: tuple[str, ...]
    """The evidence, one text a selected unit."""
    packet: dict[str, Any]
    """What was selected and refused, and what it took, for the JSON."""


Contestant = Callable[[str], Outcome]


def contestants(
    names: list[str], reader: Reader, embedder: TextEmbedder, *, budget: Budget, depth: int, order: Order
) -> Mapping[str, Contestant]:
    """The contestants of these names, in this order; for none, all that the edition can answer.

    InputError for any other name.
    """
    library = StoredLibrary(reader, embedder)

    def by_search(query: str) -> Outcome:
        return _found(search(query, reader, embedder, limit=depth), budget)

    def by_strategy(name: str) -> Contestant:
        return lambda query: _packed(run(name, query, library, budget, order=order))

    table = {DEFAULT: by_search, **{name: by_strategy(name) for name in STRATEGIES}}
    if unknown := [name for name in names if name not in table]:
        raise InputError(f"`{unknown[0]}` is no strategy; there are {', '.join(table)}.")
    for name in names:
        if name in STRATEGIES:
            require(name, reader.record)
    return {name: table[name] for name in names or (DEFAULT, *available(reader.record))}


def _found(result: SearchResult, budget: Budget) -> Outcome:
    """A search's hits; its evidence are the snippets that fit the budget."""
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
    return _outcome([hit.section.unitid for hit in result.hits], basket.held, basket.characters, {})


def _packed(packet: Packet) -> Outcome:
    more = {
        "refusals": [
            {"unitid": one.unitid, "reason": one.reason.value, "child": one.child} for one in packet.refusals
        ],
        "parents": [one.unitid for one in packet.parents],
        "calls": packet.calls,
        "candidates": packet.candidates,
    }
    return _outcome(packet.sections(), list(packet.selected), packet.characters, more)


def _outcome(ranked: list[str], held: list[Selected], characters: int, more: dict[str, Any]) -> Outcome:
    selected = [
        {
            "unitid": one.unitid,
            "level": one.level.value,
            "spans": [[span.start, span.end] for span in one.spans],
            "children": [child.unitid for child in one.children],
        }
        for one in held
    ]
    packet = {"characters": characters, "selected": selected, **more}
    return Outcome(tuple(ranked), tuple(one.text for one in held), packet)
