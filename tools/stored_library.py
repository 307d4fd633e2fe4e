"""A library over the store: what the strategies search when a real question is asked.

Sections and pieces are found by full text and by vector, fused by reciprocal rank; both read the heading
path in front of the text. Blocks are found by full text in columns, which understands identifiers, and by
the words of heading path and text counted together, which tells a block from the others under its heading.
What the store has no index for (those words, runs of a few words, whole pages, title paths) is indexed in
memory when it is first asked for. The search inside chosen parents ranks exactly their blocks.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from storage.generated import Standing
from storage.model import EditionRecord, Kind, Level, Unit
from storage.reading import Candidate, Reader
from tools.fusion import fuse
from tools.lexical import Index, Searchable, rank
from tools.ports import TextEmbedder
from tools.titles import Titles

WINDOW_WORDS, WINDOW_STRIDE = 12, 8
"""A run of words as long as a short sentence, a third of it shared with the next."""

_WORD = re.compile(r"\S+")


class StoredLibrary:
    """See `tools.library.Library`."""

    index: Callable[[Iterable[tuple[str, str]]], Searchable] = Index
    """What ranks the texts that are indexed in memory."""

    def __init__(self, reader: Reader, embedder: TextEmbedder) -> None:
        self._reader = reader
        self._embedder = embedder
        self._asked: tuple[str, list[float]] | None = None

    @property
    def record(self) -> EditionRecord:
        """What the edition was made of."""
        return self._reader.record

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        """By words and by meaning; pages by the words of their whole text, blocks by words in two ways."""
        if Level.PAGE in levels:
            return self._pages.search(query, limit=limit)
        by_text = self._reader.search_text(query, limit=limit, levels=levels)
        if set(levels) == {Level.BLOCK}:
            return self._fused(by_text, self._blocks.search(query, limit=limit), limit=limit)
        vector = self._vector(query)
        where = {"level": [level.value for level in levels]}
        by_vector = self._reader.search_vectors(vector, limit=limit, where=where)
        return self._fused(by_text, by_vector, limit=limit)

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

    def search_passages(
        self, query: str, /, *, limit: int, inside: Sequence[str] | None = None
    ) -> list[Candidate]:
        """The embedded windows nearest to the query; one without text, of an empty heading, is none."""
        where = None if inside is None else {"clauseid": list(inside)}
        found = self._reader.search_vectors(self._vector(query), limit=limit, where=where)
        return [one for one in found if one.start < one.end]

    def title_likeness(self, query: str, /) -> Mapping[str, float]:
        """Title paths are embedded once a process, when they are first asked for; nothing is written."""
        return self._titles.likeness(self._vector(query))

    def search_summaries(
        self, query: str, /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]:
        """By meaning alone. StoreError where the edition was built without summaries."""
        found = self._reader.generated.search_summaries(self._vector(query), limit=limit, above=above)
        return [replace(one, generated=True) for one in found]

    def standing(self, ids: Sequence[str], /) -> list[Standing]:
        """What the summaries of these sections stand for."""
        return self._reader.generated.standing(ids)

    def search_contexts(self, query: str, /, *, limit: int) -> list[Candidate]:
        """By words and by meaning. StoreError where the edition was built without contexts."""
        generated = self._reader.generated
        by_words = generated.search_context_words(query, limit=limit)
        by_vector = generated.search_contexts(self._vector(query), limit=limit)
        return self._fused(by_words, by_vector, limit=limit)

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

    def _fused(self, *rankings: Sequence[Candidate], limit: int) -> list[Candidate]:
        """Units by reciprocal rank; the score of a unit is what the fusion gives it."""
        order = fuse((1.0, [one.unitid for one in ranking]) for ranking in rankings)[:limit]
        units = {unit.unitid: unit for unit in self._reader.units([unitid for unitid, _ in order])}
        return [_scored(units[unitid], score) for unitid, score in order if unitid in units]

    def _vector(self, query: str) -> list[float]:
        """The query's vector; kept for the next search, since one strategy makes several for one query."""
        # Held here too: another thread may ask something else meanwhile.
        asked = self._asked
        if asked is None or asked[0] != query:
            asked = self._asked = query, self._embedder.embed_query(query)
        return asked[1]

    @functools.cached_property
    def _titles(self) -> Titles:
        sections = self._reader.matching({"level": Level.SECTION.value})
        return Titles({one.unitid: one.titlepath for one in sections}, self._embedder)

    @functools.cached_property
    def _blocks(self) -> "_Runs":
        blocks = self._reader.matching({"level": Level.BLOCK.value})
        texts = (f"{block.titlepath} {block.secnum}\n{block.text}" for block in blocks)
        runs = ((b, b.start, b.end, text) for b, text in zip(blocks, texts, strict=True))
        return _Runs(runs, self.index)

    @functools.cached_property
    def _pages(self) -> "_Runs":
        pages = self._reader.matching({"level": Level.PAGE.value})
        return _Runs(
            ((unit, unit.start, unit.end, self._reader.page(unit.source).text) for unit in pages),
            self.index,
        )

    @functools.cached_property
    def _windows(self) -> "_Runs":
        levels = [Level.SECTION.value, Level.PIECE.value]
        runs = (
            (unit, start, end, self._reader.slice(unit.source, start, end))
            for unit in self._reader.matching({"level": levels})
            for start, end in _runs(unit, self._reader.page(unit.source).text)
        )
        return _Runs(runs, self.index)


class _Runs:
    """Stretches of pages, indexed in memory."""

    def __init__(
        self,
        stretches: Iterable[tuple[Unit, int, int, str]],
        index: Callable[[Iterable[tuple[str, str]]], Searchable],
    ) -> None:
        self._places: dict[str, tuple[str, str, Level, Kind, int, int]] = {}

        def texts() -> Iterator[tuple[str, str]]:
            for unit, start, end, text in stretches:
                key = f"{unit.unitid}@{start:09}"
                self._places[key] = (unit.unitid, unit.clauseid, unit.level, unit.kind, start, end)
                yield key, text

        self._index = index(texts())

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
