"""Plain LanceDB: a table of rows with a vector each, searched as its documentation shows.

Default: a row a section, its text as it stands (the model reads the first 256 tokens), exact vector search.

Tuned: a row for every window of 256 tokens that a section is longer than, the heading path in front of each;
the best window stands for its section. Nothing is cut off, and a section is known by its place.

Hybrid: the rows of the tuned form, vector and full-text search fused by the library's default reranker
(reciprocal rank), the full-text index with its defaults.

The tables live in a temporary folder and are opened through `storage.lance`, the one door to the library.
"""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluation.peers.material import LIMIT, Found, Material, Peer, found
from evaluation.peers.sources import Source
from storage.windows import shorten_prefix, windows

TABLE = "rows"


def default(material: Material) -> Peer:
    """The documented form."""
    rows = [_row(source, 0, len(source.text), source.text) for source in material.sections]
    return _vectors(material, rows)


def tuned(material: Material) -> Peer:
    """The fair one."""
    return _vectors(material, _windows(material))


def hybrid(material: Material) -> Peer:
    """The fair one, full text beside the vectors."""
    table = _table(material, _windows(material))
    table.create_fts_index("text")

    def search(query: str) -> Any:
        vector = material.embedder.embed_query(query)
        return table.search(query_type="hybrid").vector(vector).text(query)

    return _peer(material, search)


def _vectors(material: Material, rows: Sequence[dict[str, Any]]) -> Peer:
    table = _table(material, rows)
    return _peer(material, lambda query: table.search(material.embedder.embed_query(query)))


def _peer(material: Material, search: Callable[[str], Any]) -> Peer:
    by_name = {source.name: source for source in material.sections}

    def peer(query: str) -> list[Found]:
        rows = search(query).select(["name", "start", "end"]).limit(LIMIT).to_list()
        return [found(by_name[row["name"]], row["start"], row["end"]) for row in rows]

    return peer


def _windows(material: Material) -> list[dict[str, Any]]:
    return [row for source in material.sections for row in _cut(source)]


def _cut(source: Source) -> Iterator[dict[str, Any]]:
    prefix = shorten_prefix(source.heading)
    for start, end in windows(source.text, prefix=prefix):
        yield _row(source, start, end, f"{prefix}\n{source.text[start:end]}".rstrip())


def _row(source: Source, start: int, end: int, text: str) -> dict[str, Any]:
    return {"name": source.name, "start": start, "end": end, "text": text}


def _table(material: Material, rows: Sequence[dict[str, Any]]) -> Any:
    from storage.lance import connect

    vectors = material.embedder.embed_documents([row["text"] for row in rows])
    folder = Path(tempfile.mkdtemp(prefix="ask262-peer-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    rows = [{**row, "vector": vector} for row, vector in zip(rows, vectors, strict=True)]
    return connect(folder).create_table(TABLE, rows)
