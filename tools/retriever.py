"""The search and the strategies as a LangChain retriever, for other people's chains.

A document is one piece of evidence: its text is exact (markers stand where child sections were cut out), its
metadata has `METADATA_KEYS` and, under `PACKET`, the packet that it comes from. The packet is in the metadata
and no attribute, since metadata is what rerankers, compressors and stores hand on; it is plain JSON, and one
object for all documents of a question. Answers nothing and calls no chat model.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from pydantic import Field, PrivateAttr, SkipValidation, field_validator

from storage.documents import metadata
from storage.errors import InputError
from storage.model import Span
from storage.reading import Candidate, Reader
from tools.budget import Budget
from tools.packet import Order, Packet, Selected
from tools.ports import TextEmbedder
from tools.resolve import usable
from tools.searched import DEFAULT, searched
from tools.stored_library import StoredLibrary
from tools.strategies.table import STRATEGIES, laid_out, require, run

if TYPE_CHECKING:
    from storage.settings import Settings

PACKET = "packet"
"""The one key of a document's metadata beside `METADATA_KEYS`."""

CHAIN_BUDGET = Budget(units=8, characters=8_000)
"""Evidence for one prompt: about 2,000 tokens, which every chat model has room for."""


class SpecRetriever(BaseRetriever):
    """Evidence for a question: by `default`, the tools' search, or by a strategy of `tools.strategies`."""

    reader: SkipValidation[Reader] = Field(exclude=True)
    embedder: SkipValidation[TextEmbedder] = Field(exclude=True)
    strategy: str = DEFAULT
    budget: SkipValidation[Budget] = CHAIN_BUDGET
    order: Order = Order.RANK
    _library: StoredLibrary = PrivateAttr()

    @field_validator("strategy")
    @classmethod
    def _known(cls, name: str) -> str:
        if name != DEFAULT and name not in STRATEGIES:
            raise InputError(f"`{name}` is no strategy; there are {', '.join((DEFAULT, *STRATEGIES))}.")
        return name

    def model_post_init(self, context: Any, /) -> None:
        """The library that the strategies search; nothing is read yet."""
        super().model_post_init(context)
        self._library = StoredLibrary(self.reader, self.embedder)

    @classmethod
    def from_store(
        cls,
        edition: str | None = None,
        *,
        strategy: str = DEFAULT,
        budget: Budget = CHAIN_BUDGET,
        order: Order = Order.RANK,
        settings: "Settings | None" = None,
    ) -> "SpecRetriever":
        """Over an edition of the configured store; the newest where none is named.

        Raises NoStoreError, UnknownEditionError, EmbedderMismatchError, InputError for an unknown strategy,
        StoreError for one that this edition was not built for.
        """
        from storage.embedder import check_embedder, load_embedder
        from storage.reader import open_reader
        from storage.settings import load_settings

        asked = settings or load_settings()
        reader, embedder = open_reader(asked, edition), load_embedder(asked)
        check_embedder(reader.record, embedder)
        if strategy in STRATEGIES:
            require(strategy, reader.record)
        return cls(reader=reader, embedder=embedder, strategy=strategy, budget=budget, order=order)

    def packet(self, query: str, *, k: int | None = None) -> Packet:
        """The evidence of a question with all that led to it; at most `k` pieces where it is given."""
        asked = usable(query, what="query")
        budget = self.budget if k is None else Budget(k, self.budget.characters)
        if self.strategy != DEFAULT:
            return run(self.strategy, asked, self._library, budget, order=self.order)
        found = searched(asked, self.reader, self.embedder, self._library, budget)
        return laid_out(found, self._library, order=self.order)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002  (LangChain looks for it)
        k: int | None = None,
    ) -> list[Document]:
        return self._documents(query, k)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002  (as above)
        k: int | None = None,
    ) -> list[Document]:
        # In a thread: the store has no other way, and the loop stays free. LangChain's own version loses `k`.
        return await run_in_executor(None, self._documents, query, k)

    def _documents(self, query: str, k: int | None) -> list[Document]:
        packet = self.packet(query, k=k)
        units = {unit.unitid: unit for unit in self.reader.units([one.unitid for one in packet.selected])}
        told = packet_data(packet)
        return [
            Document(
                id=document_id(one),
                page_content=one.text,
                metadata={
                    **metadata(units[one.unitid]),
                    # Of the evidence, which may be a part of its unit.
                    "start": one.spans[0].start,
                    "end": one.spans[-1].end,
                    PACKET: told,
                },
            )
            for one in packet.selected
        ]


def document_id(one: Selected) -> str:
    """Unit and place: two windows of one unit are two documents."""
    return f"{one.unitid}@{one.spans[0].start}-{one.spans[-1].end}"


def packet_data(packet: Packet) -> dict[str, Any]:
    """A packet as JSON has it. `selected` is in the order of the documents, each with its document's `id`."""
    return {
        "strategy": packet.strategy,
        "query": packet.query,
        "edition": packet.edition,
        "hits": [_hit(one) for one in packet.hits],
        "selected": [
            {
                "id": document_id(one),
                "unitid": one.unitid,
                "level": one.level.value,
                "spans": _pairs(one.spans),
                "children": [_hit(child) for child in one.children],
            }
            for one in packet.selected
        ],
        "refusals": [
            {"unitid": one.unitid, "reason": one.reason.value, "child": one.child} for one in packet.refusals
        ],
        "parents": [_hit(one) for one in packet.parents],
        "calls": packet.calls,
        "candidates": packet.candidates,
        "characters": packet.characters,
    }


def _hit(one: Candidate) -> dict[str, Any]:
    return {
        "unitid": one.unitid,
        "start": one.start,
        "end": one.end,
        "score": one.score,
        "generated": one.generated,
    }


def _pairs(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]
