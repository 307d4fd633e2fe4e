"""Edition safety: whether a wrong parent ever stands in for a hit.

Two attacks on every strategy that widens.

* Two editions of the same text lie in one store, so that ids, spans and digests are equal and only the
  edition differs; each is asked the same queries, and everything found is read back.
* Links are crossed: whenever a strategy asks for a section, it is given one that was tampered with in one
  way. Every block of the edition is put to the test by itself too.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaluation.studies.corpus import Corpus, HeldLibrary
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Study, Table
from storage.model import BreakdownRules, Level, Unit
from storage.settings import Settings
from tools.budget import Budget
from tools.containment import doubt
from tools.packet import Packet, Reason
from tools.ports import TextEmbedder
from tools.strategies.table import run

WIDENING = ("parent_expansion", "auto_merging", "back_off", "fair_share")
"""Strategies that show more than what was hit."""
QUERIES = 100
SEED = 262
BUDGET = Budget(4, 3_600)

TAMPERED: Mapping[str, tuple[Reason, Callable[[Unit], Unit | None]]] = {
    "of another edition": (
        Reason.EDITION_MISMATCH,
        lambda unit: replace(unit, edition=f"{unit.edition}-other"),
    ),
    "of another page": (Reason.PAGE_MISMATCH, lambda unit: replace(unit, source=f"other-{unit.source}")),
    "of a text since replaced": (Reason.STALE_PARENT, lambda unit: replace(unit, digest="0" * 64)),
    "ending before it begins to hold the hit": (
        Reason.NOT_CONTAINED,
        lambda unit: replace(unit, end=unit.start),
    ),
    "removed": (Reason.MISSING_PARENT, lambda _: None),
}
"""What is done to every section that is asked for, and the reason that must be given."""


class Crossed(HeldLibrary):
    """A library whose sections were tampered with; blocks are as they were."""

    tamper: Callable[[Unit], Unit | None] = staticmethod(lambda unit: unit)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """Blocks as they are, sections and pieces tampered with."""
        found = [one if one.level is Level.BLOCK else self.tamper(one) for one in super().units(ids)]
        return [one for one in found if one is not None]


def measure(setting: Setting) -> Findings:
    """Three tables: every block, every strategy, two editions in one store."""
    return Findings([_blocks(setting.corpus), _strategies(setting), two_editions(setting.embedder)])


def _blocks(corpus: Corpus) -> Table:
    blocks = corpus.level(Level.BLOCK)
    rows: list[list[Cell]] = []
    for name, (reason, tamper) in (("as it is", (None, lambda unit: unit)), *TAMPERED.items()):
        counts = Counter(doubt(one, tamper(corpus.by_id[one.clauseid]), corpus.record) for one in blocks)
        given = f"{counts[reason]:,}" if reason else "-"
        rows.append([name, f"{len(blocks):,}", f"{len(blocks) - counts[None]:,}", given])
    return Table("Every block against its section", ["section", "links", "refused", "for that reason"], rows)


def _strategies(setting: Setting) -> Table:
    queries = _queries(setting.corpus)
    library = Crossed(setting.reader, setting.embedder, setting.corpus)
    rows: list[list[Cell]] = []
    for name, (reason, tamper) in TAMPERED.items():
        library.tamper = tamper
        for strategy in WIDENING:
            packets = [run(strategy, query, library, BUDGET) for query in queries]
            wrong = sum(not _hits_alone(packet, setting.corpus) for packet in packets)
            given = sum(refusal.reason is reason for packet in packets for refusal in packet.refusals)
            rows.append([name, strategy, str(len(packets)), f"{given:,}", str(wrong)])
    columns = ["sections", "strategy", "queries", "refused for that reason", "packets with a wrong parent"]
    return Table("Every strategy with all sections tampered with", columns, rows)


def _hits_alone(packet: Packet, corpus: Corpus) -> bool:
    """Whether nothing but blocks that were hit is shown: no section stood in for any."""
    hit = {corpus.by_id[one.unitid].span for one in packet.hits}
    return all(span in hit for one in packet.selected for span in one.spans)


def _queries(corpus: Corpus) -> list[str]:
    """Runs of words of blocks drawn by chance: they find something in any edition."""
    chance = random.Random(SEED)  # noqa: S311 - drawing, no secret
    blocks = corpus.level(Level.BLOCK)
    return [
        " ".join(corpus.text(block).split()[:10])
        for block in chance.sample(blocks, min(QUERIES, len(blocks)))
    ]


def two_editions(embedder: TextEmbedder) -> Table:
    """The sample under two names in one store: whatever one is asked comes from it alone."""
    from setup.pipeline import build
    from setup.sources import read_source
    from storage.embedder import load_embedder
    from storage.progress import Silent
    from storage.reader import open_reader
    from storage.writer import write_edition

    with tempfile.TemporaryDirectory(prefix="ask262-editions-") as folder:
        settings = Settings(storage_dir=Path(folder), edition=None, source=None)
        source = read_source(None, sample=True, settings=settings, progress=Silent())
        for name in ("one", "other"):
            made = build(source, edition=name, rules=BreakdownRules(), progress=Silent())
            write_edition(Path(folder), made.assembled.built, load_embedder(settings))
        rows: list[list[Cell]] = []
        for name in ("one", "other"):
            reader = open_reader(settings, name)
            corpus = Corpus(reader.record, reader.matching({}), {})
            corpus.pages = {unit.source: reader.page(unit.source) for unit in corpus.all}
            library = HeldLibrary(reader, embedder, corpus)
            for strategy in WIDENING:
                packets = [run(strategy, query, library, BUDGET) for query in _queries(corpus)]
                shown = [one for packet in packets for one in packet.selected]
                foreign = sum(one.edition != name for one in shown)
                rows.append([name, strategy, str(len(packets)), f"{len(shown):,}", str(foreign)])
    columns = ["edition asked", "strategy", "queries", "units shown", "of the other edition"]
    return Table("Two editions of one text in one store", columns, rows)


STUDY = Study("editions", measure)
