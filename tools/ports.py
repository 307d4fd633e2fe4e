"""What the tools need of a reader and of an embedder, and no more; holds no behaviour.

A narrow view of `storage.reading.Reader` and of LangChain's `Embeddings`: a fake of it is small.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from storage.model import EditionRecord, Level, Unit
from storage.reading import Candidate, NameTable, Place

Condition = Mapping[str, str | bool]
"""A filter: every named column of a unit has the value. The store writes and escapes the filter text."""


class Reader(Protocol):
    """One edition of a built store, read only."""

    @property
    def record(self) -> EditionRecord: ...
    def unit(self, unitid: str, /) -> Unit | None: ...
    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def blocks(self, sectionid: str, /) -> list[Unit]: ...
    def slice(self, source: str, start: int, end: int, /) -> str: ...
    def names(self) -> NameTable: ...
    def referrers(self) -> Mapping[str, int]: ...
    def outline(self) -> Mapping[str, Place]: ...
    def search_text(
        self,
        query: str,
        *,
        limit: int,
        where: Condition | None = None,
        levels: Sequence[Level] | None = None,
    ) -> list[Candidate]: ...
    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Condition | None = None
    ) -> list[Candidate]: ...


class Named(Protocol):
    """Units and the names that lead to them."""

    def unit(self, unitid: str, /) -> Unit | None: ...
    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def names(self) -> NameTable: ...


class References(Protocol):
    """Sections and how often they are referred to."""

    def units(self, ids: Sequence[str], /) -> list[Unit]: ...
    def referrers(self) -> Mapping[str, int]: ...
    def outline(self) -> Mapping[str, Place]: ...


class Embedder(Protocol):
    """Turns a question into a vector."""

    def embed_query(self, text: str, /) -> list[float]: ...


class TextEmbedder(Embedder, Protocol):
    """Turns what is searched into vectors too."""

    def embed_documents(self, texts: list[str], /) -> list[list[float]]: ...
