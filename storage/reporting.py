"""Progress of long work on standard error: how much, how fast, how much longer.

A moving bar where a person watches, plain lines at intervals where the output goes to a file.
"""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_EVERY = 5.0
"""Seconds between two lines of the same stage."""


class Lines:
    """Plain lines: a stage's beginning, then one at intervals, then its end with the rate."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage = ""
        self._began = self._told = 0.0

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        now = self._clock()
        if stage != self._stage:
            self._stage, self._began, self._told = stage, now, now
        if done < total and now - self._told < _EVERY:
            return
        self._told = now
        self.say(f"{stage}: {done:,}/{total:,} {pace(done, total, now - self._began)} {note}".rstrip())

    def say(self, line: str) -> None:
        """One line on standard error."""
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Nothing is open."""


class Bars:
    """A bar for each stage, where standard error is a terminal."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._tasks: dict[str, int] = {}

    def _bars(self) -> "Bar":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        if self._bar is None:
            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=Console(stderr=True),
            )
            self._bar.start()
        return self._bar

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        bar = self._bars()
        if stage not in self._tasks:
            self._tasks[stage] = bar.add_task(stage, total=total, rate="", note="")
        task = bar.tasks[self._tasks[stage]]
        rate = f"{per_second(done / task.elapsed)}/s" if task.elapsed else ""
        bar.update(task.id, completed=done, total=total, rate=rate, note=note)

    def say(self, line: str) -> None:
        """One line above the bars."""
        from rich.text import Text

        self._bars().console.print(Text(line))

    def close(self) -> None:
        """Leave the bars as they stand."""
        if self._bar is not None:
            self._bar.stop()


def pace(done: int, total: int, seconds: float) -> str:
    """`(210/s, 38 s left)`; at the end `(210/s, 119 s)`; nothing before there is anything to say."""
    if seconds < 1 or not done:
        return ""
    rate = done / seconds
    if done >= total:
        return f"({per_second(rate)}/s, {seconds:,.0f} s)"
    return f"({per_second(rate)}/s, {(total - done) / rate:,.0f} s left)"


def per_second(rate: float) -> str:
    """A rate as people read it: `210`, but `0.04` where a whole number would say nothing."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def reporter() -> Lines | Bars:
    """Bars for a person, lines for a file."""
    return Bars() if sys.stderr.isatty() else Lines()
