"""When a question is over, and a wait for a model that ends then.

A time-out of a client counts from one byte to the next, and so does a stream's: a server that sends a byte of
white space now and then is waited for without end. Here the whole reply counts.
"""

import contextvars
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

LAST = 0.25
"""Of a question's seconds: kept for the answer. The first reply that would get less gets this much, and those
after it what is left of that."""
SLOWER = 2.5
"""Times the longest reply so far, for a model whose replies take more than that part: an answer is longer
than a call, and the first may have to be asked for again."""

_GIVEN_UP: contextvars.ContextVar[threading.Event | None] = contextvars.ContextVar("given_up", default=None)

Given = TypeVar("Given")


class Overdue(Exception):
    """A reply was not whole when its time was over."""


@dataclass(slots=True)
class Deadline:
    """Begins when it is made; `clock` counts seconds."""

    seconds: float
    clock: Callable[[], float]
    _end: float = field(init=False)
    _over: float = field(init=False)
    _late: bool = field(init=False, default=False)
    _longest: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._end = self._over = self.clock() + self.seconds

    def took(self, seconds: float) -> None:
        """A reply took so long: the next may too."""
        self._longest = max(self._longest, seconds)

    def closes(self) -> bool:
        """Whether a reply that begins now may be the last: after it there would be no time for another."""
        return self._late or self.remaining() < max(LAST * self.seconds, self._longest)

    def passed(self) -> bool:
        """Whether its seconds are over, whatever is kept for the answer."""
        return self.clock() >= self._end

    def left(self) -> float:
        """Seconds that a reply that begins now may take; none when the question is over for good."""
        if not self._late and self.closes():
            self._late = True
            self._over = self.clock() + max(LAST * self.seconds, SLOWER * self._longest)
        return self.remaining()

    def remaining(self) -> float:
        """Seconds until it is over."""
        return max(0.0, self._over - self.clock())


def within(seconds: float, work: Callable[[], Given]) -> Given:
    """What `work` gives or raises; Overdue when that takes longer, and then it is left to itself.

    Python cannot end a thread that waits for a socket: `still_wanted` lets the work end itself. It is a
    daemon, so no program waits for it at its end.
    """
    if seconds <= 0:
        raise Overdue("no time is left")
    came: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
    given_up = threading.Event()
    context = contextvars.copy_context()
    context.run(_GIVEN_UP.set, given_up)

    def run() -> None:
        try:
            came.put((True, context.run(work)))
        except BaseException as error:  # whatever it is, it belongs to the one who waits
            came.put((False, error))

    threading.Thread(target=run, daemon=True, name="ask262-model").start()
    try:
        worked, result = came.get(timeout=seconds)
    except BaseException as error:  # a person who interrupts waits no more either
        given_up.set()
        if not isinstance(error, queue.Empty):
            raise
        raise Overdue(f"not whole after {seconds:.3g} seconds") from None
    if not worked:
        raise result
    return result  # type: ignore[no-any-return]


def still_wanted() -> None:
    """Raises Overdue in work that nobody waits for any more."""
    given_up = _GIVEN_UP.get()
    if given_up is not None and given_up.is_set():
        raise Overdue("given up")


class Invoked(Protocol):
    """What is needed of a chat model."""

    def invoke(self, prompt: str, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Punctual:
    """A chat model that answers within a deadline, or raises Overdue."""

    model: Invoked
    deadline: Deadline

    def invoke(self, prompt: str, /) -> Any:
        """The model's answer."""
        return within(self.deadline.remaining(), lambda: self.model.invoke(prompt))
