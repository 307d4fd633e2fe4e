"""The commands of a conversation: one table, read by the loop, by `/help` and by the completion."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from agent.talk import changing, keeping, looking, looking_back
from agent.talk.state import Conversation
from storage.errors import InputError
from tools.clean import shortened

Run = Callable[[Conversation, str], str]
"""Takes what stands after the command's name; gives what is shown. Raises Ask262Error."""


class Takes(StrEnum):
    """What stands after a command's name: how it is shown, and what completes it."""

    NOTHING = ""
    SECTION = "ID"
    TREE = "[ID] [DEPTH]"
    NAME = "NAME"
    WORDS = "WORDS"
    EDITION = "[EDITION]"
    MODEL = "[MODEL]"
    STRATEGY = "[STRATEGY]"
    NUMBER = "[N]"
    FILE = "FILE"
    SWITCH = "[on|off]"


class Gives(StrEnum):
    """What comes of a command, and so where it goes."""

    TEXT = "text"
    """Text of the specification or about an answer: standard output."""
    STATUS = "status"
    """How the conversation stands: standard error."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed, what follows it, what it does."""

    name: str
    takes: Takes
    about: str
    run: Run
    gives: Gives = Gives.TEXT


_OFFERED = 3
"""Commands that are offered for the beginning of a name."""

HINT = """\
ID is a section's id, number or name. Anything else is a question; put a space
before one that begins with a stroke. Tab completes, Esc Enter begins a new
line, Ctrl-C stops an answer, Ctrl-D leaves."""


def _help(_: Conversation, __: str) -> str:
    width = max(len(f"{command.name} {command.takes}") for command in COMMANDS.values())
    lines = [
        f"{f'{command.name} {command.takes}':<{width}}  {command.about}" for command in COMMANDS.values()
    ]
    return "\n".join([*lines, HINT])


def _quit(_: Conversation, __: str) -> str:
    raise EOFError


_TABLE = (
    Command("/help", Takes.NOTHING, "this list", _help, Gives.STATUS),
    Command("/section", Takes.SECTION, "a section's text, with markers for its children", looking.section),
    Command("/more", Takes.NOTHING, "the rest of the section shown last", looking.more),
    Command("/tree", Takes.TREE, "what stands below a section, or the whole edition", looking.tree),
    Command("/children", Takes.SECTION, "its children: kind, size, what was read", looking.children),
    Command("/find", Takes.NAME, "every place that a name leads to", looking.find),
    Command("/search", Takes.WORDS, "sections that bear on words, by the strategy chosen", looking.search),
    Command("/refs", Takes.SECTION, "what a section refers to, and what refers to it", looking.refs),
    Command("/sources", Takes.NOTHING, "what the last answer rests on and was shown", looking_back.sources),
    Command("/trace", Takes.SWITCH, "the last answer's calls; on or off: while asking", looking_back.trace),
    Command("/why", Takes.SECTION, "why the last answer used a section, or did not", looking_back.why),
    Command("/cost", Takes.NOTHING, "calls, tokens and seconds so far", looking_back.cost, Gives.STATUS),
    Command("/edition", Takes.EDITION, "the editions; ask another one", changing.edition, Gives.STATUS),
    Command("/model", Takes.MODEL, "which model answers; ask another one", changing.model, Gives.STATUS),
    Command("/strategy", Takes.STRATEGY, "how /search chooses evidence", changing.strategy, Gives.STATUS),
    Command("/budget", Takes.NUMBER, "characters a question may be shown", changing.budget, Gives.STATUS),
    Command("/export", Takes.FILE, "the conversation as .md, .html or .json", keeping.export, Gives.STATUS),
    Command("/save", Takes.FILE, "the conversation, to go on with later", keeping.save, Gives.STATUS),
    Command("/resume", Takes.FILE, "go on with a saved conversation", keeping.resume, Gives.STATUS),
    Command("/quit", Takes.NOTHING, "leave; so does Ctrl-D", _quit),
)
COMMANDS: Mapping[str, Command] = MappingProxyType({command.name: command for command in _TABLE})


def parsed(line: str) -> tuple[Command, str]:
    """The command of a line, and what stands after it. Raises InputError for one that there is not."""
    name, *rest = line.split(maxsplit=1)
    command = COMMANDS.get(name.lower())
    if command is None:
        raise InputError(
            f"there is no command {shortened(name)}; did you mean {_near(name)}? /help lists them all"
        )
    if command.takes is Takes.NOTHING and rest:
        raise InputError(f"{command.name} takes nothing after it")
    return command, "".join(rest).strip()


def execute(line: str, conversation: Conversation) -> str:
    """Run a command line. Raises InputError for a command that there is not, EOFError to leave."""
    command, rest = parsed(line)
    return command.run(conversation, rest)


def _near(name: str) -> str:
    """The commands that begin so; else the one that is written most like it."""
    begun = [command for command in COMMANDS if command.startswith(name.lower())] if len(name) > 1 else []
    likest = difflib.get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.0)
    return " or ".join(begun[:_OFFERED] or likest)
