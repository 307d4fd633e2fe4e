"""The tools' own search as a packet: its hits as evidence within a budget, like a strategy's.

For whoever wants evidence and not a list of hits. Each hit may take an even share of the room that is left:
its section's own text where that fits, else the snippet that showed why it was found.
"""

from storage.model import Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.evidence import own_text, packed, stretches
from tools.library import Counted, Library
from tools.packet import Packet, Refusal
from tools.ports import Embedder, Reader
from tools.search import MOST_HITS, Hit, search

DEFAULT = "default"
"""What the search is called beside the strategies."""


def searched(query: str, reader: Reader, embedder: Embedder, library: Library, budget: Budget) -> Packet:
    """As many hits as the budget has units. InputError for a query that cannot be searched."""
    counted, basket = Counted(library), Basket(budget)
    found = search(query, reader, embedder, limit=min(budget.units, MOST_HITS))
    refusals: list[Refusal] = []
    hits: list[Candidate] = []
    for hit in found.hits:
        led = hit.matched or (_named(hit.section),)
        hits += led
        left = budget.units - len(basket.held)
        if reason := _offer(hit, led, counted, basket, share=basket.room // max(1, left)):
            refusals.append(reason)
    # The search is one call; how many reads it took is its own business.
    counted.calls += 1
    counted.candidates += len(hits)
    return packed(DEFAULT, query, counted, hits=hits, basket=basket, refusals=refusals)


def _offer(
    hit: Hit, led: tuple[Candidate, ...], library: Counted, basket: Basket, *, share: int
) -> Refusal | None:
    # A section longer than its share is not read to be refused, unless it may be short without its children.
    if hit.section.subsections or len(hit.section.span) <= share:
        section = own_text(hit.section, led, library)
        if len(section.text) <= share and not basket.offer(section):
            return None
    snippet = stretches(hit.section, (Span(hit.start, hit.end),), led, library)
    reason = basket.full or basket.offer(snippet)
    return Refusal(hit.section.unitid, reason, led[0].unitid) if reason else None


def _named(section: Unit) -> Candidate:
    """A section that only its name led to: no search gave it a score."""
    return Candidate(
        section.unitid, section.clauseid, section.level, section.kind, section.start, section.end, score=0.0
    )
