"""What the model says is mended before anything reads, keeps or repeats it; see `agent.taken`."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage
from langchain_core.outputs import LLMResult
from pydantic import ValidationError

from agent.middleware.listening import heard_by
from agent.taken import FAULT, Fault, Piece, cut_answers, pieces_of, renamed, taken

_FAULTS = {
    "LengthFinishReasonError": Fault.CUT,
    "ContentFilterFinishReasonError": Fault.WITHHELD,
}
"""What OpenAI's client raises for a reply of a schema that is not whole."""


class SoundReplies(AgentMiddleware[Any, Any, Any]):
    """At the model itself: the loop takes a call of the answer's tool before any rule sees the message."""

    def __init__(self) -> None:
        super().__init__()
        self._cut: list[dict[str, Any]] = []

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; a reply that its client could not take is a message that says so."""
        try:
            return handler(heard_by(_Mending(self._cut, _ids(request.messages)), request))
        except Exception as error:
            fault = _FAULTS.get(type(error).__name__)
            if isinstance(error, ValidationError) and error.title.startswith(AIMessage.__name__):
                fault = Fault.UNREADABLE
            if fault is None:
                raise
            said = AIMessage(_said_before(error), response_metadata={FAULT: str(fault)})
            return ModelResponse(result=[said])


class _Mending(BaseCallbackHandler):
    """Hears one reply; `cut` are the answers of the question that were said to be cut off, `used` the
    ids of its calls."""

    raise_error = True

    def __init__(self, cut: list[dict[str, Any]], used: set[str | None]) -> None:
        self._cut = cut
        self._used = used
        self._pieces: list[AIMessageChunk] = []

    def on_llm_new_token(self, token: Any, *, chunk: Any = None, **_: Any) -> None:  # noqa: ARG002
        """Keep a piece of a stream: when the message is put together, what stood there is lost."""
        if isinstance(piece := getattr(chunk, "message", None), AIMessageChunk):
            self._pieces.append(piece)

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        """Mend each message in place: it is the one that the loop goes on with."""
        streamed = pieces_of(self._pieces)
        for said in (one for turn in response.generations for one in turn):
            message = getattr(said, "message", None)
            if isinstance(message, AIMessage):
                _mend(message, streamed, self._cut)
                used = self._used.union(call["id"] for call in message.tool_calls)
                message.invalid_tool_calls = renamed(message.invalid_tool_calls, used)
                self._cut += cut_answers(message)


def _ids(messages: Sequence[AnyMessage]) -> set[str | None]:
    said = [one for one in messages if isinstance(one, AIMessage)]
    return {call["id"] for one in said for call in (*one.tool_calls, *one.invalid_tool_calls)}


def _mend(message: AIMessage, streamed: Sequence[Piece], cut: Sequence[dict[str, Any]]) -> None:
    parts = taken(message, streamed, cut_before=cut)
    message.content = parts.content
    message.tool_calls = parts.tool_calls
    message.invalid_tool_calls = parts.invalid_tool_calls
    if parts.fault:
        message.response_metadata = {**message.response_metadata, FAULT: str(parts.fault)}


def _said_before(error: Exception) -> str:
    """What a client had read when it raised."""
    choices = getattr(getattr(error, "completion", None), "choices", None) or [None]
    return str(getattr(getattr(choices[0], "message", None), "content", None) or "")
