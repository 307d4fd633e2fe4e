"""What a strategy needs of an edition, and the count of what it used; holds no procedure.

Narrower than `storage.reading.Reader`: searches by level, the search inside chosen parents, the searches by
meaning alone, those of what was generated at ingest, and the tree.
`tools.stored_library` is one over the store; tests have one in memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from storage.generated import Standing
from storage.model import EditionRecord, Level, Unit
from storage.reading import Candidate


class Library(Protocol):
    """One edition to search and read. Equal scores are in the order of unit ids, then of places."""

    @property
    def record(self) -> EditionRecord: ...
    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        """The best units of these levels; a page counts with its whole text."""
        ...

    def search_windows(self, query: str, /, *, limit: int) -> list[Candidate]:
        """The best runs of a few words; `unitid` is the unit that a run stands in."""
        ...

    def search_inside(self, query: str, parents: Sequence[str], /, *, limit: int) -> list[Candidate]:
        """The best blocks inside the parents, with the statistics of those blocks alone."""
        ...

    def search_passages(
        self, query: str, /, *, limit: int, inside: Sequence[str] | None = None
    ) -> list[Candidate]:
        """The passages nearest in meaning, one a unit, of all or of some sections; the score is a cosine."""
        ...

    def title_likeness(self, query: str, /) -> Mapping[str, float]:
        """How near the title path of each section is to the query, by section: a cosine."""
        ...

    def search_summaries(
        self, query: str, /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]:
        """The sections whose summaries are nearest, of all or right below some: a cosine.

        Raises StoreError, with the command that makes them, where the edition has no summaries.
        """
        ...

    def standing(self, ids: Sequence[str], /) -> list[Standing]:
        """What the summaries of these sections stand for."""
        ...

    def search_contexts(self, query: str, /, *, limit: int) -> list[Candidate]:
        """The best blocks, each searched behind its context. StoreError where the edition has none."""
        ...

    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def below(self, unitid: str, /) -> list[Unit]:
        """The immediate parts of a unit in document order: sections, pieces and blocks."""
        ...

    def slice(self, source: str, start: int, end: int, /) -> str: ...


@dataclass(slots=True)
class Counted:
    """A library that counts the calls, and the candidates that its searches gave."""

    library: Library
    calls: int = 0
    candidates: int = 0

    @property
    def record(self) -> EditionRecord:
        return self.library.record

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        return self._found(self.library.search(query, levels, limit=limit))

    def search_windows(self, query: str, /, *, limit: int) -> list[Candidate]:
        return self._found(self.library.search_windows(query, limit=limit))

    def search_inside(self, query: str, parents: Sequence[str], /, *, limit: int) -> list[Candidate]:
        return self._found(self.library.search_inside(query, parents, limit=limit))

    def search_passages(
        self, query: str, /, *, limit: int, inside: Sequence[str] | None = None
    ) -> list[Candidate]:
        return self._found(self.library.search_passages(query, limit=limit, inside=inside))

    def title_likeness(self, query: str, /) -> Mapping[str, float]:
        self.calls += 1
        return self.library.title_likeness(query)

    def search_summaries(
        self, query: str, /, *, limit: int, above: Sequence[str] | None = None
    ) -> list[Candidate]:
        return self._found(self.library.search_summaries(query, limit=limit, above=above))

    def standing(self, ids: Sequence[str], /) -> list[Standing]:
        self.calls += 1
        return self.library.standing(ids)

    def search_contexts(self, query: str, /, *, limit: int) -> list[Candidate]:
        return self._found(self.library.search_contexts(query, limit=limit))

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        self.calls += 1
        return self.library.units(ids)

    def below(self, unitid: str, /) -> list[Unit]:
        self.calls += 1
        return self.library.below(unitid)

    def slice(self, source: str, start: int, end: int, /) -> str:
        return self.library.slice(source, start, end)

    def _found(self, candidates: list[Candidate]) -> list[Candidate]:
        self.calls += 1
        self.candidates += len(candidates)
        return candidates
