"""LanceDB's one door: imported here and kept quiet, its failures turned into StoreError with a remedy.

LanceDB raises RuntimeError, ValueError and OSError for everything from a full disk to a torn file; what
happened stands only in the text.
"""

import errno
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from storage.errors import StoreError

FOLDER = "lance"
"""The tables' folder inside the storage folder."""

REBUILD = "if it is damaged, rebuild it: python -m setup.ingest SOURCE --edition NAME"

_FULL = ("no space left", "disk full", "file too large", "quota exceeded")
_FORBIDDEN = ("permission denied", "operation not permitted")
_READ_ONLY = "read-only file system"
_FULL_CODES = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_FORBIDDEN_CODES = (errno.EACCES, errno.EPERM)


def tables_folder(storage_dir: Path) -> Path:
    """Where LanceDB keeps the tables."""
    return storage_dir / FOLDER


def connect(storage_dir: Path) -> Any:
    """A connection to the tables. Makes the folder: whoever only reads asks first whether it is there."""
    # Read when the library loads; its Rust side would write warnings to standard error otherwise.
    os.environ.setdefault("LANCEDB_LOG", "error")
    import lancedb

    if fault := no_folder(storage_dir):
        raise fault
    with explained(storage_dir):
        return lancedb.connect(tables_folder(storage_dir))


def no_folder(storage_dir: Path) -> StoreError | None:
    """The error for a store in which something else stands where its tables should be."""
    tables = tables_folder(storage_dir)
    with explained(storage_dir):
        if tables.is_dir() or not tables.exists():
            return None
    return StoreError(
        f"the store in {storage_dir} is damaged: {tables} is no folder; remove it and ingest again:"
        f" rm {shlex.quote(str(tables))} && python -m setup.ingest SOURCE --edition NAME"
    )


@contextmanager
def explained(storage_dir: Path, *, remedy: str = REBUILD) -> Iterator[None]:
    """Turns what LanceDB and the file system raise into StoreError: one line, with the remedy."""
    try:
        yield
    except (RuntimeError, ValueError, OSError) as error:
        raise StoreError(explanation(error, storage_dir, remedy)) from error


def explanation(error: Exception, storage_dir: Path, remedy: str = REBUILD) -> str:
    """What happened to the store, and what mends it; `remedy` is what mends damage."""
    text = " ".join(str(error).split())
    code = error.errno if isinstance(error, OSError) else None
    if code in _FULL_CODES or any(words in text.lower() for words in _FULL):
        return f"no room to write the store in {storage_dir}: free some space and run the same command again"
    if code in _FORBIDDEN_CODES or any(words in text.lower() for words in _FORBIDDEN):
        return (
            f"the store in {storage_dir} may not be read or written by this user: change its permissions, "
            "or set ASK262_STORAGE_DIR to another folder"
        )
    if code == errno.EROFS or _READ_ONLY in text.lower():
        return (
            f"the store in {storage_dir} is on a read-only file system: "
            "set ASK262_STORAGE_DIR to a folder that can be written"
        )
    return f"the store in {storage_dir} cannot be used ({_clipped(text)}): {remedy}"


def _clipped(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"
