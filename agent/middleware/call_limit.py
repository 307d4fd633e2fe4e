"""So many tool calls a question, then an answer; so many model calls, then the end."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command

from agent.ledger import Ledger
from agent.middleware.closing import closing
from agent.middleware.replies import reply
from storage.prompts import render

LAST_TURNS = 3
"""Model calls granted after the limit, for an answer that has to be put right."""


class CallLimit(AgentMiddleware[Any, Any, Any]):
    """At the limit the model is left with nothing but the answer; a model that still does not answer is
    stopped."""

    def __init__(self, ledger: Ledger, *, calls: int) -> None:
        super().__init__()
        self._ledger = ledger
        self._calls = calls
        self._last_turns = 0

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage:
        """Offer only the answer once the limit is reached; a model makes at most one turn more than calls."""
        if not self._reached():
            return handler(request)
        self._last_turns += 1
        self._ledger.stop(self._why)
        if self.exhausted():
            return AIMessage(content="")
        return handler(closing(request, self._why))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Several calls in one turn may pass the limit: those above it are not run."""
        if self._ledger.admit(self._calls):
            return handler(request)
        self._ledger.stop(self._why)
        self._ledger.withhold(request.tool_call["name"], request.tool_call["args"])
        return reply(request, render("limit-reached", why=self._why))

    def exhausted(self) -> bool:
        """Whether the model is not called again."""
        return self._last_turns > LAST_TURNS

    def _reached(self) -> bool:
        return self._ledger.admitted >= self._calls or self._ledger.turns > self._calls + 1

    @property
    def _why(self) -> str:
        return f"The limit of {self._calls} calls was reached."
