"""The heading path in what is searched, the heading in what is shown, and back-off: each with and without.

Blocks are ranked in memory by BM25 over exactly the text that a row names, so that rows differ in one thing.
"""

import functools
from collections.abc import Callable, Mapping, Sequence

from evaluation.studies.corpus import Corpus
from evaluation.studies.evidence import judged
from evaluation.studies.index import FastIndex
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Plot, Study, Table, mean, value
from storage.model import Level, Span, Unit
from storage.reading import Candidate
from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, own_text, stretches
from tools.library import Counted
from tools.packet import Selected

Ranked = Callable[[str], list[str]]
BUDGET = Budget()

INDEXED: Mapping[str, Callable[[Corpus, Unit], str]] = {
    "text": lambda corpus, block: corpus.text(block),
    "title and text": lambda corpus, block: f"{block.title}\n{corpus.text(block)}",
    "path and text": lambda corpus, block: f"{block.titlepath} {block.secnum}\n{corpus.text(block)}",
}
"""What is searched of a block."""

STORE = "the store's columns"
"""Heading words, text and identifier parts, each scored by itself and added up."""
FUSED = "columns, and path and text"
"""What the strategies search: both rankings, fused by reciprocal rank."""


def measure(setting: Setting) -> Findings:
    """One table of all combinations, one of how well each text is found."""
    corpus = setting.corpus
    searches: dict[str, Ranked] = {}
    for name, text in INDEXED.items():
        index = FastIndex((block.unitid, text(corpus, block)) for block in corpus.level(Level.BLOCK))
        searches[name] = _by_index(index)
    searches[STORE] = functools.cache(
        lambda query: [
            one.unitid for one in setting.reader.search_text(query, limit=CANDIDATES, levels=(Level.BLOCK,))
        ]
    )
    searches[FUSED] = lambda query: [
        one.unitid for one in setting.library.search(query, (Level.BLOCK,), limit=CANDIDATES)
    ]
    rows: list[list[Cell]] = []
    for name, search in searches.items():
        for heading in (False, True):
            for back_off in (False, True):
                way = _way(setting, search, heading=heading, back_off=back_off)
                rows.append([name, _yes(heading), _yes(back_off), *_means(judged(way, setting))])
    combined = Table(
        "Evidence of 4 units and 900 characters",
        ["searched", "heading attached", "back-off", *(name for name, _ in _COLUMNS)],
        rows,
    )
    found = _found(setting, searches)
    names = [str(row[0]) for row in found.rows]
    series = {
        column: [value(row[place]) for row in found.rows]
        for place, column in enumerate(found.columns)
        if place
    }
    return Findings([found, combined], [Plot(found.title, "searched", "share", names, series, "dots")])


def _by_index(index: FastIndex) -> Ranked:
    return lambda query: [key for key, _ in index.search(query, limit=CANDIDATES)]


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _way(
    setting: Setting, search: Ranked, *, heading: bool, back_off: bool
) -> Callable[[str], Sequence[Selected]]:
    library = Counted(setting.library)

    def choose(query: str) -> Sequence[Selected]:
        basket = Basket(BUDGET)
        for unitid in search(query):
            if basket.full:
                break
            for one in evidence(
                setting.corpus, library, unitid, basket.room, heading=heading, back_off=back_off
            ):
                if not basket.offer(one):
                    break
        return basket.held

    return choose


def evidence(
    corpus: Corpus, library: Counted, unitid: str, room: int, *, heading: bool, back_off: bool
) -> list[Selected]:
    """What may stand for a hit, the largest first."""
    block = corpus.by_id[unitid]
    section = corpus.by_id[block.clauseid]
    hit = (Candidate(unitid, section.unitid, block.level, block.kind, block.start, block.end, 0.0),)
    above = corpus.heading(section.unitid) if heading else None
    own = own_text(section, hit, library)
    stretch = next(span for span in own.spans if span.contains(block.span))
    blocks = [one for one in corpus.blocks(section.unitid) if stretch.contains(one.span)]
    at = blocks.index(block)
    out = [own] if back_off else []
    for reach in range(len(blocks) if back_off else 0, -1, -1):
        run = Span(blocks[max(0, at - reach)].start, blocks[min(len(blocks) - 1, at + reach)].end)
        if len(run) <= room or reach == 0:
            spans = [above.span, run] if above and not run.contains(above.span) else [run]
            out.append(stretches(section, spans, hit, library))
    return out


_COLUMNS = (
    ("unique", ("unique", "both")),
    ("repeated", ("repeated", "both")),
    ("bare", ("bare", "both")),
    ("gold section", ("", "gold")),
    ("quotations", ("", "quoted")),
)
"""Heading and target for the strata; over all questions people asked for the rest."""


def _means(found: Mapping[str, Mapping[str, list[float]]]) -> list[Cell]:
    out: list[Cell] = []
    for _, (dataset, measured) in _COLUMNS:
        of = [dataset] if dataset else list(found)
        out.append(mean([one for name in of for one in found.get(name, {}).get(measured, [])]))
    return out


def _found(setting: Setting, searches: Mapping[str, Ranked]) -> Table:
    """How often the target is among the first four blocks, and a gold section among the first ten."""
    rows: list[list[Cell]] = []
    for name, search in searches.items():
        row: list[Cell] = [
            name,
            *(
                mean([float(one.target.unitid in search(one.query)[:4]) for one in questions])
                for questions in setting.strata.values()
            ),
        ]
        for asked in setting.datasets.values():
            hits = []
            for one in asked:
                sections = list(dict.fromkeys(setting.corpus.by_id[u].clauseid for u in search(one.query)))
                hits.append(float(any(gold in sections[:10] for gold in one.question.gold)))
            row.append(mean(hits))
        rows.append(row)
    columns = ["searched", *(s.value for s in setting.strata), *setting.datasets]
    return Table(
        "Target among the first four blocks; gold section among the first ten sections", columns, rows
    )


STUDY = Study("heading_path", measure)
