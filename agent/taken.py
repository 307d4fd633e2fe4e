"""What a chat model said, as the loop may take it: characters that can be encoded, calls that are whole.

Pure. Client libraries complete the JSON of a call that was cut off, so that half an answer looks like a
whole one; here such a call is broken. So is one whose arguments are no object, or nest too deeply.
"""

import json
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from agent.finish import Finish, finish_of
from tools.clean import encodable

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, InvalidToolCall, ToolCall

FAULT = "ask262_fault"
"""Where a message keeps what is wrong with it, in `response_metadata`: no server is sent that."""
BROKEN = "ask262_broken"
"""In `response_metadata`: a call of this message was completed by the client. Nobody else can know."""
ANSWER = "AnswerDraft"
"""The call that gives the answer."""
NAMELESS = "unknown"
"""The name of a call without one."""
DEEPEST = 40
"""Levels of JSON in a call's arguments; an answer has five."""


class Fault(StrEnum):
    """What is wrong with a reply as a whole."""

    CUT = "cut"
    WITHHELD = "withheld"
    UNREADABLE = "unreadable"
    UNFINISHED = "unfinished"
    """Its server broke off."""


_FAULTS = {
    Finish.CUT: Fault.CUT,
    Finish.WITHHELD: Fault.WITHHELD,
    Finish.UNFINISHED: Fault.UNFINISHED,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A call as it came over a stream: `args` is what stood there, uncompleted."""

    name: str
    args: str
    id: str | None


@dataclass(frozen=True, slots=True)
class Taken:
    """A message's parts, mended."""

    content: Any
    tool_calls: "list[ToolCall]"
    invalid_tool_calls: "list[InvalidToolCall]"
    fault: Fault | None


def taken(
    message: "AIMessage", streamed: Sequence[Piece] = (), *, cut_before: Sequence[Mapping[str, Any]] = ()
) -> Taken:
    """The message's parts; `streamed` are its calls as they came, none where it came in one piece.

    Some servers call every reply cut off: a call to read is whole when its JSON is. An answer may have been
    completed by the server, and is broken the first time; `cut_before` are the arguments of those that were.
    """
    finish = finish_of(message.response_metadata)
    whole, broken = _calls(message, streamed)
    fault = fault_of(message) or _FAULTS.get(finish)
    if fault not in (Fault.CUT, Fault.UNFINISHED) or not whole or broken:
        return Taken(sound(message.content), whole, broken, fault)
    answers = [call for call in whole if call["name"] == ANSWER]
    if fault is Fault.UNFINISHED or all(call["args"] in cut_before for call in answers):
        fault = None  # the calls came to their end, whatever was to follow
    elif not cut_before:
        whole = [call for call in whole if call not in answers]
        broken = [_broken(ANSWER, _dumped(call["args"]), call["id"]) for call in answers]
    return Taken(sound(message.content), whole, broken, fault)


def cut_answers(message: "AIMessage") -> list[dict[str, Any]]:
    """The arguments of answers that are broken only because the server says that they were cut off."""
    if fault_of(message) is not Fault.CUT:
        return []
    written = [arguments(str(call["args"])) for call in message.invalid_tool_calls if call["name"] == ANSWER]
    return [args for args in written if args]


def pieces_of(chunks: "Sequence[AIMessageChunk]") -> list[Piece]:
    """The calls of a stream as they came."""
    if not chunks:
        return []
    whole = chunks[0] + list(chunks[1:]) if len(chunks) > 1 else chunks[0]
    calls = getattr(whole, "tool_call_chunks", ())
    return [Piece(str(call["name"] or ""), str(call["args"] or ""), call["id"]) for call in calls]


def fault_of(message: "AIMessage") -> Fault | None:
    """What was found wrong with a message before."""
    said = message.response_metadata.get(FAULT)
    return Fault(said) if said in set(Fault) else None


def arguments(written: str) -> dict[str, Any] | None:
    """The arguments that are written; None where that is no JSON object, or one without its end."""
    if not written.strip():
        return {}
    try:
        value = sound(json.loads(written, strict=False))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def sound(value: Any, *, depth: int = DEEPEST) -> Any:
    """Plain values with every text in them encodable. Raises ValueError for what nests too deeply."""
    if isinstance(value, str):
        return encodable(value)
    if not isinstance(value, (dict, list)):
        return value
    if not depth:
        raise ValueError(f"more than {DEEPEST} levels")
    if isinstance(value, dict):
        return {sound(key): sound(one, depth=depth - 1) for key, one in value.items()}
    return [sound(one, depth=depth - 1) for one in value]


def renamed(broken: "Sequence[InvalidToolCall]", used: Collection[str | None]) -> "list[InvalidToolCall]":
    """The calls, with an id of its own for each whose id is used already: it would stay unanswered, and then
    a server takes no further request."""
    known = set(used)
    out: list[InvalidToolCall] = []
    for call in broken:
        mended: InvalidToolCall = {**call, "id": _id(None)} if call["id"] in known else call
        known.add(mended["id"])
        out.append(mended)
    return out


def _calls(message: "AIMessage", streamed: Sequence[Piece]) -> "tuple[list[ToolCall], list[InvalidToolCall]]":
    whole: list[ToolCall] = []
    broken = [_broken(one["name"], one["args"], one["id"]) for one in message.invalid_tool_calls]
    if streamed:
        broken = []
    for name, args, raw, callid in _made(message, streamed):
        if args is None:
            broken.append(_broken(name, raw, callid))
        else:
            called = encodable(name) or NAMELESS
            whole.append({"name": called, "args": args, "id": _id(callid), "type": "tool_call"})
    return whole, broken


def _made(
    message: "AIMessage", streamed: Sequence[Piece]
) -> Iterator[tuple[str, dict[str, Any] | None, str, str | None]]:
    """Each call's name, its arguments, what stood there, its id."""
    if streamed:
        for piece in streamed:
            yield piece.name, arguments(piece.args), piece.args, piece.id
        return
    for call in message.tool_calls:
        raw = _dumped(call["args"])
        yield call["name"], arguments(raw), raw, call["id"]


def _dumped(args: Mapping[str, Any]) -> str:
    try:
        return json.dumps(args)
    except (ValueError, RecursionError, TypeError):
        return "[nested too deeply]"


def _broken(name: str | None, args: str | None, callid: str | None) -> "InvalidToolCall":
    return {
        "name": encodable(name or NAMELESS), "args": encodable(args or ""), "id": _id(callid),
        "error": "not the whole of a JSON object", "type": "invalid_tool_call",
    }  # fmt: skip


def _id(callid: str | None) -> str:
    """What answers a call must name it."""
    return encodable(callid) if callid else f"call-{uuid.uuid4().hex}"
