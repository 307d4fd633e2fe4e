"""Embeddings kept by (embedder, text) in one SQLite file, so that nothing is embedded twice.

Committed batch by batch: a run that is killed goes on from there. The cache holds nothing that cannot be
made again, so a damaged file is replaced, with one line of notice. Vectors are float32 bytes in the
machine's order.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from storage.embedder import Embedder, checked, one_line
from storage.errors import StoreError

if TYPE_CHECKING:
    import numpy as np

    Rows: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

FILE_NAME = "vectors.sqlite3"

COMMIT_TEXTS = 64
"""Texts embedded between two commits: what a killed run loses, a few seconds' work."""

ASK_TEXTS = 500
"""Digests looked up in one statement; older SQLite takes no more than 999."""

BUSY_SECONDS = 30.0

_FILES = ("", "-wal", "-shm")
"""Suffixes of the files that SQLite makes of one."""

_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
  embedder TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
) WITHOUT ROWID
"""


def _silent(_: str) -> None:
    return None


class VectorCache:
    """One file in `folder`. Raises StoreError where it cannot be written; a damaged one is begun anew."""

    def __init__(self, folder: Path, *, note: Callable[[str], None] = _silent) -> None:
        self._path = folder / FILE_NAME
        self._note = note

    def get(self, embedder: str, digests: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there, by digest."""
        found: dict[str, bytes] = self._attempt(lambda: self._get(embedder, digests))
        return found

    def put(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep the vectors, all or none."""
        self._attempt(lambda: self._put(embedder, vectors))

    def keep_only(self, used: Iterable[tuple[str, str]]) -> tuple[int, int]:
        """Forget every vector but those of `used` (embedder, text digest); how many went and stayed."""
        pairs = set(used)
        if not self._path.exists():
            return 0, 0
        counts: tuple[int, int] = self._attempt(lambda: self._keep_only(pairs))
        return counts

    def size(self) -> int:
        """Bytes on disk."""
        files = (self._path.with_name(self._path.name + suffix) for suffix in _FILES)
        return sum(file.stat().st_size for file in files if file.exists())

    def _keep_only(self, used: set[tuple[str, str]]) -> tuple[int, int]:
        with self._opened() as database:
            held = set(database.execute("SELECT embedder, text FROM vectors"))
            unused = held - used
            with database:
                database.executemany("DELETE FROM vectors WHERE embedder = ? AND text = ?", unused)
            if unused:
                database.execute("VACUUM")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(unused), len(held) - len(unused)

    def _get(self, embedder: str, digests: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        with self._opened() as database:
            for at in range(0, len(digests), ASK_TEXTS):
                asked = digests[at : at + ASK_TEXTS]
                marks = ",".join("?" * len(asked))
                statement = f"SELECT text, vector FROM vectors WHERE embedder = ? AND text IN ({marks})"  # noqa: S608
                found.update(database.execute(statement, (embedder, *asked)))
        return found

    def _put(self, embedder: str, vectors: dict[str, bytes]) -> None:
        with self._opened() as database, database:
            rows = [(embedder, text, vector) for text, vector in vectors.items()]
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute(_TABLE)
            yield database

    def _attempt(self, work: Callable[[], Any]) -> Any:
        """`work`, once more with a new file where the old one is damaged."""
        try:
            return work()
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from error
        except sqlite3.DatabaseError as error:
            self._note(f"the embedding cache {self._path} is damaged ({one_line(error)}): begun anew")
        try:
            self._remove()
            return work()
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def _remove(self) -> None:
        for suffix in _FILES:
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the embedding cache {self._path} cannot be used ({one_line(error)}): free space, make it "
            "writable, or set ASK262_STORAGE_DIR to another folder"
        )


@dataclass(frozen=True, slots=True)
class CacheState:
    """What a cache holds; `fault` says why it cannot be read, and is empty where it can."""

    vectors: int
    bytes: int
    fault: str = ""


def cache_state(folder: Path) -> CacheState:
    """Looks at a cache without writing; one that is not there holds nothing."""
    path, size = folder / FILE_NAME, VectorCache(folder).size()
    if not path.exists():
        return CacheState(0, 0)
    fault = ""
    # Immutable where the folder may not be written, since SQLite keeps its locks in a file beside.
    for options in ("mode=ro", "mode=ro&immutable=1"):
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True)) as database:
                count: int = database.execute("SELECT count(*) FROM vectors").fetchone()[0]
                return CacheState(count, size)
        except sqlite3.Error as error:
            fault = one_line(error)
    return CacheState(0, size, fault)


def embed_cached(
    texts: Sequence[str],
    embedder: Embedder,
    cache: VectorCache,
    *,
    on_progress: Callable[[int, int], None] = lambda *_: None,
) -> "Rows":
    """One vector a text, in order; only what the cache lacks is embedded, and equal texts once.

    `on_progress` is told how many of the texts to embed are done, and how many there are: (0, n) first.
    """
    import numpy as np

    digests = [text_digest(text) for text in texts]
    by_digest = dict(zip(digests, texts, strict=True))
    known = _usable(cache.get(embedder.identity.digest, list(by_digest)), embedder.identity.dimension)
    missing = sorted((digest for digest in by_digest if digest not in known), key=_longest_first(by_digest))
    on_progress(0, len(missing))
    for at in range(0, len(missing), COMMIT_TEXTS):
        part = missing[at : at + COMMIT_TEXTS]
        fresh = _embedded([by_digest[digest] for digest in part], embedder)
        new = {digest: row.tobytes() for digest, row in zip(part, fresh, strict=True)}
        cache.put(embedder.identity.digest, new)
        known |= new
        on_progress(at + len(part), len(missing))
    rows = [np.frombuffer(known[digest], dtype=np.float32) for digest in digests]
    return np.stack(rows) if rows else np.zeros((0, embedder.identity.dimension), dtype=np.float32)


def text_digest(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _longest_first(texts: dict[str, str]) -> Callable[[str], tuple[int, str]]:
    """Similar lengths together (padding is work), the longest first: the time left is not underrated."""
    return lambda digest: (-len(texts[digest]), digest)


def _usable(found: dict[str, bytes], dimension: int) -> dict[str, bytes]:
    """Without vectors of another size: a torn file may hold some."""
    return {digest: vector for digest, vector in found.items() if len(vector) == 4 * dimension}


def _embedded(texts: list[str], embedder: Embedder) -> "Rows":
    rows: Rows = checked(embedder.embed_documents(texts), count=len(texts), name=embedder.identity.name)
    return rows
