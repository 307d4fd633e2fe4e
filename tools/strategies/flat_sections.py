"""Sections, one search, each shown with its own text."""

from storage.model import Level
from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, packed, select
from tools.library import Counted, Library
from tools.packet import Packet


def flat_sections(query: str, library: Library, budget: Budget) -> Packet:
    """The best sections that fit, child sections as markers."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.SECTION,), limit=CANDIDATES)
    refusals = select(hits, counted, basket)
    return packed("flat_sections", query, counted, hits=hits, basket=basket, refusals=refusals)
