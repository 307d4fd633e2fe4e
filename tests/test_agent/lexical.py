"""A reader over a whole edition in memory that ranks by words alone (BM25): real text, nothing embedded."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from setup.pipeline import Build
from storage.model import (
    BuiltEdition,
    EditionRecord,
    EmbedderIdentity,
    Kind,
    Level,
    Name,
    NameKind,
    Unit,
)
from storage.names import identifier_parts
from tests.test_tools.fake import outline_of

K1, B = 1.2, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza, 2009)."""


@dataclass(frozen=True)
class Found:
    """One unit that a search found."""

    unitid: str
    clauseid: str
    level: Level
    kind: Kind
    start: int
    end: int
    score: float


class Index:
    """Word counts of some units, searched by BM25; ties by unit id."""

    def __init__(self, units: Sequence[Unit], text: Callable[[Unit], str]) -> None:
        self.units = units
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.lengths: list[int] = []
        for place, unit in enumerate(units):
            words = _words(text(unit))
            self.lengths.append(len(words))
            for word, count in Counter(words).items():
                self.postings[word].append((place, count))
        self.usual = sum(self.lengths) / len(self.lengths)

    def search(self, query: str, limit: int, where: Mapping[str, Any]) -> list[Found]:
        scores: dict[int, float] = defaultdict(float)
        for word in set(_words(query)):
            holding = self.postings.get(word, [])
            rarity = math.log(1 + (len(self.units) - len(holding) + 0.5) / (len(holding) + 0.5))
            for place, count in holding:
                length = 1 - B + B * self.lengths[place] / self.usual
                scores[place] += rarity * count * (K1 + 1) / (count + K1 * length)
        order = sorted(scores, key=lambda place: (-scores[place], self.units[place].unitid))
        best = [place for place in order if all(getattr(self.units[place], k) == v for k, v in where.items())]
        return [_found(self.units[place], scores[place]) for place in best[:limit]]


class LexicalNames:
    """The names of an edition by their keys."""

    def __init__(self, names: Sequence[Name]) -> None:
        preference = list(NameKind)
        self.rows = sorted(names, key=lambda name: (preference.index(name.kind), name.name, name.sectionid))
        self.keys: dict[str, list[Name]] = defaultdict(list)
        for name in self.rows:
            self.keys[name.key].append(name)

    def by_key(self, key: str, /) -> list[Name]:
        return self.keys.get(key, [])

    def by_keys(self, keys: Sequence[str], /) -> list[Name]:
        return [name for key in keys for name in self.by_key(key)]

    def __iter__(self) -> Iterator[Name]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class LexicalReader:
    """One edition; the "vector" of a query is the query."""

    def __init__(self, built: BuiltEdition) -> None:
        self.all = {unit.unitid: unit for unit in built.units}
        self.pages = {page.source: page.text for page in built.pages}
        self.table = LexicalNames(built.names)
        self.by_section: dict[str, list[Unit]] = defaultdict(list)
        blocks = [unit for unit in built.units if unit.level is Level.BLOCK]
        for block in blocks:
            self.by_section[block.sectionid].append(block)
        wide = [unit for unit in built.units if unit.level in (Level.SECTION, Level.PIECE)]
        told = [block for block in blocks if block.kind is not Kind.HEADING]
        self.wide = Index(wide, lambda unit: f"{unit.titlepath} {unit.title} {unit.text}")
        self.narrow = Index(told, lambda unit: f"{unit.titlepath} {unit.text}")
        self.record = EditionRecord(
            edition=built.edition, title=built.title, origin=built.origin, sourcedigest=built.sourcedigest,
            representation="ask262-text/1", schema=1, sample=built.sample,
            embedder=EmbedderIdentity("words", 1, "w"), rules=built.rules, tables={}, counts={},
            built="2026-01-01T00:00:00Z", build="build-1",
        )  # fmt: skip

    def unit(self, unitid: str, /) -> Unit | None:
        return self.all.get(unitid)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        return [self.all[unitid] for unitid in ids if unitid in self.all]

    def blocks(self, sectionid: str, /) -> list[Unit]:
        return self.by_section.get(sectionid, [])

    def slice(self, source: str, start: int, end: int, /) -> str:
        return self.pages[source][start:end]

    def names(self) -> LexicalNames:
        return self.table

    def referrers(self) -> Mapping[str, int]:
        return Counter(target for unit in self.wide.units for target in unit.references)

    def outline(self) -> Mapping[str, Any]:
        return outline_of(list(self.all.values()))

    def search_text(
        self, query: str, *, limit: int, where: Any = None, levels: Sequence[Level] | None = None
    ) -> Any:
        index = self.narrow if levels and Level.BLOCK in levels else self.wide
        return index.search(query, limit, where or {})

    def search_vectors(self, vector: Any, *, limit: int, where: Any = None) -> Any:
        return self.wide.search(" ".join(map(str, vector)), limit, where or {})


class Words:
    """An embedder whose vector of a text is its words."""

    def embed_query(self, text: str, /) -> Any:
        return text.split()


def lexical(build: Build) -> LexicalReader:
    """A reader over what setup built."""
    return LexicalReader(build.assembled.built)


def _words(text: str) -> list[str]:
    plain = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return plain.split() + identifier_parts(text)


def _found(unit: Unit, score: float) -> Found:
    return Found(unit.unitid, unit.clauseid, unit.level, unit.kind, unit.start, unit.end, score)
