"""Every one of the best hits first, context for them after: heading and hit each, then what room is left.

`back_off` gives the first hit all the context that fits, so the evidence stands or falls with one hit. Here
the first round takes, in rank order, each hit with the heading of its section; a hit in a section that is
held already joins it and costs no unit. Where one finds no room the round ends: no lower hit enters before
the higher one is represented. The second round gives the room that is left to the sections in the same order:
the whole section where it fits, else the neighbours of its hits, nearest first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from storage.model import Kind, Level, Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.containment import doubt
from tools.evidence import CANDIDATES, by_id, own_text, packed, stretches
from tools.library import Counted, Library
from tools.packet import Packet, Reason, Refusal, Selected


@dataclass(frozen=True, slots=True)
class _Shown:
    """A section that is represented: its blocks in document order, and which of them are shown."""

    parent: Unit
    blocks: Sequence[Unit]
    """Those of its pieces too, none of its child sections."""
    cuts: Sequence[int]
    """Where its child sections start: no stretch runs across one."""
    hits: tuple[Candidate, ...] = ()
    places: frozenset[int] = frozenset()

    def near(self) -> Iterable[int]:
        """The places that are not shown, those nearest to hits first; what follows before what precedes."""
        left = set(range(len(self.blocks))) - self.places
        hits = [place for place, block in enumerate(self.blocks) if block.unitid in self._hit_ids]
        return sorted(left, key=lambda place: min((abs(place - hit), hit > place, place) for hit in hits))

    @property
    def _hit_ids(self) -> set[str]:
        return {hit.unitid for hit in self.hits}


@dataclass(slots=True)
class _Rounds:
    """What both rounds work on."""

    library: Counted
    basket: Basket
    shown: dict[str, _Shown] = field(default_factory=dict)

    def represent(self, hit: Candidate, parent: Unit) -> Reason | None:
        """The hit and its section's heading into the basket; why not, where they are not taken."""
        held = self.shown.get(parent.unitid) or self._unshown(parent)
        wanted = {
            place
            for place, block in enumerate(held.blocks)
            if block.unitid == hit.unitid or (place == 0 and block.kind is Kind.HEADING)
        }
        more = replace(held, hits=(*held.hits, hit), places=held.places | wanted)
        if reason := self.basket.offer(self._evidence(more, more.places)):
            return reason
        self.shown[parent.unitid] = more
        return None

    def grow(self, one: _Shown) -> None:
        """The whole section where it fits, else as many neighbours as do."""
        if not self.basket.offer(own_text(one.parent, one.hits, self.library)):
            return
        places = set(one.places)
        for place in one.near():
            if self.basket.offer(self._evidence(one, places | {place})):
                return
            places.add(place)

    def _unshown(self, parent: Unit) -> _Shown:
        below = self.library.below(parent.unitid)
        cuts = [part.start for part in below if part.level is Level.SECTION]
        return _Shown(parent, _blocks(parent, self.library), cuts)

    def _evidence(self, one: _Shown, places: Iterable[int]) -> Selected:
        spans = _joined(one, sorted(places))
        return stretches(one.parent, spans, one.hits, self.library)


def fair_share(query: str, library: Library, budget: Budget) -> Packet:
    """Heading and hit of each, then context in rank order."""
    counted, basket = Counted(library), Basket(budget)
    hits = counted.search(query, (Level.BLOCK,), limit=CANDIDATES)
    units = by_id((hit.unitid for hit in hits), counted)
    parents = by_id((hit.clauseid for hit in hits), counted)
    rounds, refusals, closed = _Rounds(counted, basket), list[Refusal](), None
    left: list[tuple[Candidate, Reason]] = []
    for hit in hits:
        parent = parents.get(hit.clauseid)
        why = doubt(units[hit.unitid], parent, counted.record)
        if why:
            refusals.append(Refusal(hit.clauseid, why, hit.unitid))
        if parent is None or why:
            closed = closed or basket.offer(_alone(hit, units, counted))
        else:
            closed = closed or rounds.represent(hit, parent)
        if closed:
            left.append((hit, closed))
    for one in rounds.shown.values():
        rounds.grow(one)
    for hit, reason in left:
        alone = _alone(hit, units, counted)
        if not basket.covers(alone):
            refusals.append(Refusal(hit.unitid, reason, hit.unitid))
        else:
            basket.offer(alone)
    return packed("fair_share", query, counted, hits=hits, basket=basket, refusals=refusals)


def _alone(hit: Candidate, units: dict[str, Unit], library: Counted) -> Selected:
    return stretches(units[hit.unitid], (units[hit.unitid].span,), (hit,), library)


def _blocks(unit: Unit, library: Counted) -> list[Unit]:
    """The blocks of a unit's own text with its pieces put back, in document order."""
    out: list[Unit] = []
    for part in library.below(unit.unitid):
        if part.level is Level.BLOCK:
            out.append(part)
        elif part.level is Level.PIECE:
            out += _blocks(part, library)
    return out


def _joined(one: _Shown, places: Sequence[int]) -> tuple[Span, ...]:
    """The stretches of the blocks of these places; neighbours not parted by a child section join."""
    spans: list[Span] = []
    for place, before in zip(places, (-1, *places), strict=False):
        block = one.blocks[place]
        follows = bool(spans) and before == place - 1
        if follows and not any(spans[-1].end <= cut <= block.start for cut in one.cuts):
            spans[-1] = Span(spans[-1].start, block.end)
        else:
            spans.append(block.span)
    return tuple(spans)
