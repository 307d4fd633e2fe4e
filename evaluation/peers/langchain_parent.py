"""LangChain's ParentDocumentRetriever: small chunks are searched, the larger chunks around them returned.

Default: as its documentation builds it. Pages as documents, parents of 2,000 characters, children of 400, an
in-memory vector store and an in-memory document store.

Tuned: one document a section, so that no chunk crosses a section, and the heading path in front of each
child, since the retriever embeds a chunk's text and nothing else. Sizes: see `TUNED`. Both differences are
what a user who knows the specification would do, with the library's own parts.
"""

from collections.abc import Sequence
from typing import Any

from evaluation.peers.material import LIMIT, Found, Material, Peer, found
from evaluation.peers.sources import Source

PARENT, CHILD, OVERLAP = 2_000, 400, 200
"""Characters, as in the class's own example; the overlap is the splitter's default."""

TUNED = (2_000, 800)
"""Characters: a child fills what the embedder reads, 256 tokens with its heading path."""


def default(material: Material) -> Peer:
    """The documented form."""
    return build(material, material.pages, parent=PARENT, child=CHILD, overlap=OVERLAP)


def tuned(material: Material) -> Peer:
    """The fair one."""
    parent, child = TUNED
    return build(material, material.sections, parent=parent, child=child, overlap=0)


def build(material: Material, given: Sequence[Source], *, parent: int, child: int, overlap: int) -> Peer:
    """A retriever over the sources."""
    from langchain_classic.retrievers import ParentDocumentRetriever
    from langchain_classic.storage import InMemoryStore
    from langchain_core.documents import Document
    from langchain_core.vectorstores import InMemoryVectorStore

    retriever = ParentDocumentRetriever(
        vectorstore=InMemoryVectorStore(material.embedder),  # type: ignore[arg-type]
        docstore=InMemoryStore(),
        parent_splitter=_splitter(parent, overlap),
        child_splitter=_headed(child, overlap),
        search_kwargs={"k": LIMIT},
    )
    by_name = {source.name: source for source in given}
    retriever.add_documents(
        [Document(source.text, metadata={"name": source.name, "heading": source.heading}) for source in given]
    )

    def peer(query: str) -> list[Found]:
        return [_found(by_name, document) for document in retriever.invoke(query)]

    return peer


def _found(by_name: dict[str, Source], parent: Any) -> Found:
    start = parent.metadata["start_index"]
    return found(by_name[parent.metadata["name"]], start, start + len(parent.page_content))


def _splitter(size: int, overlap: int) -> Any:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)


def _headed(size: int, overlap: int) -> Any:
    """A splitter whose chunks begin with the heading path of their document, where it has one."""
    from langchain_core.documents import Document
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Headed(RecursiveCharacterTextSplitter):
        def split_documents(self, documents: Any) -> list[Document]:
            return [
                Document(
                    "\n".join(filter(None, (one.metadata["heading"], one.page_content))),
                    metadata=one.metadata,
                )
                for one in super().split_documents(documents)
            ]

    return Headed(chunk_size=size, chunk_overlap=overlap)
