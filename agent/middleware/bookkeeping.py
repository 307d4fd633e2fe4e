"""Enters every tool call into the ledger, whatever answered it, and tells the listener."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.events import Event, EventKind, Listener
from agent.ledger import Call, Ledger, spelled
from agent.middleware.replies import result_of, shows


class Bookkeeping(AgentMiddleware[Any, Any, Any]):
    """Around everything but the limits: what it sees is what the model is shown of the calls that count."""

    def __init__(self, ledger: Ledger, listener: Listener) -> None:
        super().__init__()
        self._ledger = ledger
        self._tell = listener

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Count the turn."""
        self._ledger.turns += 1
        return handler(request)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run the call, then enter what came of it."""
        name, args = request.tool_call["name"], request.tool_call["args"]
        self._tell(Event(EventKind.CALL, spelled(name, args)))
        answer = handler(request)
        if isinstance(answer, ToolMessage):
            text = str(answer.text)
            self._ledger.record(Call(name, args, text, shows(answer)), result_of(answer))
            self._tell(Event(EventKind.RESULT, _first_line(text)))
        return answer


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return f"{lines[0] if lines else ''} ({len(text):,} characters)"
