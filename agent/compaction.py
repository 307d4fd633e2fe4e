"""Shortens a conversation that grows too long for its model, the least needed first.

Pure: messages in, messages out. Each of these steps is taken only where the one before it did not do:

1. older results of tools become notes, the oldest first;
2. calls of earlier turns that brought nothing go;
3. results that the model has not answered yet are cut, the largest first: to what there is room for, else to
   a note;
4. what is left of results becomes one line, then calls go with their results, those that brought nothing
   first, then long texts of other messages (`agent.last_resort`).

A note keeps ids and titles, and the lines that share most with the question, letter for letter: they may
still be quoted. What may be quoted at all is in the ledger, and nothing here touches that.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.last_resort import last_turn, least, shown_by, without_fruitless
from agent.ledger import spelled
from agent.lengths import length, size
from storage.prompts import render
from tools.clean import clean, one_line, shortened
from tools.results import ToolResult

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage, ToolMessage

ROOM = 0.7
"""Part of what fits that is aimed at: each time something is left out, a provider's cache of the conversation
is lost, so it should not happen every turn."""
SMALL = 900
"""Characters of a result that is not worth leaving out: its note would be about as long. Fewer of one that is
cut show no rule."""
KEPT_LINES, KEPT_CHARACTERS = 4, 500
"""Of a result that is left out, what still stands."""
NAMED = 8
"""Sections named of a result that is left out."""

_WORD = re.compile(r"[\w\[\]%.]{3,}")


@dataclass(slots=True)
class _Shortened:
    """The conversation while it is worked on."""

    messages: "list[AnyMessage]"
    total: int
    gone: set[str] = field(default_factory=set)

    def put(self, place: int, message: "ToolMessage") -> None:
        """Let this stand there instead; nothing is replaced by what is longer."""
        saved = length(self.messages[place]) - length(message)
        if saved > 0:
            self.messages[place] = message
            self.total -= saved
            self.gone.add(message.tool_call_id)

    def take(self, messages: "list[AnyMessage]", gone: set[str]) -> None:
        """Go on with these messages, in which the results of these calls are not whole."""
        self.messages, self.total = messages, size(messages)
        self.gone |= gone


def compacted(
    messages: "Sequence[AnyMessage]", *, most: int, done: frozenset[str] = frozenset()
) -> "tuple[list[AnyMessage], frozenset[str]]":
    """The conversation in `most` characters as far as that can be, and the ids of the calls whose results are
    not whole.

    `done` are those left out before: they stay so. Nothing more is left out while all fits.
    """
    calls, last = _calls(messages), last_turn(messages)
    older = {place: one for place, one in _results(messages, calls) if place < last}
    work = _Shortened(list(messages), size(messages))
    note = _noting(calls, question=_question(messages))
    for place, one in older.items():
        if one.tool_call_id in done:
            work.put(place, note(one))
    if work.total > most:
        _leave_out(work, older, note, most=most)
    if work.total > most:
        work.take(*without_fruitless(work.messages, most=most))
    if work.total > most:
        newest = {
            place: one for place, one in _results(work.messages, calls) if place > last_turn(work.messages)
        }
        _cut(work, newest, note, most=most)
    if work.total > most:
        work.take(*least(work.messages, most=most))
    return work.messages, frozenset(work.gone)


def _leave_out(
    work: _Shortened,
    older: "Mapping[int, ToolMessage]",
    note: "Callable[[ToolMessage], ToolMessage]",
    *,
    most: int,
) -> None:
    for place, message in older.items():
        if work.total <= ROOM * most:
            return
        if message.tool_call_id not in work.gone and length(message) > SMALL:
            work.put(place, note(message))


def _cut(
    work: _Shortened,
    newest: "Mapping[int, ToolMessage]",
    note: "Callable[[ToolMessage], ToolMessage]",
    *,
    most: int,
) -> None:
    """The largest first, so that as few as possible are cut; of equal ones the later."""
    for place in sorted(newest, key=lambda at: (-length(newest[at]), -at)):
        if work.total <= most:
            return
        message = newest[place]
        head = _head(message, room=length(message) - (work.total - most))
        work.put(place, head or note(message))


def _head(message: "ToolMessage", *, room: int) -> "ToolMessage | None":
    """Whole lines from the beginning of a result, and that it was cut; None where too few would be left."""
    text = str(message.text)
    room -= len(render("cut-result", head="", left=f"{len(text):,}"))
    end = text.rfind("\n", 0, max(0, room))
    if end < SMALL:
        return None
    cut = render("cut-result", head=text[:end].rstrip(), left=f"{len(text) - end:,}")
    return message.model_copy(update={"content": cut})


def _results(
    messages: "Sequence[AnyMessage]", calls: Mapping[str, Any]
) -> "Iterator[tuple[int, ToolMessage]]":
    """By place, what shows something of the specification that a call of the conversation asked for."""
    for place, one in enumerate(messages):
        if one.type == "tool" and one.tool_call_id in calls and shown_by(one):
            yield place, one


def _calls(messages: "Sequence[AnyMessage]") -> dict[str, Any]:
    return {call["id"]: call for one in messages for call in getattr(one, "tool_calls", None) or ()}


def _question(messages: "Sequence[AnyMessage]") -> str:
    return next((str(one.text) for one in messages if one.type == "human"), "")


def _noting(calls: Mapping[str, Any], *, question: str) -> "Callable[[ToolMessage], ToolMessage]":
    """What makes the note for a result."""

    def note(message: "ToolMessage") -> "ToolMessage":
        result, call = message.artifact, calls[message.tool_call_id]
        kept = kept_lines(result, question)
        lines = "\n\nOf it, letter for letter:\n" + "\n".join(f"| {line}" for line in kept) if kept else ""
        made = shortened(spelled(call["name"], call["args"]), limit=200)
        text = render("compacted", what=_what(result), call=made, lines=lines)
        return message.model_copy(update={"content": text})

    return note


def _what(result: ToolResult) -> str:
    """Ids and titles of what stood there."""
    shown = result.data.get("chunks") or result.data.get("hits") or result.data.get("subsections") or ()
    named = [
        one_line(f"`{one['sectionid']}` {one['secnum']} {one['title']}") for one in shown if "secnum" in one
    ]
    listed = "; ".join(named[:NAMED]) or "a result of a tool"
    return f"{listed}; and {len(named) - NAMED} more" if len(named) > NAMED else listed


def kept_lines(result: ToolResult, question: str) -> list[str]:
    """The lines of the specification in a result that share most words with the question, in order."""
    wanted = {word.casefold() for word in _WORD.findall(question)}
    lines = [
        line.strip()
        for passage in result.passages
        for line in clean(passage.text).splitlines()
        if line.strip()
    ]
    shared = {
        at: len(wanted & {word.casefold() for word in _WORD.findall(line)}) for at, line in enumerate(lines)
    }
    best: list[int] = []
    room = KEPT_CHARACTERS
    for at in sorted(shared, key=lambda at: (-shared[at], at)):
        if shared[at] and len(lines[at]) <= room and len(best) < KEPT_LINES:
            best.append(at)
            room -= len(lines[at])
    return [lines[at] for at in sorted(best)]
