"""An edition's embedder, loaded and checked by the first question: reading and outlining need none."""

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.model import EditionRecord
    from storage.settings import Settings
    from tools.ports import Embedder


class QueryEmbedder:
    """Loads once, whoever asks first; questions may come from several threads."""

    def __init__(self, settings: "Settings", record: "EditionRecord") -> None:
        self._settings = settings
        self._record = record
        self._lock = Lock()

    def embed_query(self, text: str, /) -> list[float]:
        """The question's vector. Raises EmbedderMismatchError where the edition was built with another
        model, EmbedderError where it cannot be loaded."""
        with self._lock:
            embedder = self._embedder
        return embedder.embed_query(text)

    @cached_property
    def _embedder(self) -> "Embedder":
        from storage.embedder import check_embedder, load_embedder

        embedder = load_embedder(self._settings)
        check_embedder(self._record, embedder)
        return embedder
