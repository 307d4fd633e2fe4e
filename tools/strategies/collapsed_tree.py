"""Passages and summaries of sections in one pool, the nearest first; each summary gives way to real text.

After RAPTOR's collapsed tree (Sarthi et al., ICLR 2024), which puts the summaries themselves before a model.
A summary is generated: here it only leads to what it stands for. That is its section where the whole of it
fits, else the sentences of it that say most, else nothing, and the packet says so. Both are read from the
page, and only after it was verified that they stand in the text that the summary was made from.
"""

from storage.generated import Standing
from storage.model import Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.containment import Place, objection, place
from tools.evidence import CANDIDATES, as_found, by_id, packed, stretches, whole
from tools.library import Counted, Library
from tools.packet import Packet, Reason, Refusal


def collapsed_tree(query: str, library: Library, budget: Budget) -> Packet:
    """The best passages, and the sections and sentences that the best summaries stand for."""
    counted, basket = Counted(library), Basket(budget)
    found = counted.search_summaries(query, limit=CANDIDATES)
    found += counted.search_passages(query, limit=CANDIDATES)
    hits = sorted(found, key=lambda one: (-round(one.score, 6), one.unitid, one.start, -one.end))[:CANDIDATES]
    units = by_id((hit.unitid for hit in hits), counted)
    led = [hit.unitid for hit in hits if hit.generated]
    stands = {one.unitid: one for one in counted.standing(led)} if led else {}
    refusals: list[Refusal] = []
    for hit in hits:
        unit = units[hit.unitid]
        if basket.full:
            refusals.append(Refusal(hit.unitid, basket.full, hit.unitid))
        elif hit.generated:
            refusals += _resolved(hit, unit, stands.get(hit.unitid), counted, basket)
        elif reason := basket.offer(as_found(hit, unit, counted)):
            refusals.append(Refusal(hit.unitid, reason, hit.unitid))
    return packed("collapsed_tree", query, counted, hits=hits, basket=basket, refusals=refusals)


def _resolved(
    hit: Candidate, unit: Unit, summary: Standing | None, library: Counted, basket: Basket
) -> list[Refusal]:
    """What a summary stands for into the basket; why not, where it may not or does not fit."""
    if why := _doubt(summary, unit, library):
        return [Refusal(unit.unitid, why, hit.unitid)]
    # A section longer than the budget is not read to be refused.
    if len(unit.span) <= basket.budget.characters and not basket.offer(whole(unit, (hit,), library)):
        return []
    spans = summary.spans if summary else ()
    reason = basket.offer(stretches(unit, spans, (hit,), library)) if spans else Reason.TOO_LONG
    return [Refusal(unit.unitid, reason, hit.unitid)] if reason else []


def _doubt(summary: Standing | None, unit: Unit, library: Counted) -> Reason | None:
    """Why a section may not stand in for its summary; None where it may."""
    if summary is None:
        return Reason.MISSING_PARENT
    record = library.record
    spans = summary.spans or (unit.span,)
    made_from = Place(
        source=record.sourcedigest,
        page=summary.source,
        edition=summary.edition,
        representation=record.representation,
        digest=summary.digest,
        span=Span(spans[0].start, spans[-1].end),
    )
    return objection(made_from, place(unit, record))
