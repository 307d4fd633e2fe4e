"""The conversation: a line is a command or a question, until the input ends.

Ctrl-C stops an answer and keeps the conversation, Ctrl-D leaves. An error is one line and ends nothing.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from agent.batch.spend import counted
from agent.session import reopen
from agent.talk.commands import execute
from agent.talk.followup import understood
from agent.talk.keyboard import Read, reader
from agent.talk.live import Live
from agent.talk.screen import say, show_answer, show_text
from agent.talk.state import Conversation, Turn
from storage.errors import Ask262Error

if TYPE_CHECKING:
    from agent.session import Session

HISTORY = "history"
"""File of the lines that were typed, beside the store."""


def converse(session: "Session", *, trace: bool = False, read: Read | None = None) -> None:
    """Read and answer until the end of input or `/quit`. `trace` keeps every step on a line of its own."""
    conversation = Conversation(session, reopen)
    storage = session.settings.storage_dir
    next_line = read or reader(conversation, history=storage / HISTORY if storage.is_dir() else None)
    record = session.reader.record
    say(f"{record.title} ({record.edition}). Ask a question, or /help; Ctrl-D leaves.")
    while True:
        try:
            line = next_line().strip()
        except EOFError:
            return
        except KeyboardInterrupt:
            say("Ctrl-D or /quit leaves.")
            continue
        if line and not respond(line, conversation, trace=trace):
            return


def respond(line: str, conversation: Conversation, *, trace: bool) -> bool:
    """A command or a question; whether to go on."""
    try:
        if line.startswith("/"):
            show_text(execute(line, conversation))
        else:
            _answer(line, conversation, trace=trace)
    except EOFError:
        return False
    except Ask262Error as error:
        say(f"error: {error}")
    except KeyboardInterrupt:
        say("\nStopped.")
    return True


def _answer(question: str, conversation: Conversation, *, trace: bool) -> None:
    """Ask, show, remember. A follow-up is asked with what it leans on, and that is said."""
    asked = understood(question, conversation.last)
    if asked != question:
        say(f"understood as: {asked}")
    with counted() as used, Live(full=trace) as live:
        answer = replace(conversation.session, listener=live).ask(asked)
    usage = used()
    answer = replace(answer, question=question)
    conversation.add(
        Turn(question, answer, asked if asked != question else ""), tokens=(usage.read, usage.written)
    )
    show_answer(answer)
