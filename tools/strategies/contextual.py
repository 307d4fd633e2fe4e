"""Blocks, each searched by words and by meaning behind a context that says where it stands.

After Anthropic's contextual retrieval (2024). The context is the heading path, and behind it a sentence by a
chat model where the ingest was asked for one. It is searched and never shown: the evidence is the block.
"""

from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, packed, select
from tools.library import Counted, Library
from tools.packet import Packet


def contextual(query: str, library: Library, budget: Budget) -> Packet:
    """The best blocks that fit."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search_contexts(query, limit=CANDIDATES)
    refusals = select(hits, counted, basket)
    return packed("contextual", query, counted, hits=hits, basket=basket, refusals=refusals)
