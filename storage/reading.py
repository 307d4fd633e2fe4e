"""The shape through which an edition is read, and what a search gives. Opens no store; tests fake it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from storage.filters import Where
from storage.model import EditionRecord, Kind, Level, Name, Page, Unit


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that one search found. `start` and `end` are its best window for vectors, else the unit's."""

    unitid: str
    clauseid: str
    level: Level
    kind: Kind
    start: int
    end: int
    score: float
    """Higher is better; comparable only inside one result."""


class NameTable(Protocol):
    """The names of an edition."""

    def by_key(self, key: str, /) -> list[Name]: ...
    def by_keys(self, keys: Sequence[str], /) -> list[Name]: ...
    def __iter__(self) -> Iterator[Name]: ...
    def __len__(self) -> int: ...


class Reader(Protocol):
    """One edition, read only. Every result is in a fixed order; what is not there is left out or None."""

    @property
    def record(self) -> EditionRecord: ...
    def unit(self, unitid: str, /) -> Unit | None: ...
    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def children(self, sectionid: str, /) -> list[Unit]: ...
    def blocks(self, sectionid: str, /) -> list[Unit]: ...
    def page(self, source: str, /) -> Page: ...
    def slice(self, source: str, start: int, end: int, /) -> str: ...
    def names(self) -> NameTable: ...
    def count(self, level: Level, /) -> int: ...
    def search_text(
        self, query: str, *, limit: int, where: Where | None = None, levels: Sequence[Level] | None = None
    ) -> list[Candidate]: ...
    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Where | None = None
    ) -> list[Candidate]: ...
