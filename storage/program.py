"""What every program does around its work: errors in one line, Ctrl-C, output that cannot be written.

`run` is called by each `main`, around the reading of the command line too: from there on Ctrl-C is one line,
whatever it falls into. Foreseeable errors are one line on standard error and status 1; everything
else keeps its traceback.
"""

import errno
import os
import re
import sys
from collections.abc import Callable
from typing import Any, TextIO

from storage.errors import Ask262Error

DONE, FAILED, INTERRUPTED = 0, 1, 130
"""Exit statuses; the last is the one that shells give after Ctrl-C."""

_UNWRITABLE = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF})


def run(work: Callable[[], int], *, interrupted: str = "interrupted") -> int:
    """The exit status of a program's work. `interrupted` is what is said after Ctrl-C."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (stays open until the program ends)
    if sys.stdout is None:
        return _fail("standard output is closed; nothing was done")
    told, sys.stderr = sys.stderr, _Heedless(sys.stderr)
    try:
        return _ran(work, interrupted)
    finally:
        sys.stderr = told


class _Heedless:
    """Standard error, but a full disk or a reader that went away costs what is said there, not the answer."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """As if it was written."""
        self._tried(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        """As if it was flushed."""
        self._tried(self._stream.flush)

    def _tried(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            _discard(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _ran(work: Callable[[], int], interrupted: str) -> int:
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is escaped: nothing is lost, and nothing is quietly another character.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = work()
        sys.stdout.flush()
        return status
    except Ask262Error as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _interrupted(interrupted)
    except BrokenPipeError:
        # The reader of our output went away, as `head` does: nothing is left to say.
        _discard(sys.stdout)
        return DONE
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        _discard(sys.stdout)
        return _fail(f"standard output cannot be written: {error.strerror}")
    except Exception as error:
        # A library that is interrupted while it loads may say so in an error of its own.
        if not _came_of_an_interrupt(error):
            raise
        return _interrupted(interrupted)


def _interrupted(said: str) -> int:
    sys.stderr.write(f"\n{said}\n")
    return INTERRUPTED


def _came_of_an_interrupt(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _fail(line: str) -> int:
    sys.stderr.write(f"error: {_visible(line)}\n")
    return FAILED


def _visible(line: str) -> str:
    """One line in which nothing acts on a terminal: messages hold names of files, settings and servers."""
    joined = re.sub(r"\s*[\r\n]\s*", " ", line)
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in joined)


def _discard(stream: TextIO) -> None:
    """Python flushes once more at exit: give it somewhere to write to."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
