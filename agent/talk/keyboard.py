"""How a line is typed: with history, several lines and completion by a person, plainly through a pipe.

The prompt goes to standard error, so that standard output holds answers alone.
"""

import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agent.talk.commands import COMMANDS, Takes
from agent.talk.screen import say
from agent.talk.state import DEFAULT_STRATEGY
from storage.names import fold

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.key_binding import KeyBindings

    from agent.talk.state import Conversation

PROMPT = "ask262> "
OFFERED = 40
"""Completions shown for what was typed: more are not read."""
SHORTEST = 2
"""Characters of a word before it is completed outside a command."""
_NAMED = (Takes.SECTION, Takes.TREE, Takes.NAME)

Read = Callable[[], str]
"""The next line. EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""


def reader(conversation: "Conversation", *, history: Path | None) -> Read:
    """What reads lines from whoever is there; `history` is the file that remembers them."""
    if sys.stdin is None:
        return _nothing
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        # One byte in another encoding must not end a conversation.
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        return _piped
    return _prompting(conversation, history)


def _nothing() -> str:
    raise EOFError


def _piped() -> str:
    """A line of a pipe or a file; it is told on standard error, where a log then reads as a conversation."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    if not sys.stdin.isatty() and line.strip():
        say(f"{PROMPT}{line.rstrip()}")
    return line


def _prompting(conversation: "Conversation", history: Path | None) -> Read:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.output import create_output

    kept = FileHistory(str(history)) if history is not None and _writable(history) else InMemoryHistory()
    session: PromptSession[str] = PromptSession(
        history=kept,
        completer=completer(conversation),
        complete_while_typing=False,
        key_bindings=_keys(),
        multiline=True,
        prompt_continuation="...     ",
        output=create_output(stdout=sys.stderr),
    )
    return lambda: session.prompt(PROMPT)


def _keys() -> "KeyBindings":
    """Enter sends; Esc Enter, or a pasted line's end, begins a new line."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys

    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent)
    def _(_: KeyPressEvent) -> None:
        """A colour that was pasted along looks like a mouse, and the library's own handler fails at it."""

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


def _writable(path: Path) -> bool:
    """Made for its owner alone: questions are nobody else's business."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return False
    return True


def completer(conversation: "Conversation") -> "Completer":
    """Completes commands at the beginning, and ids, operations and methods where a name may stand."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Named(Completer):
        """Reads the edition's names when first asked, and again for another edition."""

        def __init__(self) -> None:
            self._names: Names | None = None
            self._edition = ""

        def get_completions(
            self,
            document: Document,
            complete_event: CompleteEvent,  # noqa: ARG002
        ) -> Iterator[Completion]:
            before = document.text_before_cursor
            word = before.split(" ")[-1].split("\n")[-1]
            for text in completions(before, word, self._table, closed=choices(conversation)):
                yield Completion(text, start_position=-len(word))

        def _table(self) -> "Names":
            record = conversation.session.reader.record
            if self._names is None or self._edition != record.build:
                reader = conversation.session.reader
                self._names, self._edition = Names(name.name for name in reader.names()), record.build
            return self._names

    return Named()


class Names:
    """Names of an edition, found by their beginning in any case."""

    def __init__(self, names: Iterable[str]) -> None:
        pairs = sorted({(fold(name), name) for name in names if " " not in name.strip() and name.strip()})
        self._keys = [key for key, _ in pairs]
        self._names = [name.strip() for _, name in pairs]

    def beginning(self, word: str) -> list[str]:
        """The first of them, in the order of the alphabet."""
        key = fold(word)
        found: list[str] = []
        for place in range(bisect_left(self._keys, key), len(self._keys)):
            if not self._keys[place].startswith(key) or len(found) == OFFERED:
                break
            found.append(self._names[place])
        return found


Closed = Mapping[Takes, Callable[[], Iterable[str]]]
"""What may stand after a command that takes one of few words."""


def choices(conversation: "Conversation") -> Closed:
    """Read when they are asked for."""
    from storage.catalog import list_editions
    from tools.strategies.table import STRATEGIES

    folder = conversation.session.settings.storage_dir
    return {
        Takes.STRATEGY: lambda: (DEFAULT_STRATEGY, *STRATEGIES),
        Takes.SWITCH: lambda: ("on", "off"),
        Takes.MODEL: lambda: ("offline",),
        Takes.EDITION: lambda: [record.edition for record in list_editions(folder)],
    }


def completions(before: str, word: str, table: Callable[[], Names], *, closed: Closed) -> Sequence[str]:
    """What may stand in place of `word`, at the end of the text before the cursor."""
    if before.startswith("/"):
        name, space, rest = before.partition(" ")
        if not space:
            return [known for known in COMMANDS if known.startswith(name.lower())]
        command = COMMANDS.get(name.lower())
        if command is not None and command.takes is Takes.FILE:
            return _files(rest)
        if command is not None and command.takes in closed:
            return [known for known in closed[command.takes]() if known.startswith(rest)]
        if command is None or command.takes not in _NAMED:
            return []
        return table().beginning(word)
    return table().beginning(word) if len(word) >= SHORTEST else []


def _files(typed: str) -> list[str]:
    path = Path(typed or ".").expanduser()
    folder, start = (path, "") if typed.endswith(("/", os.sep)) or not typed else (path.parent, path.name)
    try:
        names = sorted(one.name for one in folder.iterdir() if one.name.startswith(start))
    except OSError:
        return []
    return [str(folder / name) if str(folder) != "." else name for name in names][:OFFERED]
