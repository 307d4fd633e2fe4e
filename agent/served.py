"""The chat model of an OpenAI-compatible server, whatever its calls look like on the wire.

OpenAI's own client library trusts the shape of a reply: a call that is null, or whose arguments are no JSON
object, raises inside it. Here it is a broken call, which the loop asks for again.
"""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from agent.deadline import still_wanted
from agent.taken import BROKEN, NAMELESS, arguments, pieces_of, sound

_PARSED = {"choices": {"__all__": {"message": {"parsed"}}}}
"""What the client made of a reply of a schema; it may hold anything."""


class ServedModel(ChatOpenAI):
    """Takes what a server sends for what it is."""

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        """The reply, with its broken calls as such."""
        if not isinstance(response, BaseModel):
            return super()._create_chat_result(response, generation_info)
        data = response.model_dump(exclude=_PARSED, warnings=False)
        broken = [_without_broken(choice) for choice in data.get("choices") or ()]
        result = super()._create_chat_result(data, generation_info)
        for generation, calls in zip(result.generations, broken, strict=True):
            if calls and isinstance(generation.message, AIMessage):
                generation.message.invalid_tool_calls += [_invalid(call) for call in calls]
        return result

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        """The reply in pieces, and a last one that says so where a call in it had not come to its end.

        A stream that breaks off raises. One that ends without a finish reason has ended all the same: some
        servers send none, and the client hides the `[DONE]` with which they say so.
        """
        # The client library warns of each piece that has not the usual shape.
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
        pieces: list[ChatGenerationChunk] = []
        for piece in super()._stream(*args, **kwargs):
            pieces.append(piece)
            yield piece
        if pieces and (last := _known(pieces)):
            yield ChatGenerationChunk(message=AIMessageChunk(content=""), generation_info=last)

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        """A piece of a stream, with the calls in it in their usual shape.

        Raises Overdue in a stream that nobody waits for any more: that closes it, and no more is paid for.
        """
        still_wanted()
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta")
            if isinstance(delta, dict) and delta.get("tool_calls"):
                delta["tool_calls"] = [
                    {"index": index, **_usual(call)}
                    for index, call in enumerate(_listed(delta["tool_calls"]))
                ]
        return super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)


def _known(pieces: Sequence[ChatGenerationChunk]) -> dict[str, Any]:
    """What is wrong with a stream, and cannot be seen in the message that is put together from it."""
    said = [piece.message for piece in pieces if isinstance(piece.message, AIMessageChunk)]
    return {BROKEN: True} if any(arguments(call.args) is None for call in pieces_of(said)) else {}


def _without_broken(choice: Any) -> list[dict[str, Any]]:
    """Takes the broken calls out of a reply's message, and mends its text."""
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return []
    for key, value in message.items():
        if isinstance(value, str):
            message[key] = sound(value)
    made = [_usual(call) for call in _listed(message.get("tool_calls"))]
    message["tool_calls"] = [call for call in made if _whole(call)]
    return [call for call in made if call not in message["tool_calls"]]


def _whole(call: dict[str, Any]) -> bool:
    return arguments(call["function"]["arguments"] or "") is not None


def _listed(calls: Any) -> list[Any]:
    return calls if isinstance(calls, list) else [calls] if calls else []


def _usual(call: Any) -> dict[str, Any]:
    """A call in the shape that the client knows. What is none has `null` for its arguments."""
    if not isinstance(call, dict):
        return {"id": None, "function": {"name": NAMELESS, "arguments": json.dumps(call)}}
    function = call.get("function") or {}
    if not isinstance(function, Mapping):
        return {**call, "function": {"name": NAMELESS, "arguments": json.dumps(function)}}
    return {**call, "function": dict(_fields(function))}


def _fields(function: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Name and arguments as text; arguments that a server sends as an object are written out."""
    name, args = function.get("name"), function.get("arguments")
    yield "name", name if isinstance(name, str) or name is None else NAMELESS
    yield "arguments", args if isinstance(args, str) or args is None else json.dumps(args)


def _invalid(call: dict[str, Any]) -> Any:
    function = call["function"]
    return {
        "name": function["name"], "args": function["arguments"], "id": call.get("id"), "error": None,
        "type": "invalid_tool_call",
    }  # fmt: skip
