"""The smallest units, one search, shown as they were found."""

from storage.model import Level
from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, packed, select
from tools.library import Counted, Library
from tools.packet import Packet


def flat_blocks(query: str, library: Library, budget: Budget) -> Packet:
    """The best blocks that fit."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.BLOCK,), limit=CANDIDATES)
    refusals = select(hits, counted, basket)
    return packed("flat_blocks", query, counted, hits=hits, basket=basket, refusals=refusals)
