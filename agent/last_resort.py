"""The least that a conversation can be sent as, for a model that would otherwise not be heard at all.

Pure: messages in, messages out. The question stays whole, and every call that stays has its result: servers
refuse one without the other.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agent.lengths import length, size
from tools.clean import shortened
from tools.results import ToolResult

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AnyMessage

LINE = 160
"""Characters that are left of a result: ids, or what a call was turned away with."""
TEXT = 800
"""Characters that are left of any other message but the question."""


def least(messages: "Sequence[AnyMessage]", *, most: int) -> "tuple[list[AnyMessage], set[str]]":
    """The conversation in `most` characters as far as that can be, and the ids of the calls whose results are
    not whole. Oldest first in each step: results to one line, calls, texts."""
    out, gone = list(messages), set[str]()
    total = size(out)
    for place, one in enumerate(out):
        if total > most and one.type == "tool" and length(one) > LINE:
            out[place] = _clipped(one, limit=LINE)
            total += length(out[place]) - length(one)
            gone.add(one.tool_call_id)
    brought = _brought(out)
    out, dropped = _without(out, sorted(_sizes(out), key=lambda callid: callid in brought), most=most)
    total = size(out)
    for place in [place for place, one in enumerate(out) if one.type != "tool"][1:]:
        if total > most and len(str(out[place].text)) > TEXT:
            clipped = _clipped(out[place], limit=TEXT)
            total += length(clipped) - length(out[place])
            out[place] = clipped
    return out, gone | dropped


def _clipped(message: "AnyMessage", *, limit: int) -> "AnyMessage":
    return message.model_copy(update={"content": shortened(str(message.text), limit=limit)})


def without_fruitless(messages: "list[AnyMessage]", *, most: int) -> "tuple[list[AnyMessage], set[str]]":
    """Without as many of the calls of earlier turns that brought nothing as must go."""
    last = last_turn(messages)
    calls = [callid for callid in _sizes(messages[:last]) if callid not in _brought(messages)]
    return _without(messages, calls, most=most)


def last_turn(messages: "Sequence[AnyMessage]") -> int:
    """The place of the model's last message."""
    return max((at for at, one in enumerate(messages) if one.type == "ai"), default=0)


def _without(
    messages: "list[AnyMessage]", calls: Sequence[str], *, most: int
) -> "tuple[list[AnyMessage], set[str]]":
    """Without as many of these calls, and their results, as must go, the first of them first."""
    sizes, over = _sizes(messages), size(messages) - most
    gone: set[str] = set()
    for callid in calls:
        if over > 0:
            gone.add(callid)
            over -= sizes[callid]
    return list(_left(messages, gone)) if gone else messages, gone


def _brought(messages: "Sequence[AnyMessage]") -> set[str]:
    return {one.tool_call_id for one in messages if one.type == "tool" and shown_by(one)}


def shown_by(result: "AnyMessage") -> bool:
    """Whether it shows something of the specification."""
    artifact = getattr(result, "artifact", None)
    return isinstance(artifact, ToolResult) and artifact.ok


def _sizes(messages: "Sequence[AnyMessage]") -> dict[str, int]:
    """What is saved without each call, in order."""
    results = {one.tool_call_id: length(one) for one in messages if one.type == "tool"}
    made = (
        call for one in messages if one.type == "ai" for call in (*one.tool_calls, *one.invalid_tool_calls)
    )
    return {str(call["id"]): len(str(call)) + results.get(str(call["id"]), 0) for call in made}


def _left(messages: "Sequence[AnyMessage]", gone: set[str]) -> "Iterator[AnyMessage]":
    for one in messages:
        if one.type == "tool" and one.tool_call_id in gone:
            continue
        if one.type != "ai" or not gone.intersection(_ids(one)):
            yield one
        elif (left := _rewritten(one, gone)).text or _ids(left):
            yield left


def _ids(message: "AIMessage") -> set[str]:
    return {str(call["id"]) for call in (*message.tool_calls, *message.invalid_tool_calls)}


def _rewritten(message: "AIMessage", gone: set[str]) -> "AIMessage":
    """The message without these calls, nor what a provider keeps of them beside them."""
    return message.model_copy(
        update={
            "content": str(message.text),
            "tool_calls": [call for call in message.tool_calls if call["id"] not in gone],
            "invalid_tool_calls": [one for one in message.invalid_tool_calls if one["id"] not in gone],
            "additional_kwargs": {
                key: value for key, value in message.additional_kwargs.items() if key != "tool_calls"
            },
        }
    )
