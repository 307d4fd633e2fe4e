"""Passages by their own likeness to the query, and by that of the section's title path.

After Dense Hierarchical Retrieval (Liu et al., Findings of EMNLP 2021): score = passage + `LAMBDA` * section.
There, two trained encoders; here, the edition's one, untrained for this. Their first stage drops every
passage of a document that it did not choose; here a passage enters by either likeness, so that a title that
says nothing of the question loses none.
"""

from dataclasses import replace

from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, packed, select
from tools.library import Counted, Library
from tools.packet import Packet

LAMBDA = 0.25
"""What a section's title counts for beside the passage. The best of six values on the development questions,
so measured on them it flatters itself. The paper found 1 robust, with encoders that were trained for it.
`docs/strategies.md` has the figures of all six."""

SECTIONS = 20
"""Sections nearest by title alone, whose passages are looked at whatever their own likeness."""


def dense_hierarchical(query: str, library: Library, budget: Budget, *, weight: float = LAMBDA) -> Packet:
    """Passages by the sum of the two likenesses."""
    counted, basket = Counted(library), Basket(budget)
    titles = counted.title_likeness(query)
    nearest = sorted(titles, key=lambda one: (-titles[one], one))[:SECTIONS]
    found = counted.search_passages(query, limit=CANDIDATES)
    found += counted.search_passages(query, limit=CANDIDATES, inside=nearest)
    scored = {
        replace(one, score=one.score + weight * titles.get(one.clauseid, 0.0)) for one in dict.fromkeys(found)
    }
    hits = sorted(scored, key=lambda one: (-round(one.score, 6), one.unitid, one.start))[:CANDIDATES]
    refusals = select(hits, counted, basket)
    return packed("dense_hierarchical", query, counted, hits=hits, basket=basket, refusals=refusals)
