"""The strategies by name, and how one is run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from storage.errors import InputError
from tools.budget import Budget
from tools.library import Library
from tools.packet import Order, Packet, arranged
from tools.strategies.auto_merging import auto_merging
from tools.strategies.back_off import back_off
from tools.strategies.document_first import document_first
from tools.strategies.flat_blocks import flat_blocks
from tools.strategies.flat_sections import flat_sections
from tools.strategies.flat_windows import flat_windows
from tools.strategies.parent_expansion import parent_expansion
from tools.strategies.section_first import section_first

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
        )
    }
)


def strategy(name: str) -> Strategy:
    """The strategy of that name. Raises InputError, with the names that there are."""
    if name not in STRATEGIES:
        raise InputError(f"`{name}` is no strategy; there are {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]


def run(name: str, query: str, library: Library, budget: Budget, *, order: Order = Order.RANK) -> Packet:
    """The packet of one strategy, its evidence in rank order or as it stands in the document."""
    return arranged(strategy(name)(query, library, budget), order)
