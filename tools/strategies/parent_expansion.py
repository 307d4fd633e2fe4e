"""Find small, read in context: each block gives way to the section that it stands in.

Sections come in the order in which their first block was met, with all the blocks that led to them. A section
stands in only after its containment was verified; where it may not, the block stays and the packet says why.
A section that does not fit is refused by name, so that a lower one is never offered in its stead in silence.
"""

from storage.model import Level
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.containment import doubt
from tools.evidence import CANDIDATES, as_found, by_id, own_text, packed
from tools.library import Counted, Library
from tools.packet import Packet, Reason, Refusal


def parent_expansion(query: str, library: Library, budget: Budget) -> Packet:
    """The sections around the best blocks, as far as they fit."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.BLOCK,), limit=CANDIDATES)
    units = by_id((hit.unitid for hit in hits), counted)
    parents = by_id((hit.clauseid for hit in hits), counted)
    refusals: list[Refusal] = []
    trusted: dict[str, list[Candidate]] = {}
    for hit in hits:
        parent = parents.get(hit.clauseid)
        why = doubt(units[hit.unitid], parent, counted.record)
        if why:
            refusals.append(Refusal(hit.clauseid, why, hit.unitid))
        trusted.setdefault(hit.unitid if why else hit.clauseid, []).append(hit)
    for unitid, children in trusted.items():
        reason: Reason | None = basket.full
        if not reason and unitid in parents:
            reason = basket.offer(own_text(parents[unitid], children, counted))
        elif not reason:
            reason = basket.offer(as_found(children[0], units[unitid], counted))
        if reason:
            refusals.append(Refusal(unitid, reason, children[0].unitid))
    return packed("parent_expansion", query, counted, hits=hits, basket=basket, refusals=refusals)
