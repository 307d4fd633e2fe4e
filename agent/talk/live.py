"""What happens while a question is worked on: one line that changes, where a person watches.

With a full trace every step stays on a line of its own. Where standard error is no terminal, nothing but the
full trace is written: a log does not need a moving line.
"""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from agent.events import Event, EventKind
from tools.clean import one_line, shortened

if TYPE_CHECKING:
    from rich.status import Status

WIDEST = 60
"""Characters of a step in the moving line; the rest of 80 columns is the clock's and the counter's."""


class Live:
    """Shows events; a context around one question. `full` keeps every step."""

    def __init__(self, *, full: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._full = full
        self._clock = clock
        self._began = clock()
        self._calls = 0
        self._status: Status | None = None

    def __enter__(self) -> Self:
        if not self._full and moves():
            from rich.console import Console

            console = Console(stderr=True, highlight=False, markup=False)
            self._status = console.status("thinking", spinner="line")
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def __call__(self, event: Event) -> None:
        """One event, as it happens."""
        self._calls += event.kind is EventKind.CALL
        if self._full:
            from agent.session import tell

            tell(event)
        elif self._status is not None and event.kind in (EventKind.CALL, EventKind.LIMIT):
            from rich.text import Text

            seconds = self._clock() - self._began
            step = shortened(one_line(event.text), limit=WIDEST)
            self._status.update(Text(f"{step}  {self._calls}, {seconds:.0f} s"))


def moves() -> bool:
    """Whether standard error is a terminal that can redraw a line."""
    import os

    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
