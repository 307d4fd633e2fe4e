"""What every peer is built from, and what it gives back. Knows no library.

The embedder is the one that the edition was built with. Vectors of what is indexed are kept in a cache of
their own beside the store, by digest, so that a second run embeds nothing; questions are embedded anew, since
their time is measured.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.peers import sources
from evaluation.peers.credit import Owned, owned
from evaluation.peers.sources import Source
from storage.embedder import Embedder
from storage.model import EmbedderIdentity, Span
from storage.reading import Reader
from storage.vector_cache import VectorCache, embed_cached
from tools.evidence import CANDIDATES

FOLDER = "peers"
"""Below the storage folder: the cache of vectors, and files that a library must find on disk."""

LIMIT = CANDIDATES
"""Small units that a peer is asked for: as many as our own strategies ask for."""


class CachedEmbedder:
    """LangChain's `Embeddings` over the edition's embedder; `fresh` counts the texts that no cache held."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._embedder = embedder
        self._cache = VectorCache(folder)
        self.fresh = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """Of the embedder behind the cache."""
        return self._embedder.identity

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text; what was embedded in an earlier run is read."""

        def count(done: int, missing: int) -> None:
            self.fresh += missing if done == 0 else 0

        rows = embed_cached(texts, self._embedder, self._cache, on_progress=count)
        vectors: list[list[float]] = rows.tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Never from the cache."""
        return self._embedder.embed_query(text)


class Material:
    """One edition as texts, with the embedder for them."""

    def __init__(self, reader: Reader, embedder: Embedder, storage_dir: Path) -> None:
        self._reader = reader
        self.folder = storage_dir / FOLDER
        self.embedder = CachedEmbedder(embedder, self.folder)

    @property
    def edition(self) -> str:
        """Its name."""
        return self._reader.record.edition

    @functools.cached_property
    def pages(self) -> list[Source]:
        """Whole pages."""
        return sources.pages(self._reader)

    @functools.cached_property
    def sections(self) -> list[Source]:
        """Sections without their child sections."""
        return sources.sections(self._reader)

    @functools.cached_property
    def owners(self) -> Owned:
        """Who owns which characters."""
        return owned(self.sections)


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a peer: its text, and the stretches of a page that it stands for."""

    page: str
    spans: tuple[Span, ...]
    text: str


Peer = Callable[[str], Sequence[Found]]
"""A question to results, best first."""


def found(source: Source, start: int, end: int) -> Found:
    """Characters `[start, end)` of a source as a result."""
    return Found(source.page, source.stretches(start, end), source.text[start:end])
