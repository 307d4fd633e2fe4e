"""Down the tree of summaries, layer by layer, to passages: at each the few best of what hangs below the last.

After RAPTOR's tree traversal (Sarthi et al., ICLR 2024). It starts at the outermost sections' summaries and
keeps of each layer the `WIDTH` best summaries, to go on from, and the `WIDTH` best passages. The evidence is
the passages; the summaries on the way are on record as parents, and none of their text is shown. What hangs
under a summary that was not kept is lost for good.
"""

from storage.generated import TOP
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.evidence import packed, select
from tools.library import Counted, Library
from tools.packet import Packet

WIDTH = 10
"""Nodes of each sort kept of a layer. RAPTOR's code keeps 5 of both sorts together, in trees of one story; in
a specification with 39 outermost sections that loses nearly everything: `docs/strategies.md` has the
figures."""


def tree_traversal(query: str, library: Library, budget: Budget, *, width: int = WIDTH) -> Packet:
    """The best passages under the best summaries under the best summaries."""
    counted, basket = Counted(library), Basket(budget)
    way: list[Candidate] = []
    leaves: list[Candidate] = []
    layer = counted.search_summaries(query, limit=width, above=[TOP])
    while layer:
        way += layer
        above = [one.unitid for one in layer]
        members = [member for one in counted.standing(above) for member in one.members]
        leaves += counted.search_passages(query, limit=width, inside=members)
        layer = counted.search_summaries(query, limit=width, above=above)
    hits = sorted(dict.fromkeys(leaves), key=_rank)
    refusals = select(hits, counted, basket)
    return packed("tree_traversal", query, counted, hits=hits, basket=basket, refusals=refusals, parents=way)


def _rank(one: Candidate) -> tuple[float, str, int, int]:
    return -round(one.score, 6), one.unitid, one.start, -one.end
