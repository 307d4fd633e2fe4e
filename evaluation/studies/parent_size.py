"""How large a parent should stand in for a hit, at each budget.

The same hits for all: blocks, as the store finds them. In rank order each gives way to its parent; a parent
that finds no room is refused and the next hit is tried, so a large parent is not punished by an empty packet.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluation.studies.evidence import judged
from evaluation.studies.setting import Setting
from evaluation.studies.study import Findings, Plot, Study, Table, mean, value
from storage.model import Level, Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, own_text, stretches, whole
from tools.library import Counted
from tools.packet import Selected

BUDGETS = (450, 900, 1_800, 3_600, 7_200)
UNITS = 4
AROUND = (0, 1, 2, 4, 8)
OWN, CHILDREN, SUBTREE = "own section", "section with children", "whole subtree"
SIZES = (*(f"block ± {n}" for n in AROUND), OWN, CHILDREN, SUBTREE)

Parent = Callable[[str], Selected]
"""A block's id in, what stands in for it out."""


def parents(setting: Setting) -> dict[str, Parent]:
    """What stands in for a block, by name."""
    library = Counted(setting.library)

    def section(unitid: str) -> Unit:
        return setting.corpus.by_id[setting.corpus.by_id[unitid].clauseid]

    def around(count: int, unitid: str) -> Selected:
        block, parent = setting.corpus.by_id[unitid], section(unitid)
        stretch = next(span for span in own_text(parent, (), library).spans if span.contains(block.span))
        near = [one for one in setting.corpus.blocks(parent.unitid) if stretch.contains(one.span)]
        at = near.index(block)
        shown = near[max(0, at - count) : at + count + 1]
        return stretches(block, (Span(shown[0].start, shown[-1].end),), (), library)

    made: dict[str, Parent] = {f"block ± {n}": functools.partial(around, n) for n in AROUND}
    made[OWN] = lambda unitid: own_text(section(unitid), (), library)
    made[CHILDREN] = lambda unitid: with_children(section(unitid), library)
    made[SUBTREE] = lambda unitid: whole(section(unitid), (), library)
    return {name: functools.cache(parent) for name, parent in made.items()}


def with_children(section: Unit, library: Counted) -> Selected:
    """A section's own text and that of its immediate child sections, without what is below those."""
    children = [one for one in library.below(section.unitid) if one.level is Level.SECTION]
    deeper = [g for child in children for g in library.below(child.unitid) if g.level is Level.SECTION]
    edges = [section.start, *(edge for one in deeper for edge in (one.start, one.end)), section.end]
    spans = [Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]
    return stretches(section, spans, (), library)


def packed(hits: Sequence[Candidate], parent: Parent, budget: Budget) -> list[Selected]:
    """The parents of the hits that find room, in rank order."""
    basket = Basket(budget)
    for hit in hits:
        if basket.full:
            break
        basket.offer(replace(parent(hit.unitid), children=(hit,)))
    return basket.held


def measure(setting: Setting) -> Findings:
    """A table for each measure, parents down and budgets across."""
    found: dict[tuple[str, str, int], list[float]] = {}
    for name, parent in parents(setting).items():
        for characters in BUDGETS:
            budget = Budget(UNITS, characters)

            def choose(query: str, parent: Parent = parent, budget: Budget = budget) -> list[Selected]:
                hits = setting.library.search(query, (Level.BLOCK,), limit=CANDIDATES)
                return packed(hits, parent, budget)

            for values in judged(choose, setting).values():
                for measured, column in values.items():
                    found.setdefault((measured, name, characters), []).extend(column)
    titles = {
        "both": "Heading and target covered, all strata",
        "target": "Target covered, all strata",
        "gold": "A block of a gold section shown, questions people asked",
        "quoted": "Decisive quotations in the packet, questions people asked",
    }
    columns = ["parent", *(f"{characters:,}" for characters in BUDGETS)]
    tables = [
        Table(title, columns, [[n, *(mean(found.get((m, n, b), [])) for b in BUDGETS)] for n in SIZES])
        for m, title in titles.items()
    ]
    plots = [
        Plot(
            table.title,
            "characters of evidence",
            "share",
            [f"{characters:,}" for characters in BUDGETS],
            {str(row[0]): [value(cell) for cell in row[1:]] for row in table.rows if row[0] in _DRAWN},
        )
        for table in tables
        if table.title in (titles["both"], titles["gold"]) and table.rows[0][1] != "-"
    ]
    return Findings(tables, plots)


_DRAWN = ("block ± 0", "block ± 2", "block ± 8", OWN, SUBTREE)

STUDY = Study("parent_size", measure)
