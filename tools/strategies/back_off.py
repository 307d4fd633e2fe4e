"""The largest honest context that fits: the section, else an excerpt around the hit, hit after hit.

In rank order. A hit's section is taken if it fits. Else its heading, the hit and as many neighbours as fit,
nearest first, so that the action beside a matching line comes along. No lower hit enters before the higher
one is represented: where not even the hit fits, the packet ends there and says so.
"""

from collections.abc import Sequence

from storage.model import Kind, Level, Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.containment import doubt
from tools.evidence import CANDIDATES, by_id, own_text, packed, stretches
from tools.library import Counted, Library
from tools.packet import Packet, Reason, Refusal, Selected


def back_off(query: str, library: Library, budget: Budget) -> Packet:
    """Sections where they fit, excerpts where they do not."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.BLOCK,), limit=CANDIDATES)
    units = by_id((hit.unitid for hit in hits), counted)
    parents = by_id((hit.clauseid for hit in hits), counted)
    refusals: list[Refusal] = []
    for hit in hits:
        alone = stretches(units[hit.unitid], (units[hit.unitid].span,), (hit,), counted)
        if basket.full and not basket.covers(alone):
            refusals.append(Refusal(hit.unitid, basket.full, hit.unitid))
        elif basket.covers(alone):
            basket.offer(alone)
        elif reason := _represent(hit, alone, units, parents.get(hit.clauseid), counted, basket, refusals):
            refusals.append(Refusal(hit.unitid, reason, hit.unitid))
            break
    return packed("back_off", query, counted, hits=hits, basket=basket, refusals=refusals)


def _represent(
    hit: Candidate,
    alone: Selected,
    units: dict[str, Unit],
    parent: Unit | None,
    library: Counted,
    basket: Basket,
    refusals: list[Refusal],
) -> Reason | None:
    """The largest of section, excerpt and hit that the basket takes; the reason where it takes none."""
    block = units[hit.unitid]
    why = doubt(block, parent, library.record)
    if parent is None or why:
        refusals.append(Refusal(hit.clauseid, why or Reason.MISSING_PARENT, hit.unitid))
        return basket.offer(alone)
    # A section longer than the room is not read to be refused, unless it may be short without its children.
    section = own_text(parent, (hit,), library)
    if not (reason := basket.offer(section)):
        return None
    refusals.append(Refusal(parent.unitid, reason, hit.unitid))
    return basket.offer(excerpt(hit, block, section, library, room=basket.room) or alone)


def excerpt(
    hit: Candidate, block: Unit, section: Selected, library: Counted, *, room: int
) -> Selected | None:
    """Heading, hit and neighbours in at most `room` characters; None where heading and hit do not fit."""
    around = _blocks(block, section, library)
    headings = [one.span for one in around if one.kind is Kind.HEADING][:1]
    at = next((number for number, one in enumerate(around) if one.unitid == block.unitid), -1)

    def fitting(first: int, last: int) -> Selected | None:
        if at < 0 or first < 0 or last >= len(around):
            return None
        run = Span(around[first].start, around[last].end)
        tried = stretches(block, _apart(headings, run), (hit,), library)
        return tried if len(tried.text) <= room else None

    first = last = at
    best = grown = fitting(first, last)
    while grown:
        best = grown
        after, before = (first, last + 1), (first - 1, last)
        # The nearer neighbour first, so that the hit stays in the middle.
        for step in (after, before) if last - at <= at - first else (before, after):
            if grown := fitting(*step):
                first, last = step
                break
    return best


def _apart(headings: Sequence[Span], run: Span) -> tuple[Span, ...]:
    """The heading before the run, unless the run holds it."""
    return (*(span for span in headings if not run.contains(span)), run)


def _blocks(block: Unit, section: Selected, library: Counted) -> list[Unit]:
    """The section's blocks in the stretch of its own text that holds the hit, and its heading."""
    own = next((span for span in section.spans if span.contains(block.span)), block.span)
    below = library.below(section.unitid)
    if block.sectionid != section.unitid:
        below += library.below(block.sectionid)
    kept = [one for one in below if one.level is Level.BLOCK]
    return [one for one in kept if one.kind is Kind.HEADING or own.contains(one.span)]
