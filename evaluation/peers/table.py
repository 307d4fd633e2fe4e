"""The peers by name, what each needs installed, and how one is built with nothing sent anywhere."""

import importlib
import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from evaluation.peers.material import Material, Peer
from storage.errors import InputError

GROUP = "peers"
"""The dependency group, and the name that stands for all peers on the command line."""

INSTALL = f"uv sync --group {GROUP} (or: pip install --group {GROUP})"

SILENT = {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
}
"""Read when the libraries are imported or asked: none of them may report that it is used."""


@dataclass(frozen=True, slots=True)
class Row:
    """A peer in one form: the function of a module of ours that builds it, and the packages it imports."""

    module: str
    form: str
    packages: tuple[str, ...]


_LANGCHAIN = ("langchain_classic", "langchain_text_splitters")
_LLAMAINDEX = ("llama_index.core", "nltk")
_HAYSTACK = ("haystack", "nltk", "llama_index.core")
_BM25 = ("bm25s", "Stemmer")

PEERS: Mapping[str, Row] = MappingProxyType(
    {
        "langchain_parent": Row("langchain_parent", "default", _LANGCHAIN),
        "langchain_parent_tuned": Row("langchain_parent", "tuned", _LANGCHAIN),
        "llamaindex_auto_merging": Row("llamaindex_auto_merging", "default", _LLAMAINDEX),
        "llamaindex_auto_merging_tuned": Row("llamaindex_auto_merging", "tuned", _LLAMAINDEX),
        "haystack_auto_merging": Row("haystack_auto_merging", "default", _HAYSTACK),
        "haystack_auto_merging_tuned": Row("haystack_auto_merging", "tuned", _HAYSTACK),
        "lancedb_vectors": Row("lancedb_rows", "default", ()),
        "lancedb_vectors_tuned": Row("lancedb_rows", "tuned", ()),
        "lancedb_hybrid": Row("lancedb_rows", "hybrid", ()),
        "bm25_sections": Row("bm25_sections", "default", _BM25),
        "bm25_sections_tuned": Row("bm25_sections", "tuned", _BM25),
    }
)


def check_installed(name: str) -> None:
    """Raise InputError, with the command that mends it, where a package of the peer is missing."""
    missing = [package for package in PEERS[name].packages if not _installed(package)]
    if missing:
        raise InputError(f"{name} needs the package {missing[0]}, which is not installed: {INSTALL}")


def build(name: str, material: Material) -> Peer:
    """The peer, its index built. Raises InputError where its packages are missing."""
    check_installed(name)
    os.environ.update(SILENT)
    row = PEERS[name]
    module = importlib.import_module(f"evaluation.peers.{row.module}")
    return cast(Peer, getattr(module, row.form)(material))


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # the package above it
        return False
