"""Runs of twelve words, one search, shown as they were found; what a splitter without structure gives."""

from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, packed, select
from tools.library import Counted, Library
from tools.packet import Packet


def flat_windows(query: str, library: Library, budget: Budget) -> Packet:
    """The best runs of words that fit; neighbours may overlap, none lies inside another."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search_windows(query, limit=CANDIDATES)
    refusals = select(hits, counted, basket)
    return packed("flat_windows", query, counted, hits=hits, basket=basket, refusals=refusals)
