"""The shape through which an edition is read, and what a search gives. Opens no store; tests fake it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from storage.filters import Where
from storage.generated import Standing
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
    generated: bool = False
    """Found by a summary that was made for the unit; the text of the unit may say it in other words."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a section is, without its text."""

    title: str
    parent: str | None
    characters: int
    """Of its own text: its child sections and pieces are not counted."""
    normative: bool
    childless: bool
    """No section stands inside it."""


class NameTable(Protocol):
    """The names of an edition."""

    def by_key(self, key: str, /) -> list[Name]: ...
    def by_keys(self, keys: Sequence[str], /) -> list[Name]: ...
    def __iter__(self) -> Iterator[Name]: ...
    def __len__(self) -> int: ...


class GeneratedTexts(Protocol):
    """Searches of what was generated for an edition; StoreError where that was not asked for at ingest.

    Candidates and spans come out, never the generated text.
    """

    def search_summaries(
        self, vector: Sequence[float], /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]: ...
    def standing(self, ids: Sequence[str], /) -> list[Standing]: ...
    def search_contexts(self, vector: Sequence[float], /, *, limit: int) -> list[Candidate]: ...
    def search_context_words(self, query: str, /, *, limit: int) -> list[Candidate]: ...


class Reader(Protocol):
    """One edition, read only. Every result is in a fixed order; what is not there is left out or None."""

    @property
    def record(self) -> EditionRecord: ...
    def unit(self, unitid: str, /) -> Unit | None: ...
    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def children(self, sectionid: str, /) -> list[Unit]: ...
    def blocks(self, sectionid: str, /) -> list[Unit]: ...
    def matching(self, where: Where, /) -> list[Unit]: ...
    def page(self, source: str, /) -> Page: ...
    def slice(self, source: str, start: int, end: int, /) -> str: ...
    def names(self) -> NameTable: ...
    def count(self, level: Level, /) -> int: ...
    def referrers(self) -> Mapping[str, int]: ...
    def outline(self) -> Mapping[str, Place]: ...
    @property
    def generated(self) -> GeneratedTexts: ...
    def search_text(
        self, query: str, *, limit: int, where: Where | None = None, levels: Sequence[Level] | None = None
    ) -> list[Candidate]: ...
    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Where | None = None
    ) -> list[Candidate]: ...
