"""What a conversation knows: its session, its turns, and what was changed since it began. Prints nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.answer import Answer
from agent.links import section_link
from agent.talk.followup import understood
from storage.names import fold
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from agent.session import Session

DEFAULT_STRATEGY = "default"
"""The search that the tools offer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer. `understood` is what was asked of the model where that differs."""

    question: str
    answer: Answer
    understood: str = ""


@dataclass(frozen=True, slots=True)
class More:
    """Where the last section that was shown goes on."""

    sectionid: str
    cursor: str


@dataclass(slots=True)
class Conversation:
    """Changes as commands and questions come. `reopen` makes a session with other settings."""

    session: "Session"
    reopen: Callable[..., "Session"]
    turns: list[Turn] = field(default_factory=list)
    strategy: str = DEFAULT_STRATEGY
    tokens: tuple[int, int] = (0, 0)
    """Read and written by the model, as its provider counts them."""
    more: More | None = None
    full: bool = False
    """Whether every step stays on the screen while a question is worked on."""
    written: set[Path] = field(default_factory=set)
    """Files that this conversation is saved in: `/save` may write them again."""
    _toolbox: Toolbox | None = None

    @property
    def toolbox(self) -> Toolbox:
        """The tools over the edition that is asked now."""
        if self._toolbox is None:
            self._toolbox = Toolbox(self.session.reader, self.session.embedder)
        return self._toolbox

    @property
    def last(self) -> Answer | None:
        """The last answer; None before the first."""
        return self.turns[-1].answer if self.turns else None

    def _knows(self, name: str) -> bool:
        """Whether the edition has a name."""
        return bool(self.session.reader.names().by_key(fold(name)))

    def link(self, sectionid: str) -> str:
        """The public page of a section that this edition has; empty where there is none."""
        return section_link(self.session.reader, sectionid)

    def understood(self, question: str) -> str:
        """A question as it is asked after the turns so far."""
        return understood(question, self.turns[-1] if self.turns else None, known=self._knows)

    def change(self, **changes: Any) -> None:
        """Go on with another edition, model or limit; the turns stay. Raises what opening a session does."""
        self.session = self.reopen(self.session, **changes)
        self._toolbox, self.more = None, None

    def add(self, turn: Turn, *, tokens: tuple[int, int]) -> None:
        """Remember a turn and what it cost."""
        self.turns.append(turn)
        self.tokens = (self.tokens[0] + tokens[0], self.tokens[1] + tokens[1])

    def read(self) -> frozenset[str]:
        """Every section that an answer was read from."""
        return frozenset(sectionid for turn in self.turns for sectionid in turn.answer.read)

    def read_in_part(self) -> frozenset[str]:
        """Those that no answer read whole."""
        cut = [{one.sectionid for one in turn.answer.cut} for turn in self.turns]
        whole = (set(turn.answer.read) - left for turn, left in zip(self.turns, cut, strict=True))
        return frozenset().union(*cut) - frozenset().union(*whole)
