"""The editions that a server answers from: opened when first asked for, and again after a new build.

A reader reads one build as long as it lives. A server lives for weeks: it looks now and then whether the
catalog names another build, and asks that one from then on.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from storage.catalog import EMPTY, Catalog, find_edition, read_catalog
from storage.model import EditionRecord
from storage.reader import LanceReader, open_reader
from storage.settings import Settings
from tools.ports import Embedder
from tools.toolbox import Toolbox

LOOK_AGAIN = 2.0
"""Seconds between two looks into the catalog; one costs about as much as a small query."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An edition that can be asked."""

    reader: LanceReader
    toolbox: Toolbox


@dataclass(slots=True)
class Editions:
    """Shared by all clients."""

    settings: Settings
    default: str | None
    """Asked where a client names none; the newest where this is None."""
    embedder_for: Callable[[EditionRecord], Embedder]
    clock: Callable[[], float] = time.monotonic
    _open: dict[str, Opened] = field(default_factory=dict)
    _catalog: Catalog = EMPTY
    _looked: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)

    def names(self) -> list[str]:
        """The editions in the store that can be asked."""
        with self._lock:
            return [record.edition for record in self._current().records]

    def get(self, edition: str | None = None) -> Opened:
        """The edition of that name or alias, as it was built last.

        Raises UnknownEditionError with the list of those there are, StoreError for a store that cannot be
        read.
        """
        with self._lock:
            record = find_edition(
                self._current(), edition, default=self.default, storage_dir=self.settings.storage_dir
            )
            opened = self._open.get(record.edition)
            if opened is None or opened.reader.record.build != record.build:
                reader = open_reader(self.settings, record.edition)
                opened = Opened(reader, Toolbox(reader, self.embedder_for(reader.record)))
                self._open[record.edition] = opened
            return opened

    def _current(self) -> Catalog:
        """The catalog of a moment ago. What it no longer holds is let go, and its tables with it."""
        now = self.clock()
        if now - self._looked >= LOOK_AGAIN:
            self._catalog, self._looked = read_catalog(self.settings.storage_dir), now
            held = {record.edition for record in self._catalog.records}
            self._open = {name: opened for name, opened in self._open.items() if name in held}
        return self._catalog
