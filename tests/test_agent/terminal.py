"""A terminal for tests: a program on a pseudo-terminal, what it wrote, and keys to press.

Answers what a terminal is asked (where the cursor is), as a real one does. Waits generously and asserts no
time.
"""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 180.0
"""Seconds before a test gives up: a loaded machine loads libraries slowly."""
ENTER, ESCAPE, TAB, UP, CTRL_C, CTRL_D = "\r", "\x1b", "\t", "\x1b[A", "\x03", "\x04"
_CURSOR_ASKED, _CURSOR = b"\x1b[6n", b"\x1b[1;1R"
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\].*?(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\r", re.DOTALL)
ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    """A running program and all that it wrote so far."""

    def __init__(self, process: "subprocess.Popen[bytes]", end: int) -> None:
        self.process = process
        self.raw = ""
        self._end = end
        self._seen = 0
        self._bytes = b""

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._end, keys.encode())

    def until(self, pattern: str) -> str:
        """Wait until the pattern was written after the last one waited for; what was written up to it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            text = self.text
            if found := re.search(pattern, text[self._seen :]):
                start, self._seen = self._seen, self._seen + found.end()
                return text[start : self._seen]
            if not self._read(deadline):
                raise AssertionError(f"waited for {pattern!r} in vain; the screen has:\n{text}")

    @property
    def text(self) -> str:
        """What was written, without control sequences."""
        return _CONTROL.sub("", self.raw)

    def leave(self) -> int:
        """The exit status, once the program has ended."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, deadline: float) -> bool:
        """Read what is there; False when the program has closed the terminal, or time is up."""
        if not select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        try:
            piece = os.read(self._end, 65_536)
        except OSError:
            return False
        self._bytes += piece
        self.raw = self._bytes.decode(errors="ignore")
        for _ in range(piece.count(_CURSOR_ASKED)):
            os.write(self._end, _CURSOR)
        return bool(piece)


@contextmanager
def terminal(
    arguments: Sequence[str], *, environment: Mapping[str, str], columns: int = 80
) -> Iterator[Terminal]:
    """`python ARGUMENTS` on a terminal of its own."""
    import fcntl
    import pty
    import struct
    import termios

    def take_over() -> None:
        """Its own terminal; and Ctrl-C does something, even where the tests run in the background."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASK262_")}
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env={name: value for name, value in kept.items() if name not in dropped} | dict(environment),
        # Its own session, with this as its terminal: Ctrl-C reaches it and nothing else.
        start_new_session=True,
        preexec_fn=take_over,
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
