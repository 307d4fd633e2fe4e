"""Units as evidence: the stretches of a page that stand for a hit, a section or an excerpt, and the packet.

What several strategies need and none of them owns. Reads through a library; decides nothing.
"""

from collections.abc import Iterable, Sequence

from storage.markers import join_with_markers, marker
from storage.model import Level, Span, Unit
from storage.reading import Candidate
from tools.budget import SEPARATOR, Basket, used
from tools.library import Counted
from tools.packet import Packet, Refusal, Selected

CANDIDATES = 100
"""Hits that a strategy asks for: more than any budget holds, so that refusals leave something to go on."""


def by_id(ids: Iterable[str], library: Counted) -> dict[str, Unit]:
    """The units that there are, in one read."""
    wanted = list(dict.fromkeys(ids))
    return {unit.unitid: unit for unit in library.units(wanted)} if wanted else {}


def as_found(hit: Candidate, unit: Unit, library: Counted) -> Selected:
    """The hit itself: its window, or its unit's own text."""
    if unit.level is Level.SECTION and Span(hit.start, hit.end) == unit.span:
        return own_text(unit, (hit,), library)
    return stretches(unit, (Span(hit.start, hit.end),), (hit,), library)


def whole(unit: Unit, children: Sequence[Candidate], library: Counted) -> Selected:
    """Everything from the unit's start to its end, children included."""
    return stretches(unit, (unit.span,), children, library)


def own_text(unit: Unit, children: Sequence[Candidate], library: Counted) -> Selected:
    """A section without its child sections, a marker in the place of each; its pieces put back."""
    below = library.below(unit.unitid) if unit.subsections else []
    cut = [child for child in below if child.level is Level.SECTION]
    edges = [unit.start, *(edge for child in cut for edge in (child.start, child.end)), unit.end]
    spans = tuple(Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))
    shown = [library.slice(unit.source, span.start, span.end) for span in spans]
    text = join_with_markers(shown, [marker(child.unitid, child.title) for child in cut])
    return _selected(unit, tuple(span for span in spans if len(span)), text, children)


def stretches(unit: Unit, spans: Sequence[Span], children: Sequence[Candidate], library: Counted) -> Selected:
    """Stretches of the unit's page, a separator between each two."""
    text = SEPARATOR.join(library.slice(unit.source, span.start, span.end) for span in spans)
    return _selected(unit, tuple(spans), text, children)


def packed(
    strategy: str,
    query: str,
    library: Counted,
    *,
    hits: Sequence[Candidate],
    basket: Basket,
    refusals: Sequence[Refusal],
    parents: Sequence[Candidate] = (),
) -> Packet:
    """The packet of a finished strategy."""
    return Packet(
        strategy=strategy,
        query=query,
        edition=library.record.edition,
        hits=tuple(hits),
        selected=tuple(basket.held),
        refusals=tuple(dict.fromkeys(refusals)),
        parents=tuple(parents),
        calls=library.calls,
        candidates=library.candidates,
        characters=used(basket.held),
    )


def select(hits: Sequence[Candidate], library: Counted, basket: Basket) -> list[Refusal]:
    """Each hit as it was found, in rank order, as far as the basket takes it; and what it does not take."""
    units = by_id((hit.unitid for hit in hits), library)
    refusals: list[Refusal] = []
    for hit in hits:
        # Once the basket is full nothing more is read.
        reason = basket.full or basket.offer(as_found(hit, units[hit.unitid], library))
        if reason:
            refusals.append(Refusal(hit.unitid, reason, hit.unitid))
    return refusals


def _selected(unit: Unit, spans: tuple[Span, ...], text: str, children: Sequence[Candidate]) -> Selected:
    return Selected(
        unitid=unit.unitid,
        clauseid=unit.clauseid,
        level=unit.level,
        source=unit.source,
        edition=unit.edition,
        spans=spans,
        text=text,
        children=tuple(children),
    )
