"""Questions one after another: a loop over a table of commands.

Ctrl-C stops an answer, Ctrl-D leaves. The answers go to standard output, the rest to standard error.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.render import can_show_marks, terminal
from storage.errors import Ask262Error
from tools.clean import shortened

if TYPE_CHECKING:
    from agent.session import Session

PROMPT = "ask262> "


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed, what it does, and the function that does it; False from it ends the loop."""

    name: str
    about: str
    run: Callable[["Session"], bool]


def read_line(prompt: str) -> str:
    """A line from standard input, EOFError at its end. Only a person is prompted, where no answer goes."""
    if sys.stdin is None:
        raise EOFError
    if sys.stdin.isatty():
        sys.stderr.write(prompt)
        sys.stderr.flush()
    return input()


def converse(session: "Session", *, read: Callable[[str], str] = read_line) -> None:
    """Read and answer until the end of input or `/quit`."""
    record = session.reader.record
    _say(f"{record.title} ({record.edition}). Ask a question, or /help.")
    while True:
        try:
            line = read(PROMPT).strip()
        except EOFError:
            _say("")
            return
        except KeyboardInterrupt:
            _say("\nCtrl-D or /quit leaves.")
            continue
        if line and not respond(line, session):
            return


def respond(line: str, session: "Session") -> bool:
    """A command or a question; whether to go on."""
    if line.startswith("/"):
        command = COMMANDS.get(line.split()[0])
        if command:
            return command.run(session)
        _say(f"There is no command {shortened(line.split()[0])}; /help lists them.")
        return True
    try:
        marks = can_show_marks(sys.stdout.encoding)
        sys.stdout.write(terminal(session.ask(line), marks=marks) + "\n\n")
        sys.stdout.flush()
    except Ask262Error as error:
        _say(str(error))
    except KeyboardInterrupt:
        _say("\nStopped.")
    return True


def _help(_: "Session") -> bool:
    for command in COMMANDS.values():
        _say(f"{command.name:<10} {command.about}")
    _say("Anything else is a question.")
    return True


def _edition(session: "Session") -> bool:
    record = session.reader.record
    _say(f"{record.edition}: {record.title}, built {record.built} from {record.origin}")
    return True


def _quit(_: "Session") -> bool:
    return False


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


COMMANDS = {
    command.name: command
    for command in (
        Command("/help", "this list", _help),
        Command("/edition", "which edition is asked", _edition),
        Command("/quit", "leave; so does Ctrl-D", _quit),
    )
}
