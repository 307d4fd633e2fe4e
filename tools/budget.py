"""An evidence budget in units and characters, and the basket that keeps to it.

One separator stands between two units, and it counts. No unit in the basket lies inside another: a unit that
does adds its children to the one around it, and a unit that covers others takes their place.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from storage.errors import InputError
from storage.reading import Candidate
from tools.packet import Reason, Selected

SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much evidence a question may be shown: four paragraphs, unless said otherwise."""

    units: int = 4
    characters: int = 900

    def __post_init__(self) -> None:
        if self.units < 1 or self.characters < 1:
            raise InputError(
                f"A budget of {self.units} units and {self.characters} characters holds nothing."
            )


def parse_budget(text: str) -> Budget:
    """`4/900`: units, then characters. Raises InputError for anything else.

    >>> parse_budget("4/900")
    Budget(units=4, characters=900)
    """
    units, _, characters = text.partition("/")
    if not (units.isdecimal() and characters.isdecimal()):
        raise InputError(f"`{text}` is no budget: write units and characters, such as 4/900.")
    return Budget(int(units), int(characters))


@dataclass(slots=True)
class Basket:
    """What has been selected so far, in the order of selection."""

    budget: Budget
    held: list[Selected] = field(default_factory=list)

    @property
    def characters(self) -> int:
        """Of all that is held, separators included."""
        return used(self.held)

    @property
    def full(self) -> Reason | None:
        """The reason why nothing more is taken, once all units are held."""
        return Reason.TOO_MANY_UNITS if len(self.held) >= self.budget.units else None

    @property
    def room(self) -> int:
        """Characters that one more unit may have; 0 or less where none fits."""
        separator = len(SEPARATOR) if self.held else 0
        return 0 if self.full else self.budget.characters - self.characters - separator

    def covers(self, unit: Selected) -> bool:
        """Whether the unit is wholly held already."""
        return any(one.covers(unit) for one in self.held)

    def offer(self, unit: Selected) -> Reason | None:
        """Take the unit, or say why not. A refused offer changes nothing."""
        for number, one in enumerate(self.held):
            if one.covers(unit):
                self.held[number] = replace(one, children=together([one, unit]))
                return None
        inside = [one for one in self.held if unit.covers(one)]
        after = [one for one in self.held if one not in inside]
        at = self.held.index(inside[0]) if inside else len(self.held)
        after.insert(at, replace(unit, children=together([*inside, unit])))
        if len(after) > self.budget.units:
            return Reason.TOO_MANY_UNITS
        if used(after) > self.budget.characters:
            return Reason.TOO_LONG
        self.held = after
        return None


def used(units: list[Selected]) -> int:
    """Characters of the units with one separator between each two."""
    return sum(len(one.text) for one in units) + len(SEPARATOR) * max(0, len(units) - 1)


def together(units: Iterable[Selected]) -> tuple[Candidate, ...]:
    """The children of all of them, each once, in order."""
    return tuple(dict.fromkeys(child for one in units for child in one.children))
