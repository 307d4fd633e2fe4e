"""Siblings give way to their parent when enough different ones were hit, and the budget allows it.

Bottom up, until nothing changes. A parent takes the place of what stands inside it when

* hits lie in at least two of its immediate parts: one hit never climbs, however few siblings it has;
* at least `RATIO` of its parts stand, hit or merged: the same sibling hit three times is one sibling;
* its containment of them was verified, and its text fits the budget.

What is merged does not depend on the order of the hits. A page never stands in for anything. A merged parent
that finds no room any more leaves its place to the hits that led to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from storage.model import Level, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.containment import doubt
from tools.evidence import CANDIDATES, by_id, packed, whole
from tools.library import Counted, Library
from tools.packet import Packet, Reason, Refusal

RATIO = 0.5
"""Share of a parent's parts, as in the libraries that merge; 3 of 7 stay apart."""
LEAST_PARTS = 2
"""Immediate parts with a hit inside, without which a parent adds no evidence of its own."""


@dataclass(slots=True)
class _Standing:
    """What stands: units by id, each with the hits that it stands for in rank order."""

    library: Counted
    units: dict[str, Unit]
    hits: dict[str, list[Candidate]]
    refusals: list[Refusal] = field(default_factory=list)
    parts: dict[str, list[Unit]] = field(default_factory=dict)

    def below(self, parentid: str) -> list[Unit]:
        if parentid not in self.parts:
            self.parts[parentid] = self.library.below(parentid)
        return self.parts[parentid]

    def doubt(self, unitid: str, parent: Unit | None) -> Reason | None:
        return doubt(self.units[unitid], parent, self.library.record)

    def inside(self, parent: Unit) -> list[str]:
        """What stands strictly inside a unit."""
        return [one for one in self.hits if one != parent.unitid and not self.doubt(one, parent)]


def auto_merging(query: str, library: Library, budget: Budget, *, ratio: float = RATIO) -> Packet:
    """Blocks, merged where they crowd, in the order of their best hits."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.BLOCK,), limit=CANDIDATES)
    rank = {hit: number for number, hit in enumerate(hits)}
    units = by_id((hit.unitid for hit in hits), counted)
    first: dict[str, list[Candidate]] = {}
    for hit in hits:
        first.setdefault(hit.unitid, [hit])
    standing = _Standing(counted, dict(units), first)
    while parent := next(_ripe(standing, budget, ratio), None):
        taken = [standing.hits.pop(one) for one in standing.inside(parent)]
        standing.units[parent.unitid] = parent
        standing.hits[parent.unitid] = sorted((hit for found in taken for hit in found), key=rank.__getitem__)
    refusals = standing.refusals
    for unitid, led in sorted(standing.hits.items(), key=lambda entry: rank[entry[1][0]]):
        refusals += _offer(standing.units[unitid], led, units, counted, basket)
    return packed("auto_merging", query, counted, hits=hits, basket=basket, refusals=refusals)


def _ripe(standing: _Standing, budget: Budget, ratio: float) -> Iterator[Unit]:
    """The parents that may take their parts' place, the smallest first."""
    wanted = {one: standing.units[one].parentsectionid for one in standing.hits}
    known = by_id(filter(None, wanted.values()), standing.library)
    for unitid, parentid in wanted.items():
        why = standing.doubt(unitid, known.get(parentid)) if parentid else None
        if parentid and why:
            standing.refusals.append(Refusal(parentid, why, standing.hits[unitid][0].unitid))
    for parent in sorted(known.values(), key=lambda unit: (len(unit.span), unit.unitid)):
        if parent.level is not Level.PAGE and _enough(parent, standing, ratio):
            if len(parent.span) <= budget.characters:
                yield parent
            else:
                first = standing.hits[standing.inside(parent)[0]][0]
                standing.refusals.append(Refusal(parent.unitid, Reason.TOO_LONG, first.unitid))


def _enough(parent: Unit, standing: _Standing, ratio: float) -> bool:
    inside = standing.inside(parent)
    if len(inside) < LEAST_PARTS and sum(len(standing.hits[one]) for one in inside) < LEAST_PARTS:
        return False
    parts = standing.below(parent.unitid)
    spans = [standing.units[one].span for one in inside]
    reached = [part for part in parts if any(part.span.contains(span) for span in spans)]
    stand = [part for part in parts if part.unitid in standing.hits]
    return len(reached) >= LEAST_PARTS and len(stand) >= ratio * len(parts)


def _offer(
    unit: Unit, led: Sequence[Candidate], blocks: dict[str, Unit], library: Counted, basket: Basket
) -> Iterator[Refusal]:
    """The unit into the basket; where it finds no room, the hits that it stands for."""
    reason = basket.full or basket.offer(whole(unit, led, library))
    if not reason:
        return
    yield Refusal(unit.unitid, reason, led[0].unitid)
    for hit in led if unit.unitid not in blocks else ():
        reason = basket.full or basket.offer(whole(blocks[hit.unitid], (hit,), library))
        if reason:
            yield Refusal(hit.unitid, reason, hit.unitid)
