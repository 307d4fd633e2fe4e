"""Which embedder a name stands for, and what each must keep: a vector a text, finite, not zero.

The bundled one needs no network. Any other comes by name through LangChain, or from an OpenAI-compatible
address; both are refused while ASK262_OFFLINE is set.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from storage.editions import rebuild_command
from storage.errors import EmbedderError, EmbedderMismatchError
from storage.identity import is_bundled
from storage.keys import masked
from storage.model import EditionRecord, EmbedderIdentity
from storage.settings import BUNDLED_EMBEDDER, Settings

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings

PROBE = "abstract operation"
"""Embedded once to learn a remote model's dimension."""


class Embedder(Protocol):
    """LangChain's `Embeddings`, and what makes its vectors comparable."""

    @property
    def identity(self) -> EmbedderIdentity: ...
    def embed_documents(self, texts: list[str], /) -> list[list[float]]: ...
    def embed_query(self, text: str, /) -> list[float]: ...


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name. Raises EmbedderError where it cannot be had."""
    if is_bundled(settings):
        from storage.minilm import MiniLM

        return MiniLM(batch_size=settings.batch_size, threads=settings.threads)
    if settings.offline:
        raise EmbedderError(
            f"embedder {settings.embedder} needs the network and ASK262_OFFLINE is set; "
            f"set ASK262_EMBEDDER={BUNDLED_EMBEDDER} or unset ASK262_OFFLINE"
        )
    from storage.remote_embedder import RemoteEmbedder

    return RemoteEmbedder.probed(
        connect(settings),
        name=settings.embedder,
        address=settings.embedder_base_url or "",
        secrets=settings.secrets,
    )


def connect(settings: Settings) -> "Embeddings":
    """LangChain's client for a remote model; nothing is sent yet."""
    options: dict[str, Any] = {}
    if settings.embedder_api_key is not None:
        options["api_key"] = settings.embedder_api_key
    try:
        if settings.embedder_base_url is not None:
            return _openai_compatible(settings, options)
        from langchain.embeddings import init_embeddings

        return init_embeddings(settings.embedder, **options)
    except Exception as error:  # each provider's client has exceptions of its own
        said = one_line(error, *settings.secrets)
        raise EmbedderError(
            f"embedder {settings.embedder} cannot be loaded: {said}; set ASK262_EMBEDDER to "
            f"{BUNDLED_EMBEDDER} or to provider:model, and ASK262_EMBEDDER_API_KEY if it wants a key"
        ) from error


def _openai_compatible(settings: Settings, options: dict[str, Any]) -> "Embeddings":
    from langchain_openai import OpenAIEmbeddings

    given: dict[str, Any] = {
        # Local servers take no key, but the client refuses to start without one.
        "api_key": "none",
        "base_url": settings.embedder_base_url,
        # They take text, not the token numbers that the client would send.
        "check_embedding_ctx_length": False,
        "chunk_size": settings.batch_size,
        "timeout": settings.timeout,
        **options,
    }
    return OpenAIEmbeddings(model=settings.embedder.removeprefix("openai:"), **given)


def checked(vectors: "Sequence[Sequence[float]] | np.ndarray[Any, Any]", *, count: int, name: str) -> "Any":
    """The vectors as float32 rows of length one. Raises EmbedderError for a wrong count, NaN or zero.

    Unit length makes the cosine of two vectors their product, whatever the provider sends.
    """
    import numpy as np

    try:
        rows = np.asarray(vectors, dtype=np.float32).reshape(len(vectors), -1)
    except ValueError as error:
        raise EmbedderError(f"embedder {name} answered vectors of different lengths") from error
    if len(rows) != count:
        raise EmbedderError(f"embedder {name} answered {len(rows)} vectors for {count} texts")
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise EmbedderError(
            f"embedder {name} answered a vector of zeros or of no numbers: it cannot be searched"
        )
    return rows / norms


def check_embedder(record: EditionRecord, embedder: Embedder) -> None:
    """Raise EmbedderMismatchError unless the edition's vectors were made by this embedder."""
    ours, asked = record.embedder, embedder.identity
    if (ours.digest, ours.dimension) == (asked.digest, asked.dimension):
        return
    raise EmbedderMismatchError(
        f"edition {record.edition} was built with embedder {ours.name} ({ours.dimension} numbers) and "
        f"cannot be searched with {asked.name} ({asked.dimension}): set ASK262_EMBEDDER={ours.name}, or "
        f"rebuild it: {rebuild_command(record)}"
    )


def one_line(error: BaseException, *secrets: str) -> str:
    """An error's text on one line, shortened, without secrets and without what acts on a terminal."""
    seen = "".join(one if one.isprintable() else " " for one in masked(str(error), *secrets))
    text = " ".join(seen.split()) or type(error).__name__
    return text if len(text) <= 200 else text[:199] + "…"
