"""A peer on the bench: its results as sections and as evidence within the budget, its exceptions counted.

A result that does not fit the room that is left gives its beginning: whoever fills a prompt with another
library's results cuts them off there. It is the basket of our own strategies otherwise. An exception is the
library's answer to that question: nothing was found, and the outcome says why.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from evaluation.outcome import Outcome, outcome
from evaluation.peers.credit import earned
from evaluation.peers.material import Found, Material, Peer
from storage.embedder import one_line
from storage.model import Level, Span
from tools.budget import Basket, Budget
from tools.packet import Selected


def contestant(peer: Peer, material: Material, budget: Budget) -> Callable[[str], Outcome]:
    """The peer, asked as every other contestant is."""

    def ask(query: str) -> Outcome:
        try:
            results = peer(query)
        except Exception as error:  # whatever a library raises is its result
            return outcome([], Basket(budget), {"raised": f"{type(error).__name__}: {one_line(error)}"})
        return _told(results, material, budget)

    return ask


def _told(results: Sequence[Found], material: Material, budget: Budget) -> Outcome:
    ranked: dict[str, None] = {}
    basket = Basket(budget)
    for number, result in enumerate(results):
        sections = earned(material.owners, result.page, result.spans)
        ranked |= dict.fromkeys(sections)
        if basket.room > 0 and result.text:
            basket.offer(_selected(clipped(result, basket.room), f"result {number}", sections, material))
    more: dict[str, Any] = {"calls": 1, "candidates": len(results)}
    return outcome(list(ranked), basket, more)


def clipped(result: Found, room: int) -> Found:
    """The beginning of a result that fits the room, with the stretches that it stands for."""
    if len(result.text) <= room:
        return result
    spans: list[Span] = []
    left = room
    for span in result.spans:
        if left > 0:
            spans.append(Span(span.start, min(span.end, span.start + left)))
        left -= len(span) + 1  # the joint
    return replace(result, spans=tuple(spans), text=result.text[:room])


def _selected(result: Found, name: str, sections: Sequence[str], material: Material) -> Selected:
    return Selected(
        unitid=name,
        clauseid=sections[0] if sections else "",
        level=Level.SECTION,
        source=result.page,
        edition=material.edition,
        spans=result.spans,
        text=result.text,
        children=(),
    )
