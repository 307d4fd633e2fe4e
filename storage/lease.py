"""Keeps the tables of a build as long as somebody reads them, across processes.

A reader holds a shared lock on one folder of the build; whoever wants to drop the build must get that lock
for itself. Nothing is written for it, so a store that may not be written can be read, and a lock goes with
its process, however that ends. Where the system has no such locks (Windows, some network folders) a build is
dropped two switches later although it is read, and the reader says so.
"""

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Lease:
    """Held until it is released or forgotten."""

    def __init__(self, descriptor: int) -> None:
        self._release = weakref.finalize(self, os.close, descriptor)

    def release(self) -> None:
        """Let the build go; a second time does nothing."""
        self._release()


def hold(folder: Path) -> Lease | None:
    """A lease on a build by one of its folders; None where that is gone or being dropped."""
    try:
        descriptor = _opened(folder)
    except FileNotFoundError:
        return None
    lease = Lease(descriptor)
    if _locked(descriptor, alone=False):
        return lease
    lease.release()
    return None


@contextmanager
def claimed(folder: Path) -> Iterator[bool]:
    """Whether nobody reads the build; inside the block nobody can begin to. A folder that is gone is free."""
    try:
        descriptor = _opened(folder)
    except FileNotFoundError:
        yield True
        return
    lease = Lease(descriptor)
    try:
        yield _locked(descriptor, alone=True)
    finally:
        lease.release()


def _opened(folder: Path) -> int:
    if fcntl is None:
        # Windows opens no folder, and has no lock for one.
        return os.open(os.devnull, os.O_RDONLY)
    return os.open(folder, os.O_RDONLY)


def _locked(descriptor: int, *, alone: bool) -> bool:
    """False where somebody holds the folder the other way; True also where its system has no locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
