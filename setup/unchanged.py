"""Whether a source was already made into an edition, by digests alone: before anything is parsed.

Two runs have equal inputs where the same files are ingested under the same name, by the same rules, with the
same embedder and by the same program. The program counts: a renderer that was mended makes other rows of the
same files. So the first run after an update reads everything again, and finds out from the rows.
"""

import hashlib
import platform
from dataclasses import astuple
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from storage.editions import edition_to_build

if TYPE_CHECKING:
    from setup.sources import Source
    from storage.model import BreakdownRules, EmbedderIdentity

_ROOT = Path(__file__).resolve().parent.parent
_PROGRAM = ("setup", "storage")
"""Folders whose code decides what the rows are."""

_LIBRARIES = ("beautifulsoup4", "html5lib", "tokenizers", "lancedb")
"""Whose releases may parse, cut or store otherwise."""


def inputs_digest(
    source: "Source",
    *,
    edition: str | None,
    rules: "BreakdownRules",
    embedder: "EmbedderIdentity",
    generated: tuple[object, ...] = (),
) -> str:
    """SHA-256 over everything that an ingest of this source goes by. InputError for an impossible name."""
    asked = edition_to_build(edition) if edition is not None else ""
    total = hashlib.sha256()
    # The embedder without its dimension, which a remote one tells only when it is asked.
    whole = (program_digest(), asked, source.origin, source.name, source.sample, astuple(rules))
    for value in (whole, (embedder.name, embedder.digest), generated, *_files(source)):
        total.update(f"{value!r}\n".encode("utf-8", "backslashreplace"))
    return total.hexdigest()


def _files(source: "Source") -> list[tuple[str, str]]:
    return sorted((file.name, file.sha256) for file in source.files)


@cache
def program_digest() -> str:
    """SHA-256 over our code that builds and stores, and the releases of what it relies on."""
    total = hashlib.sha256(platform.python_version().encode())
    for library in _LIBRARIES:
        total.update(f"{library} {version(library)}\n".encode())
    for folder in _PROGRAM:
        for path in sorted((_ROOT / folder).glob("*.py")):
            total.update(f"{folder}/{path.name}\n".encode() + path.read_bytes())
    return total.hexdigest()
