"""Any embedding model behind LangChain's interface: its vectors are checked, its failures are one line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.embeddings import Embeddings

from storage.embedder import PROBE, checked, one_line
from storage.errors import EmbedderError
from storage.identity import remote_identity
from storage.model import EmbedderIdentity


class RemoteEmbedder(Embeddings):
    """Asks `client`. Name and address are its identity: a model that changes under its name goes unseen.

    `secrets` are left out of messages: servers echo keys.
    """

    def __init__(
        self, client: Embeddings, identity: EmbedderIdentity, *, secrets: tuple[str, ...] = ()
    ) -> None:
        self._client = client
        self._secrets = secrets
        self.identity = identity

    @classmethod
    def probed(
        cls, client: Embeddings, *, name: str, address: str = "", secrets: tuple[str, ...] = ()
    ) -> "RemoteEmbedder":
        """With the dimension that one short text shows. EmbedderError where the model cannot be reached."""
        identity = remote_identity(name, address)
        found = len(cls(client, identity, secrets=secrets).embed_query(PROBE))
        return cls(client, replace(identity, dimension=found), secrets=secrets)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text, of length one."""
        return self._asked(lambda: self._client.embed_documents(texts), count=len(texts)) if texts else []

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question, of length one."""
        return self._asked(lambda: [self._client.embed_query(text)], count=1)[0]

    def _asked(self, call: Callable[[], list[list[float]]], *, count: int) -> list[list[float]]:
        name = self.identity.name
        try:
            answer = call()
        except Exception as error:  # every provider raises its own; all of them mean: no vectors
            said = one_line(error, *self._secrets)
            raise EmbedderError(
                f"embedder {name} did not answer: {said}; is its server running, and is "
                "ASK262_EMBEDDER_API_KEY right?"
            ) from error
        rows = checked(answer, count=count, name=name)
        if self.identity.dimension and rows.shape[1] != self.identity.dimension:
            raise EmbedderError(
                f"embedder {name} answered {rows.shape[1]} numbers a text, not {self.identity.dimension}"
            )
        out: Any = rows.tolist()
        return list(out)
