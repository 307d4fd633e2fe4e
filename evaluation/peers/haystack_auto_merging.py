"""Haystack's HierarchicalDocumentSplitter with AutoMergingRetriever: leaves are searched, crowds merged.

Default: as its article on auto-merging builds it. Pages as documents, blocks of ten and of five sentences, a
parent in place of more than half of its children, the in-memory document stores. A page of one block has a
leaf without a parent, and the retriever raises on every question that finds one: such questions are counted.

Tuned: one document a section, so that no block crosses a section, and the heading path among the metadata
that the embedder puts in front of a text, as Haystack's own embedders do (`meta_fields_to_embed`). A leaf
without a parent does not go through the retriever, which refuses it. Sizes: see `TUNED`.

The retriever returns unmerged leaves first, by parent, then what it merged, and leaves ordering to a later
component. Both forms put a result where its best leaf stood, which is better for it than the order it gives.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.peers.material import LIMIT, CachedEmbedder, Found, Material, Peer, found
from evaluation.peers.sources import Source
from evaluation.peers.words import offer_words

SENTENCES = frozenset({10, 5})

TUNED = frozenset({300, 100})
"""Words: a leaf nearly fills what the embedder reads, with its heading path."""


def default(material: Material) -> Peer:
    """The documented form."""
    return build(material, material.pages, sizes=SENTENCES, unit="sentence", spare_roots=False)


def tuned(material: Material) -> Peer:
    """The fair one."""
    return build(material, material.sections, sizes=TUNED, unit="word", spare_roots=True)


def build(
    material: Material, given: Sequence[Source], *, sizes: frozenset[int], unit: str, spare_roots: bool
) -> Peer:
    """A retriever over the sources. `spare_roots` keeps leaves without a parent away from the merging."""
    from haystack import Document
    from haystack.components.preprocessors import HierarchicalDocumentSplitter
    from haystack.components.retrievers import InMemoryEmbeddingRetriever
    from haystack.components.retrievers.auto_merging_retriever import AutoMergingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    offer_words(material.folder)
    splitter = HierarchicalDocumentSplitter(block_sizes=set(sizes), split_overlap=0, split_by=unit)
    documents = [
        Document(content=source.text, meta={"name": source.name, "heading": source.heading})
        for source in given
    ]
    blocks = splitter.run(documents)["documents"]
    starts = _starts(blocks)
    leaves, parents = InMemoryDocumentStore(), InMemoryDocumentStore()
    leaves.write_documents(
        _embedded([one for one in blocks if not one.meta["__children_ids"]], material.embedder)
    )
    parents.write_documents([one for one in blocks if one.meta["__children_ids"]])
    retriever, merger = InMemoryEmbeddingRetriever(leaves), AutoMergingRetriever(parents)
    by_name = {source.name: source for source in given}

    def told(block: Any) -> Found:
        start = starts[block.id]
        return found(by_name[block.meta["name"]], start, start + len(block.content))

    def peer(query: str) -> list[Found]:
        vector = material.embedder.embed_query(query)
        hits = retriever.run(query_embedding=vector, top_k=LIMIT)["documents"]
        spared = [one for one in hits if spare_roots and not one.meta["__parent_id"]]
        rest = [one for one in hits if not spare_roots or one.meta["__parent_id"]]
        merged = merger.run(rest)["documents"]
        return by_best_leaf([told(one) for one in (*spared, *merged)], [told(one) for one in hits])

    return peer


def by_best_leaf(results: Sequence[Found], leaves: Sequence[Found]) -> list[Found]:
    """The results in the order of the first leaf that lies inside each."""

    def rank(one: Found) -> int:
        inside = (number for number, leaf in enumerate(leaves) if _inside(leaf, one))
        return next(inside, len(leaves))

    return sorted(results, key=rank)


def _inside(leaf: Found, result: Found) -> bool:
    return leaf.page == result.page and all(
        any(around.contains(span) for around in result.spans) for span in leaf.spans
    )


def _starts(blocks: Sequence[Any]) -> dict[str, int]:
    """Where each block begins in its document: the library counts from the one above. Parents come first."""
    out: dict[str, int] = {}
    for block in blocks:
        parent = block.meta["__parent_id"]
        out[block.id] = out[parent] + block.meta["split_idx_start"] if parent else 0
    return out


def _embedded(blocks: Sequence[Any], embedder: CachedEmbedder) -> list[Any]:
    texts = ["\n".join(filter(None, (one.meta["heading"], one.content))) for one in blocks]
    vectors = embedder.embed_documents(texts)
    return [replace(one, embedding=vector) for one, vector in zip(blocks, vectors, strict=True)]
