"""A library over the store: what the strategies search when a real question is asked.

Sections, pieces and blocks are found by full text and by vector, fused by reciprocal rank; both read the
heading path in front of the text. What the store has no index for (runs of a few words, whole pages) is
indexed in memory when it is first asked for. The search inside chosen parents ranks exactly their blocks.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from storage.model import EditionRecord, Kind, Level, Unit
from storage.reading import Candidate, Reader
from tools.fusion import fuse
from tools.lexical import Index, rank
from tools.ports import Embedder

WINDOW_WORDS, WINDOW_STRIDE = 12, 8
"""A run of words as long as a short sentence, a third of it shared with the next."""

_WORD = re.compile(r"\S+")


class StoredLibrary:
    """See `tools.library.Library`."""

    def __init__(self, reader: Reader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    @property
    def record(self) -> EditionRecord:
        """What the edition was made of."""
        return self._reader.record

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        """By words and by meaning; pages by the words of their whole text."""
        if Level.PAGE in levels:
            return self._pages.search(query, limit=limit)
        by_text = self._reader.search_text(query, limit=limit, levels=levels)
        vector = self._embedder.embed_query(query)
        where = {"level": [level.value for level in levels]}
        by_vector = self._reader.search_vectors(vector, limit=limit, where=where)
        order = fuse((1.0, [one.unitid for one in ranking]) for ranking in (by_text, by_vector))[:limit]
        units = {unit.unitid: unit for unit in self._reader.units([unitid for unitid, _ in order])}
        return [_scored(units[unitid], score) for unitid, score in order if unitid in units]

    def search_windows(self, query: str, /, *, limit: int) -> list[Candidate]:
        """Runs of a few words."""
        return self._windows.search(query, limit=limit)

    def search_inside(self, query: str, parents: Sequence[str], /, *, limit: int) -> list[Candidate]:
        """The blocks of the parents' pages or of the sections' own text, ranked among themselves."""
        chosen = self._reader.units(parents)
        pages = [unit.source for unit in chosen if unit.level is Level.PAGE]
        sections = [unit.unitid for unit in chosen if unit.level is not Level.PAGE]
        blocks = {
            unit.unitid: unit
            for column, values in (("source", pages), ("clauseid", sections))
            if values
            for unit in self._reader.matching({column: values, "level": Level.BLOCK.value})
        }
        texts = ((unit.unitid, f"{unit.titlepath}\n{unit.text}") for unit in blocks.values())
        return [_scored(blocks[unitid], score) for unitid, score in rank(query, texts, limit=limit)]

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The units in the order of `ids`; missing ones are left out."""
        return self._reader.units(ids)

    def below(self, unitid: str, /) -> list[Unit]:
        """The immediate sections, pieces and blocks, in document order."""
        parts = self._reader.matching({"parentsectionid": unitid})
        return sorted(parts, key=lambda unit: (unit.start, unit.end, unit.unitid))

    def slice(self, source: str, start: int, end: int, /) -> str:
        """Characters of a page's canonical text."""
        return self._reader.slice(source, start, end)

    @functools.cached_property
    def _pages(self) -> "_Runs":
        pages = self._reader.matching({"level": Level.PAGE.value})
        return _Runs((unit, unit.start, unit.end, self._reader.page(unit.source).text) for unit in pages)

    @functools.cached_property
    def _windows(self) -> "_Runs":
        levels = [Level.SECTION.value, Level.PIECE.value]
        return _Runs(
            (unit, start, end, self._reader.slice(unit.source, start, end))
            for unit in self._reader.matching({"level": levels})
            for start, end in _runs(unit, self._reader.page(unit.source).text)
        )


class _Runs:
    """Stretches of pages, indexed in memory."""

    def __init__(self, stretches: Iterable[tuple[Unit, int, int, str]]) -> None:
        self._places: dict[str, tuple[str, str, Level, Kind, int, int]] = {}

        def texts() -> Iterator[tuple[str, str]]:
            for unit, start, end, text in stretches:
                key = f"{unit.unitid}@{start:09}"
                self._places[key] = (unit.unitid, unit.clauseid, unit.level, unit.kind, start, end)
                yield key, text

        self._index = Index(texts())

    def search(self, query: str, *, limit: int) -> list[Candidate]:
        found = self._index.search(query, limit=limit)
        return [Candidate(*self._places[key], score=score) for key, score in found]


def _runs(unit: Unit, page: str) -> Iterator[tuple[int, int]]:
    """Character ranges of runs of words in a unit's own text; none crosses a child."""
    for segment in unit.segments:
        words = [found.span() for found in _WORD.finditer(page, segment.start, segment.end)]
        last = max(1, len(words) - WINDOW_WORDS + WINDOW_STRIDE)
        for at in range(0, last if words else 0, WINDOW_STRIDE):
            yield words[at][0], words[min(at + WINDOW_WORDS, len(words)) - 1][1]


def _scored(unit: Unit, score: float) -> Candidate:
    return Candidate(unit.unitid, unit.clauseid, unit.level, unit.kind, unit.start, unit.end, score)
