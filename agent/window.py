"""How much a chat model can read. Known of some beforehand; others say so once they were sent too much.

Pure.
"""

from dataclasses import dataclass

SMALLER = 0.6
"""Part of a conversation that a server found too long which is tried next: its window is not known."""
LEAST = 2_800
"""Characters that a conversation is given in any case until a server refuses them: what was set or known
counts characters for tokens, and with less than the results of one turn there is no answer."""


@dataclass(slots=True)
class Window:
    """One question's; what a turn shows and what is sent both keep to it."""

    most: int | None
    """Characters that can be read in all; None while nothing is known."""
    around: int = 0
    """Of those, what the prompt and the descriptions of the tools take."""
    _refused: bool = False

    @property
    def room(self) -> int | None:
        """Characters for the question and all that follows; None while nothing is known."""
        if self.most is None:
            return None
        room = self.most - self.around
        return max(0, room) if self._refused else max(LEAST, room)

    def refused(self, characters: int) -> None:
        """Learn that a conversation of so many was too long."""
        self.most = self.around + int(SMALLER * characters)
        self._refused = True
