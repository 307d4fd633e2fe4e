"""One writer at a time, across processes. When a process dies, however it dies, its lock is free again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.errors import StoreError
from storage.lance import explained

FILE_NAME = "ingest.lock"


@contextmanager
def writer_lock(storage_dir: Path) -> Iterator[None]:
    """Hold the store for writing; makes its folder. Raises StoreError while another process holds it."""
    from filelock import FileLock, Timeout

    with explained(storage_dir, remedy="set ASK262_STORAGE_DIR to a folder that can be written"):
        storage_dir.mkdir(parents=True, exist_ok=True)
        lock = FileLock(storage_dir / FILE_NAME)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StoreError(
                f"another ingest is writing to {storage_dir}: run the same command again when it has ended"
            ) from error
    try:
        yield
    finally:
        lock.release()
