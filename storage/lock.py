"""One writer at a time, across processes. When a process dies, however it dies, its lock is free again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.lance import explained

FILE_NAME = "ingest.lock"


@contextmanager
def writer_lock(storage_dir: Path, *, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the store for writing; makes its folder. While another process holds it, says so and waits.

    Raises StoreError where the store cannot be written.
    """
    from filelock import FileLock, Timeout

    with explained(storage_dir, remedy="set ASK262_STORAGE_DIR to a folder that can be written"):
        storage_dir.mkdir(parents=True, exist_ok=True)
        lock = FileLock(storage_dir / FILE_NAME)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            say(f"another process is writing to {storage_dir}: waiting until it has ended (Ctrl-C gives up)")
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
