"""An edition's units and names held in memory: the same look-ups as the store's, without asking it each
time."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from storage.model import BuiltEdition, Name, NameKind, Unit
from storage.name_table import rank


class HeldNames:
    """See `storage.reading.NameTable`."""

    def __init__(self, names: Sequence[Name]) -> None:
        self._by_key: dict[str, list[Name]] = defaultdict(list)
        for name in sorted(names, key=rank):
            self._by_key[name.key].append(name)
        self._spelled_out = tuple(
            sorted((name for name in names if name.kind is not NameKind.ANCHOR), key=rank)
        )

    def by_key(self, key: str, /) -> list[Name]:
        """Every name with this folded key, the preferred kind first."""
        return list(self._by_key.get(key, ()))

    def by_keys(self, keys: Sequence[str], /) -> list[Name]:
        """Every name with one of these folded keys."""
        return sorted((name for key in dict.fromkeys(keys) for name in self.by_key(key)), key=rank)

    def __iter__(self) -> Iterator[Name]:
        """Every name but the anchors."""
        return iter(self._spelled_out)

    def __len__(self) -> int:
        return len(self._spelled_out)


class HeldEdition:
    """What a look-up needs of an edition; see `tools.ports.Named`."""

    def __init__(self, built: BuiltEdition) -> None:
        self._units = {unit.unitid: unit for unit in built.units}
        self._names = HeldNames(built.names)

    def unit(self, unitid: str, /) -> Unit | None:
        """The unit, or None."""
        return self._units.get(unitid)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The units in the order of `ids`; missing ones are left out."""
        return [self._units[unitid] for unitid in ids if unitid in self._units]

    def names(self) -> HeldNames:
        """The names of the edition."""
        return self._names
