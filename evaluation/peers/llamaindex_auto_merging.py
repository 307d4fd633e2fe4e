"""LlamaIndex's HierarchicalNodeParser with AutoMergingRetriever: leaves are searched, crowds merged.

Default: as its documentation builds it. Pages as documents, nodes of 2,048, 512 and 128 tokens with an
overlap of 20, the in-memory vector and document stores, a parent in place of more than half of its children.
Results are in the library's order: by score, a merged node with the mean of its children's.

Tuned: one document a section, so that no node crosses a section, its heading path as metadata, which the
library puts in front of what it embeds. Sizes: see `TUNED`.
"""

from collections.abc import Sequence
from typing import Any

from evaluation.peers.material import LIMIT, CachedEmbedder, Found, Material, Peer, found
from evaluation.peers.sources import Source
from evaluation.peers.words import offer_words

TUNED = (1_024, 256)
"""Tokens: a leaf fills what the embedder reads, its heading path counted in."""


def default(material: Material) -> Peer:
    """The documented form."""
    return build(material, material.pages, sizes=None)


def tuned(material: Material) -> Peer:
    """The fair one."""
    return build(material, material.sections, sizes=TUNED)


def build(material: Material, given: Sequence[Source], *, sizes: Sequence[int] | None) -> Peer:
    """A retriever over the sources; the library's own sizes for None."""
    from llama_index.core import StorageContext, VectorStoreIndex
    from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
    from llama_index.core.retrievers import AutoMergingRetriever

    offer_words(material.folder)
    by_name = {source.name: source for source in given}
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=list(sizes) if sizes else None)
    nodes = parser.get_nodes_from_documents([_document(source) for source in given])
    starts = _starts(nodes)
    storage = StorageContext.from_defaults()
    storage.docstore.add_documents(nodes)
    index = VectorStoreIndex(
        get_leaf_nodes(nodes), storage_context=storage, embed_model=_embedding(material.embedder)
    )
    retriever = AutoMergingRetriever(index.as_retriever(similarity_top_k=LIMIT), storage)

    def peer(query: str) -> list[Found]:
        nodes = [result.node for result in retriever.retrieve(query)]
        return [
            found(by_name[node.ref_doc_id], starts[node.node_id], starts[node.node_id] + len(node.text))
            for node in nodes
        ]

    return peer


def _document(source: Source) -> Any:
    from llama_index.core import Document

    metadata = {"heading": source.heading} if source.heading else {}
    return Document(text=source.text, id_=source.name, metadata=metadata)


def _starts(nodes: Sequence[Any]) -> dict[str, int]:
    """Where each node begins in its document: the library counts from the node above. Parents come first."""
    out: dict[str, int] = {}
    for node in nodes:
        above = out[node.parent_node.node_id] if node.parent_node else 0
        out[node.node_id] = above + node.start_char_idx
    return out


def _embedding(embedder: CachedEmbedder) -> Any:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    class Adapter(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return embedder.embed_documents([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return embedder.embed_documents(texts)

        def _get_query_embedding(self, query: str) -> list[float]:
            return embedder.embed_query(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return embedder.embed_query(query)

    # Large batches, so that texts of similar length meet; a batch of ten is ten commits to the cache.
    return Adapter(model_name=embedder.identity.name, embed_batch_size=2_048)
