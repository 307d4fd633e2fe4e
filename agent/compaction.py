"""Leaves older tool output out of a conversation that grows too long for its model.

Pure: messages in, messages out. The newest results always stay, since the model has not answered them yet.
What is left out keeps its ids and titles, and the lines that share most with the question, letter for letter:
they may still be quoted. What may be quoted at all is in the ledger, and nothing here touches that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.ledger import spelled
from storage.prompts import render
from tools.clean import clean, one_line, shortened
from tools.results import ToolResult

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage, BaseMessage, ToolMessage

ROOM = 0.7
"""Part of what fits that is aimed at: each time something is left out, a provider's cache of the conversation
is lost, so it should not happen every turn."""
SMALL = 900
"""Characters of a result that is not worth leaving out: its note would be about as long."""
KEPT_LINES, KEPT_CHARACTERS = 4, 500
"""Of a result that is left out, what still stands."""
NAMED = 8
"""Sections named of a result that is left out."""

_WORD = re.compile(r"[\w\[\]%.]{3,}")


def size(messages: "Sequence[BaseMessage]") -> int:
    """Characters of a conversation: texts and the arguments of calls."""
    return sum(len(str(one.text)) + len(str(getattr(one, "tool_calls", "") or "")) for one in messages)


def compacted(
    messages: "Sequence[AnyMessage]", *, most: int, done: frozenset[str] = frozenset()
) -> "tuple[list[AnyMessage], frozenset[str]]":
    """The conversation in about `most` characters, and the ids of the calls whose results are left out.

    `done` are those left out before: they stay so. Nothing more is left out while all fits.
    """
    calls = _calls(messages)
    question = _question(messages)
    replaced = {
        place: _note(message, calls[message.tool_call_id], question)
        for place, message in _candidates(messages, calls)
    }
    out = list(messages)
    gone = {place for place in replaced if _id(messages[place]) in done}
    for place in gone:
        out[place] = replaced[place]
    total = size(out)
    if total > most:
        for place in sorted(replaced.keys() - gone):
            if total <= ROOM * most:
                break
            total += len(str(replaced[place].text)) - len(str(messages[place].text))
            out[place] = replaced[place]
            gone.add(place)
    return out, frozenset(_id(messages[place]) for place in gone)


def _candidates(
    messages: "Sequence[AnyMessage]", calls: Mapping[str, Any]
) -> "Iterator[tuple[int, ToolMessage]]":
    """Results of tools before the last turn of the model, oldest first."""
    from langchain_core.messages import AIMessage, ToolMessage

    last = max((at for at, one in enumerate(messages) if isinstance(one, AIMessage)), default=0)
    for at, one in enumerate(messages[:last]):
        if not isinstance(one, ToolMessage) or one.tool_call_id not in calls:
            continue
        if isinstance(one.artifact, ToolResult) and one.artifact.ok and len(str(one.text)) > SMALL:
            yield at, one


def _calls(messages: "Sequence[AnyMessage]") -> dict[str, Any]:
    return {call["id"]: call for one in messages for call in getattr(one, "tool_calls", None) or ()}


def _question(messages: "Sequence[AnyMessage]") -> str:
    return next((str(one.text) for one in messages if one.type == "human"), "")


def _id(message: "AnyMessage") -> str:
    return str(getattr(message, "tool_call_id", ""))


def _note(message: "ToolMessage", call: Any, question: str) -> "ToolMessage":
    result: ToolResult = message.artifact
    kept = kept_lines(result, question)
    lines = "\n\nOf it, letter for letter:\n" + "\n".join(f"| {line}" for line in kept) if kept else ""
    made = shortened(spelled(call["name"], call["args"]), limit=200)
    text = render("compacted", what=_what(result), call=made, lines=lines)
    return message.model_copy(update={"content": text})


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
