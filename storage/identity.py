"""Which embedder made a set of vectors: known from the settings, with no model loaded and no server asked."""

import hashlib

from storage.bundled import MODEL, TOKENIZER
from storage.model import EmbedderIdentity
from storage.settings import BUNDLED_EMBEDDER, Settings
from storage.windows import MAX_TOKENS

DIMENSION = 384
"""Numbers in a vector of the bundled model."""

POOLING = f"mean,l2,{MAX_TOKENS}"
"""What is done with the bundled model's output; with its two files it makes the embedder's identity."""


def identity_digest(*parts: str) -> str:
    """SHA-256 over the parts, each with its length, so that no two lists collide."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


BUNDLED = EmbedderIdentity(
    name=BUNDLED_EMBEDDER,
    dimension=DIMENSION,
    digest=identity_digest(MODEL.sha256, TOKENIZER.sha256, POOLING),
)


def remote_identity(name: str, address: str) -> EmbedderIdentity:
    """A remote model's, with dimension 0: only its server knows that."""
    return EmbedderIdentity(name=name, dimension=0, digest=identity_digest(name, address))


def is_bundled(settings: Settings) -> bool:
    """Whether the settings name the embedder that needs no network."""
    return settings.embedder == BUNDLED_EMBEDDER and settings.embedder_base_url is None


def configured_identity(settings: Settings) -> EmbedderIdentity:
    """The identity of the embedder that the settings name; dimension 0 for a remote one."""
    if is_bundled(settings):
        return BUNDLED
    return remote_identity(settings.embedder, settings.embedder_base_url or "")
