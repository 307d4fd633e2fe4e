"""Two searches: first two pages, then up to four blocks inside them. A block outside is lost for good."""

from storage.model import Level
from tools.budget import Basket, Budget
from tools.evidence import packed, select
from tools.library import Counted, Library
from tools.packet import Packet

PARENTS, CHILDREN = 2, 4


def document_first(query: str, library: Library, budget: Budget) -> Packet:
    """The best blocks of the best pages; the second search knows the words of these blocks alone."""
    counted, basket = Counted(library), Basket(budget)
    parents = counted.search(query, (Level.PAGE,), limit=PARENTS)
    hits = counted.search_inside(query, [parent.unitid for parent in parents], limit=CHILDREN)
    refusals = select(hits, counted, basket)
    return packed(
        "document_first", query, counted, hits=hits, basket=basket, refusals=refusals, parents=parents
    )
