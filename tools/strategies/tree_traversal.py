"""Down the tree of summaries, layer by layer, to passages: at each the few best of what hangs below the last.

After RAPTOR's tree traversal (Sarthi et al., ICLR 2024). It starts at the outermost sections' summaries and
keeps `WIDTH` of each layer, summaries and passages together. The evidence is the passages that were kept; the
summaries on the way are on record as parents, and none of their text is shown. What hangs under a summary
that was not kept is lost for good.
"""

from storage.generated import TOP
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.evidence import packed, select
from tools.library import Counted, Library
from tools.packet import Packet

WIDTH = 5
"""Nodes kept of each layer, as in RAPTOR's code."""


def tree_traversal(query: str, library: Library, budget: Budget, *, width: int = WIDTH) -> Packet:
    """The best passages under the best summaries under the best summaries."""
    counted, basket = Counted(library), Basket(budget)
    way: list[Candidate] = []
    leaves: list[Candidate] = []
    layer = counted.search_summaries(query, limit=width, above=[TOP])
    while layer:
        way += layer
        below = _below(query, [one.unitid for one in layer], counted, width=width)
        leaves += [one for one in below if not one.generated]
        layer = [one for one in below if one.generated]
    hits = sorted(dict.fromkeys(leaves), key=_rank)
    refusals = select(hits, counted, basket)
    return packed("tree_traversal", query, counted, hits=hits, basket=basket, refusals=refusals, parents=way)


def _below(query: str, ids: list[str], library: Counted, *, width: int) -> list[Candidate]:
    """The nearest of what hangs directly under these summaries."""
    members = [member for one in library.standing(ids) for member in one.members]
    found = library.search_summaries(query, limit=width, above=ids)
    found += library.search_passages(query, limit=width, inside=members) if members else []
    return sorted(found, key=_rank)[:width]


def _rank(one: Candidate) -> tuple[float, str, int, int]:
    return -round(one.score, 6), one.unitid, one.start, -one.end
