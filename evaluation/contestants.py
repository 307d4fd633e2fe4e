"""What is measured: rankings of sections with their evidence, by name. One row of a table each.

`default` is the search that the tools offer. Then the strategies of `tools.strategies`, and, asked for by
name, other people's libraries (`evaluation.peers`). All search the same edition with the same embedder.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.outcome import Contestant, Outcome, outcome, snippets
from evaluation.peers.table import GROUP, PEERS, check_installed
from storage.embedder import Embedder
from storage.errors import InputError
from storage.reading import Reader
from tools.budget import Budget
from tools.packet import Order, Packet
from tools.rewrite import ChatModel
from tools.search import SearchResult, search
from tools.stored_library import StoredLibrary
from tools.strategies.table import STRATEGIES, available, require, run

DEFAULT, REWRITTEN = "default", "default+rewrite"
OURS = "ours"
"""Stands for the default and every strategy that the edition can answer."""
READS = frozenset({"unit", "units", "children", "blocks", "matching", "search_text", "search_vectors"})
"""Calls of a reader that reach the store."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant, ready to be asked."""

    name: str
    ask: Contestant
    build_seconds: float | None = None
    """What its own index took; None for what searches the store."""
    embedded: int | None = None
    """Texts that were embedded for it in this run; what a cache held is not among them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What all contestants stand on."""

    reader: Reader
    embedder: Embedder
    storage_dir: Path
    budget: Budget
    depth: int
    order: Order = Order.RANK
    rewriter: ChatModel | None = None
    """Asked for search terms in a row of its own, `REWRITTEN`."""


def contestants(names: Sequence[str], ground: Ground) -> list[Entrant]:
    """The contestants of these names, in this order; for none, our own that the edition can answer.

    `ours` stands for these, `peers` for every peer. InputError for any other name, for a strategy that the
    edition was not built for, and for a peer that is not installed, before anything is built.
    """
    wanted = _expanded(names, ground)
    for name in wanted:
        if name in STRATEGIES:
            require(name, ground.reader.record)
        elif name in PEERS:
            check_installed(name)
        elif name != DEFAULT:
            there = ", ".join((DEFAULT, *STRATEGIES, *PEERS))
            raise InputError(f"`{name}` is no strategy; there are {there}.")
    library = StoredLibrary(ground.reader, ground.embedder)
    ours = [_ours(name, ground, library) for name in wanted if name not in PEERS]
    theirs = _peers([name for name in wanted if name in PEERS], ground)
    by_name = {entrant.name: entrant for entrant in (*ours, *theirs)}
    rewritten = [Entrant(REWRITTEN, _search(ground, model=ground.rewriter))] if ground.rewriter else []
    return [by_name[name] for name in wanted] + rewritten


def _expanded(names: Sequence[str], ground: Ground) -> list[str]:
    groups = {OURS: (DEFAULT, *available(ground.reader.record)), GROUP: tuple(PEERS)}
    return list(dict.fromkeys(one for name in names or [OURS] for one in groups.get(name, (name,))))


def _ours(name: str, ground: Ground, library: StoredLibrary) -> Entrant:
    if name == DEFAULT:
        return Entrant(name, _search(ground))
    return Entrant(name, lambda query: _packed(run(name, query, library, ground.budget, order=ground.order)))


def _peers(names: Sequence[str], ground: Ground) -> list[Entrant]:
    """The peers, each with its index built. They share what is cut and embedded, not what is indexed."""
    if not names:
        return []
    from evaluation.peers.contestant import contestant
    from evaluation.peers.material import Material
    from evaluation.peers.table import build

    material = Material(ground.reader, ground.embedder, ground.storage_dir)
    # Read before any clock starts: every peer needs them.
    _ = material.pages, material.owners
    out = []
    for name in names:
        began, before = time.perf_counter(), material.embedder.fresh
        peer = build(name, material)
        took, fresh = time.perf_counter() - began, material.embedder.fresh - before
        out.append(Entrant(name, contestant(peer, material, ground.budget), took, fresh))
    return out


class _Counting:
    """A reader that counts the calls that reach the store."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        self.calls += name in READS
        return getattr(self._reader, name)


def _search(ground: Ground, *, model: ChatModel | None = None) -> Contestant:
    counting: Any = _Counting(ground.reader)

    def ask(query: str) -> Outcome:
        counting.calls = 0
        result = search(query, counting, ground.embedder, limit=ground.depth, model=model)
        added = {"terms": list(result.terms)} if model else {}
        return _found(result, ground.budget, {"calls": counting.calls, **added})

    return ask


def _found(result: SearchResult, budget: Budget, more: dict[str, Any]) -> Outcome:
    """A search's hits; its evidence are the snippets that fit the budget."""
    return outcome([hit.section.unitid for hit in result.hits], snippets(result, budget), more)


def _packed(packet: Packet) -> Outcome:
    more = {
        "refusals": [
            {"unitid": one.unitid, "reason": one.reason.value, "child": one.child} for one in packet.refusals
        ],
        "parents": [one.unitid for one in packet.parents],
        "calls": packet.calls,
        "candidates": packet.candidates,
    }
    return outcome(packet.sections(), packet.selected, more)
