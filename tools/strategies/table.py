"""The strategies by name, and how one is run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from storage import generated
from storage.errors import InputError
from storage.generated import CONTEXTS, SUMMARIES
from storage.model import EditionRecord
from tools.budget import Budget
from tools.library import Library
from tools.packet import Order, Packet, in_document_order
from tools.strategies.auto_merging import auto_merging
from tools.strategies.back_off import back_off
from tools.strategies.collapsed_tree import collapsed_tree
from tools.strategies.contextual import contextual
from tools.strategies.dense_hierarchical import dense_hierarchical
from tools.strategies.document_first import document_first
from tools.strategies.fair_share import fair_share
from tools.strategies.flat_blocks import flat_blocks
from tools.strategies.flat_sections import flat_sections
from tools.strategies.flat_windows import flat_windows
from tools.strategies.parent_expansion import parent_expansion
from tools.strategies.section_first import section_first
from tools.strategies.tree_traversal import tree_traversal

Strategy = Callable[[str, Library, Budget], Packet]

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        strategy.__name__: strategy
        for strategy in (
            flat_blocks,
            flat_windows,
            flat_sections,
            document_first,
            section_first,
            parent_expansion,
            auto_merging,
            back_off,
            fair_share,
            dense_hierarchical,
            collapsed_tree,
            tree_traversal,
            contextual,
        )
    }
)

NEEDS: Mapping[str, str] = MappingProxyType(
    {"collapsed_tree": SUMMARIES, "tree_traversal": SUMMARIES, "contextual": CONTEXTS}
)
"""Strategies that search what an ingest makes on request, and the option that asks for it."""


def strategy(name: str) -> Strategy:
    """The strategy of that name. Raises InputError, with the names that there are."""
    if name not in STRATEGIES:
        raise InputError(f"`{name}` is no strategy; there are {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]


def available(record: EditionRecord) -> list[str]:
    """The strategies that this edition can answer; the others raise StoreError with what makes them."""
    return [name for name in STRATEGIES if NEEDS.get(name) in (None, *record.tables)]


def require(name: str, record: EditionRecord) -> None:
    """Raise InputError for a name that is no strategy, StoreError for one that this edition cannot answer."""
    strategy(name)
    if (needed := NEEDS.get(name)) is not None:
        generated.require(needed, record)


def run(name: str, query: str, library: Library, budget: Budget, *, order: Order = Order.RANK) -> Packet:
    """The packet of one strategy, its evidence in rank order or as it stands in the document."""
    return laid_out(strategy(name)(query, library, budget), library, order=order)


def laid_out(packet: Packet, library: Library, *, order: Order) -> Packet:
    """The packet with its evidence in this order."""
    if order is Order.RANK:
        return packet
    sections = library.units([one.clauseid for one in packet.selected])
    return in_document_order(packet, {one.unitid: (one.kind, one.secnum) for one in sections})
