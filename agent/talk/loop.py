"""The conversation: a line is a command or a question, until the input ends.

Ctrl-C stops an answer and keeps the conversation, Ctrl-D leaves. An error is one line and ends nothing.
"""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.batch.spend import counted
from agent.compose import sample_note
from agent.models import QUOTES_ONLY
from agent.session import reopen
from agent.talk.commands import Gives, parsed
from agent.talk.keyboard import Read, reader
from agent.talk.live import Live
from agent.talk.screen import complain, say, show_answer, show_text
from agent.talk.state import Conversation, Turn
from storage.errors import Ask262Error

if TYPE_CHECKING:
    from agent.session import Session

HISTORY = "history"
"""File of the lines that were typed, beside the store."""


def converse(session: "Session", *, trace: bool = False, read: Read | None = None) -> None:
    """Read and answer until the end of input or `/quit`. `trace` keeps every step on a line of its own."""
    conversation = Conversation(session, reopen, full=trace)
    storage = session.settings.storage_dir
    next_line = read or reader(conversation, history=storage / HISTORY if storage.is_dir() else None)
    record = session.reader.record
    say(f"{record.title} ({record.edition}). Ask a question, or /help; Ctrl-D leaves.")
    while True:
        try:
            line = next_line().rstrip()
        except EOFError:
            return
        except KeyboardInterrupt:
            say("Ctrl-D or /quit leaves.")
            continue
        if line.strip() and not respond(line, conversation):
            return


def respond(line: str, conversation: Conversation) -> bool:
    """A command or a question; whether to go on. A question may begin with a stroke after a space."""
    try:
        if line.startswith("/"):
            _run(line, conversation)
        else:
            _answer(line.strip(), conversation)
    except EOFError:
        return False
    except Ask262Error as error:
        complain(error)
    except KeyboardInterrupt:
        say("\nStopped.")
    return True


def _run(line: str, conversation: Conversation) -> None:
    command, rest = parsed(line)
    shown = command.run(conversation, rest)
    if command.gives is Gives.STATUS:
        say(shown)
    else:
        show_text(shown, link=conversation.link)


def _answer(question: str, conversation: Conversation) -> None:
    """Ask, show, remember. A follow-up is asked with what it leans on, and that is said."""
    asked = conversation.understood(question)
    if asked != question:
        say(f"understood as: {asked}")
    with counted() as used, Live(full=conversation.full) as live:
        answer = replace(conversation.session, listener=live).ask(asked)
    usage = used()
    answer = replace(answer, question=question)
    conversation.add(
        Turn(question, answer, asked if asked != question else ""), tokens=(usage.read, usage.written)
    )
    show_answer(_news(answer, conversation), link=conversation.link)


def _news(answer: Answer, conversation: Conversation) -> Answer:
    """For a person, who reads once what holds for every answer of this model and edition. In a pipe each
    answer stays whole."""
    if not sys.stdout.isatty():
        return answer
    standing = {QUOTES_ONLY, sample_note(conversation.session.reader.record)}
    said = {note for turn in conversation.turns[:-1] for note in turn.answer.notes} & standing
    return replace(answer, notes=tuple(note for note in answer.notes if note not in said))
