"""The names of an edition as they stand in the store, read only when needed.

Most names are anchors (30,000 of 35,000 in a real edition), and those are only ever looked up exactly: they
stay in the store. The others are read once, for approximate look-up.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from storage.filters import Filter, one_of
from storage.model import Name, NameKind
from storage.schema import name_of

PREFERENCE = {kind: place for place, kind in enumerate(NameKind)}
"""The order of `NameKind` is the order in which names are preferred."""

SPELLED_OUT = [kind.value for kind in NameKind if kind is not NameKind.ANCHOR]


class StoredNames:
    """See `storage.reading.NameTable`. `select` gives the rows that a filter matches."""

    def __init__(self, select: Callable[[Filter], Sequence[dict[str, Any]]]) -> None:
        self._select = select

    def by_key(self, key: str, /) -> list[Name]:
        """Every name with this folded key, anchors included; the preferred kind first."""
        return self.by_keys([key])

    def by_keys(self, keys: Sequence[str], /) -> list[Name]:
        """Every name with one of these folded keys, in one look-up."""
        found = [name_of(row) for row in self._select(one_of("key", keys))] if keys else []
        return sorted(found, key=rank)

    def __iter__(self) -> Iterator[Name]:
        """Every name but the anchors."""
        return iter(self._spelled_out)

    def __len__(self) -> int:
        return len(self._spelled_out)

    @functools.cached_property
    def _spelled_out(self) -> tuple[Name, ...]:
        rows = self._select(one_of("kind", SPELLED_OUT))
        return tuple(sorted((name_of(row) for row in rows), key=rank))


def rank(name: Name) -> tuple[int, str, str, str, int]:
    """The order in which names are given, however they were stored."""
    return PREFERENCE[name.kind], name.name, name.sectionid, name.detail, name.start
