"""A library in memory: units over a few pages, searched by BM25 over exactly the eligible ones.

What is searched by meaning alone is likened by shared words instead: the cosine of two sets of words.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from storage.generated import Standing, Summary
from storage.model import EditionRecord, Level, Unit
from storage.reading import Candidate
from tests.test_tools.fake import SOURCE, Builder, Section, small
from tools.lexical import rank, words

WINDOW_WORDS, WINDOW_STRIDE = 12, 8


def bare(unit: Unit, text: str) -> str:
    """What is searched: the text alone."""
    return text


def with_path(unit: Unit, text: str) -> str:
    """What is searched: the heading path, then the text."""
    return f"{unit.titlepath}\n{text}"


@dataclass
class MemoryLibrary:
    """See `tools.library.Library`."""

    pages: Mapping[str, str]
    all_units: list[Unit]
    record: EditionRecord
    index_text: Callable[[Unit, str], str] = bare
    summaries: list[Summary] = field(default_factory=list)

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        return self._ranked(query, [unit for unit in self.all_units if unit.level in levels], limit)

    def search_windows(self, query: str, /, *, limit: int) -> list[Candidate]:
        found: dict[str, tuple[Unit, int, int]] = {}
        for unit in self.all_units:
            if unit.level is Level.SECTION:
                for start, end in _runs(self.slice(unit.source, unit.start, unit.end)):
                    found[f"{unit.unitid}@{start:06}"] = (unit, unit.start + start, unit.start + end)
        texts = [(key, self.slice(unit.source, start, end)) for key, (unit, start, end) in found.items()]
        return [_candidate(*found[key], score=score) for key, score in rank(query, texts, limit=limit)]

    def search_inside(self, query: str, parents: Sequence[str], /, *, limit: int) -> list[Candidate]:
        chosen = self.units(parents)
        inside = [
            unit
            for unit in self.all_units
            if unit.level is Level.BLOCK
            and any(unit.source == one.source and one.span.contains(unit.span) for one in chosen)
        ]
        return self._ranked(query, inside, limit)

    def search_passages(
        self, query: str, /, *, limit: int, inside: Sequence[str] | None = None
    ) -> list[Candidate]:
        eligible = [
            unit
            for unit in self.all_units
            if unit.level is Level.SECTION and (inside is None or unit.clauseid in inside)
        ]
        return nearest(query, [(unit, self._searched(unit)) for unit in eligible], limit=limit)

    def title_likeness(self, query: str, /) -> Mapping[str, float]:
        sections = [unit for unit in self.all_units if unit.level is Level.SECTION]
        return {unit.unitid: likeness(query, unit.titlepath) for unit in sections}

    def search_summaries(
        self, query: str, /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]:
        eligible = [one for one in self.summaries if above is None or one.above in above]
        found = nearest(query, [(one.unit, one.indexed) for one in eligible], limit=limit)
        return [replace(one, generated=True) for one in found]

    def standing(self, ids: Sequence[str], /) -> list[Standing]:
        return [
            Standing(
                one.unit.unitid, one.members, one.spans, one.unit.source, one.unit.edition, one.unit.digest
            )
            for one in self.summaries
            if one.unit.unitid in ids
        ]

    def search_contexts(self, query: str, /, *, limit: int) -> list[Candidate]:
        blocks = [unit for unit in self.all_units if unit.level is Level.BLOCK]
        texts = {unit.unitid: with_path(unit, self._searched(unit)) for unit in blocks}
        units = {unit.unitid: unit for unit in blocks}
        return [
            _candidate(units[key], units[key].start, units[key].end, score=score)
            for key, score in rank(query, texts.items(), limit=limit)
        ]

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        found = {unit.unitid: unit for unit in self.all_units}
        return [found[one] for one in ids if one in found]

    def below(self, unitid: str, /) -> list[Unit]:
        parts = [unit for unit in self.all_units if unit.parentsectionid == unitid]
        return sorted(parts, key=lambda unit: (unit.start, unit.end, unit.unitid))

    def slice(self, source: str, start: int, end: int, /) -> str:
        return self.pages[source][start:end]

    def _ranked(self, query: str, units: Iterable[Unit], limit: int) -> list[Candidate]:
        found = {unit.unitid: unit for unit in units}
        texts = [(unit.unitid, self.index_text(unit, self._searched(unit))) for unit in found.values()]
        return [
            _candidate(found[key], found[key].start, found[key].end, score=score)
            for key, score in rank(query, texts, limit=limit)
        ]

    def _searched(self, unit: Unit) -> str:
        spans = [unit.span] if unit.level is Level.PAGE else unit.segments
        return "\n".join(self.slice(unit.source, span.start, span.end) for span in spans)


def likeness(one: str, other: str) -> float:
    """The cosine of two sets of words."""
    ours, theirs = set(words(one)), set(words(other))
    return len(ours & theirs) / math.sqrt(len(ours) * len(theirs) or 1)


def nearest(query: str, texts: Iterable[tuple[Unit, str]], *, limit: int) -> list[Candidate]:
    """The units by the likeness of their texts, ties by id; none without a word in common."""
    scored = [_candidate(unit, unit.start, unit.end, score=likeness(query, text)) for unit, text in texts]
    alike = [one for one in scored if one.score > 0]
    return sorted(alike, key=lambda one: (-one.score, one.unitid))[:limit]


def library(
    documents: Mapping[str, Sequence[Section]], *, index_text: Callable[[Unit, str], str] = bare
) -> MemoryLibrary:
    """A page for each document, by its name."""
    pages: dict[str, str] = {}
    units: list[Unit] = []
    for document, sections in documents.items():
        built = Builder(*sections)
        pages[f"{document}.html"] = built.text
        units += [_moved(unit, document) for unit in built.units]
    return MemoryLibrary(pages, units, small().record, index_text)


def _moved(unit: Unit, document: str) -> Unit:
    """The builder's one page under the document's name."""
    assert unit.source == SOURCE
    name = f"page-{document}"
    return replace(
        unit,
        source=f"{document}.html",
        unitid=name if unit.level is Level.PAGE else unit.unitid,
        clauseid=name if unit.level is Level.PAGE else unit.clauseid,
        parentsectionid=name if unit.parentsectionid == "page-page" else unit.parentsectionid,
    )


def _runs(text: str) -> list[tuple[int, int]]:
    import re

    found = [word.span() for word in re.finditer(r"\S+", text)]
    starts = range(0, max(1, len(found) - WINDOW_WORDS + WINDOW_STRIDE), WINDOW_STRIDE)
    return [(found[at][0], found[min(at + WINDOW_WORDS, len(found)) - 1][1]) for at in starts if found]


def _candidate(unit: Unit, start: int, end: int, *, score: float) -> Candidate:
    return Candidate(unit.unitid, unit.clauseid, unit.level, unit.kind, start, end, score)
