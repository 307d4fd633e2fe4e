"""An edition in memory, so that a study of a thousand packets reads the store once.

`Corpus` holds units and pages. `HeldLibrary` is the library of the store whose reads come from the corpus and
whose searches are remembered: packets are those of the store, only times are not.
"""

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from evaluation.studies.index import FastIndex
from storage.model import EditionRecord, Kind, Level, Page, Unit
from storage.reading import Candidate, Reader
from tools.lexical import K1, B, words
from tools.ports import TextEmbedder
from tools.stored_library import StoredLibrary


class Corpus:
    """Units and pages of one edition, found by id, by parent and by section."""

    def __init__(self, record: EditionRecord, units: Sequence[Unit], pages: Mapping[str, Page]) -> None:
        self.record = record
        self.all = sorted(units, key=lambda unit: (unit.source, unit.start, unit.end, unit.unitid))
        self.by_id = {unit.unitid: unit for unit in self.all}
        self.pages = pages

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The units in the order of `ids`; missing ones are left out."""
        return [self.by_id[one] for one in ids if one in self.by_id]

    def below(self, unitid: str, /) -> list[Unit]:
        """The immediate sections, pieces and blocks, in document order."""
        return list(self._below.get(unitid, ()))

    def blocks(self, clauseid: str, /) -> list[Unit]:
        """The blocks of a section's own text, those of its pieces too, in document order."""
        return list(self._blocks.get(clauseid, ()))

    def heading(self, clauseid: str, /) -> Unit | None:
        """The block that prints a section's number and title; None for a section without."""
        return next((one for one in self.blocks(clauseid) if one.kind is Kind.HEADING), None)

    def slice(self, source: str, start: int, end: int, /) -> str:
        """Characters of a page's canonical text."""
        return self.pages[source].text[start:end]

    def text(self, unit: Unit) -> str:
        """A unit's own text without markers; for a block all of it."""
        return "\n".join(self.slice(unit.source, span.start, span.end) for span in unit.segments)

    def level(self, *levels: Level) -> list[Unit]:
        """All units of these levels, in document order."""
        return [unit for unit in self.all if unit.level in levels]

    @functools.cached_property
    def _below(self) -> dict[str, list[Unit]]:
        out: dict[str, list[Unit]] = {}
        for unit in self.all:
            if unit.parentsectionid is not None:
                out.setdefault(unit.parentsectionid, []).append(unit)
        return out

    @functools.cached_property
    def _blocks(self) -> dict[str, list[Unit]]:
        out: dict[str, list[Unit]] = {}
        for unit in self.level(Level.BLOCK):
            out.setdefault(unit.clauseid, []).append(unit)
        return out


def load(reader: Reader) -> Corpus:
    """The edition that a reader reads."""
    units = reader.matching({})
    return Corpus(reader.record, units, {source: reader.page(source) for source in {u.source for u in units}})


def inside_ranks(query: str, counts: Mapping[str, Counter[str]]) -> list[tuple[str, float]]:
    """`tools.lexical.rank` over texts whose words are counted already; the same scores and order."""
    lengths = {key: held.total() for key, held in counts.items()}
    mean = sum(lengths.values()) / len(lengths) if lengths else 1.0
    scores: dict[str, float] = {}
    for word in sorted(set(words(query))):
        holding = [key for key, held in counts.items() if word in held]
        rarity = math.log(1 + (len(counts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for key in holding:
            count, damped = counts[key][word], K1 * (1 - B + B * lengths[key] / mean)
            scores[key] = scores.get(key, 0.0) + rarity * count * (K1 + 1) / (count + damped)
    return sorted(scores.items(), key=lambda entry: (-round(entry[1], 9), entry[0]))


class HeldLibrary(StoredLibrary):
    """The library of the store, each search made once."""

    index = staticmethod(FastIndex)

    def __init__(self, reader: Reader, embedder: TextEmbedder, corpus: Corpus) -> None:
        super().__init__(reader, embedder)
        self._corpus = corpus
        self._known: dict[tuple[object, ...], list[Candidate]] = {}

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        """As the store finds them."""
        key = ("search", query, tuple(levels), limit)
        if key not in self._known:
            self._known[key] = super().search(query, levels, limit=limit)
        return list(self._known[key])

    def search_inside(self, query: str, parents: Sequence[str], /, *, limit: int) -> list[Candidate]:
        """As the store's library ranks them, the words of a block counted once for all queries."""
        chosen = self._corpus.units(parents)
        pages = {unit.source for unit in chosen if unit.level is Level.PAGE}
        sections = [unit.unitid for unit in chosen if unit.level is not Level.PAGE]
        inside = [unit for unit in self._corpus.level(Level.BLOCK) if unit.source in pages] if pages else []
        inside += [block for one in sections for block in self._corpus.blocks(one)]
        ranked = inside_ranks(query, {unit.unitid: self._counts[unit.unitid] for unit in inside})
        units = ((self._corpus.by_id[key], score) for key, score in ranked[:limit])
        return [
            Candidate(unit.unitid, unit.clauseid, unit.level, unit.kind, unit.start, unit.end, score)
            for unit, score in units
        ]

    @functools.cached_property
    def _counts(self) -> dict[str, Counter[str]]:
        return {
            block.unitid: Counter(words(f"{block.titlepath}\n{block.text}"))
            for block in self._corpus.level(Level.BLOCK)
        }

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """From memory."""
        return self._corpus.units(ids)

    def below(self, unitid: str, /) -> list[Unit]:
        """From memory."""
        return self._corpus.below(unitid)

    def slice(self, source: str, start: int, end: int, /) -> str:
        """From memory."""
        return self._corpus.slice(source, start, end)
