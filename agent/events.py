"""What happens while a question is worked on, for a trace. Plain values; prints nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """What happened."""

    CALL = "call"
    """A tool was called."""
    RESULT = "result"
    """It answered."""
    ANSWER = "answer"
    """The model gave its answer."""
    REPAIR = "repair"
    """It was asked to put the answer right."""
    RETRY = "retry"
    """The model's server failed and is asked again."""
    LIMIT = "limit"
    """A limit was reached."""


@dataclass(frozen=True, slots=True)
class Event:
    """`text` is one line for people."""

    kind: EventKind
    text: str


Listener = Callable[[Event], None]


def silent(_: Event) -> None:
    """Listens to nothing."""
