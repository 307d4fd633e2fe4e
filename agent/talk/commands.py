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


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed, what follows it, what it does."""

    name: str
    takes: Takes
    about: str
    run: Run


HINT = "Anything else is a question. Esc Enter begins a new line, Ctrl-C stops an answer."


def _help(_: Conversation, __: str) -> str:
    width = max(len(f"{command.name} {command.takes}") for command in COMMANDS.values())
    lines = [
        f"{f'{command.name} {command.takes}':<{width}}  {command.about}" for command in COMMANDS.values()
    ]
    return "\n".join([*lines, HINT])


def _quit(_: Conversation, __: str) -> str:
    raise EOFError


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        command.name: command
        for command in (
            Command("/help", Takes.NOTHING, "this list", _help),
            Command(
                "/section", Takes.SECTION, "a section's text, with markers for its children", looking.section
            ),
            Command("/more", Takes.NOTHING, "the rest of the section shown last", looking.more),
            Command("/tree", Takes.TREE, "what stands below a section, or the whole edition", looking.tree),
            Command(
                "/children",
                Takes.SECTION,
                "a section's children, with kind, size and what was read",
                looking.children,
            ),
            Command("/find", Takes.NAME, "every place that a name leads to", looking.find),
            Command(
                "/search", Takes.WORDS, "sections that bear on words, by the strategy chosen", looking.search
            ),
            Command("/refs", Takes.SECTION, "what a section refers to, and what refers to it", looking.refs),
            Command(
                "/sources",
                Takes.NOTHING,
                "what the last answer rests on, and what it was shown",
                looking_back.sources,
            ),
            Command(
                "/trace",
                Takes.NOTHING,
                "every call of the last answer, and what came back",
                looking_back.trace,
            ),
            Command(
                "/why",
                Takes.SECTION,
                "why a section was, or was not, used in the last answer",
                looking_back.why,
            ),
            Command(
                "/cost", Takes.NOTHING, "calls, characters, tokens and seconds so far", looking_back.cost
            ),
            Command("/edition", Takes.EDITION, "which editions there are; ask another one", changing.edition),
            Command("/model", Takes.MODEL, "which model answers; ask another one", changing.model),
            Command(
                "/strategy",
                Takes.STRATEGY,
                "how /search chooses evidence; choose another way",
                changing.strategy,
            ),
            Command(
                "/budget", Takes.NUMBER, "characters that a question may be shown; set it", changing.budget
            ),
            Command("/export", Takes.FILE, "this conversation as .md, .html or .json", keeping.export),
            Command("/save", Takes.FILE, "this conversation, to go on with later", keeping.save),
            Command("/resume", Takes.FILE, "go on with a conversation that was saved", keeping.resume),
            Command("/quit", Takes.NOTHING, "leave; so does Ctrl-D", _quit),
        )
    }
)


def execute(line: str, conversation: Conversation) -> str:
    """Run a command line. Raises InputError for a command that there is not, EOFError to leave."""
    name, _, rest = line.strip().partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        (near,) = difflib.get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.0)
        raise InputError(f"there is no command {shortened(name)}; did you mean {near}? /help lists them all")
    if command.takes is Takes.NOTHING and rest.strip():
        raise InputError(f"{command.name} takes nothing after it")
    return command.run(conversation, rest.strip())
