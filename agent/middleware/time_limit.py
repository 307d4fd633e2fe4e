"""So many seconds a question, then an answer from what is there."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.ledger import Ledger
from agent.middleware.closing import closing
from agent.middleware.replies import reply
from storage.prompts import render


class TimeLimit(AgentMiddleware[Any, Any, Any]):
    """Looks at the clock before each step; a step that runs is not interrupted."""

    def __init__(self, ledger: Ledger, *, seconds: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._ledger = ledger
        self._seconds = seconds
        self._clock = clock
        self._began = clock()

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Offer only the answer once the time is over."""
        if not self.over():
            return handler(request)
        self._ledger.stop(self._why)
        return handler(closing(request, self._why))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run no tool once the time is over."""
        if not self.over():
            return handler(request)
        self._ledger.stop(self._why)
        self._ledger.withhold(request.tool_call["name"], request.tool_call["args"])
        return reply(request, render("limit-reached", why=self._why))

    def over(self) -> bool:
        """Whether the time is over."""
        return self._clock() - self._began >= self._seconds

    @property
    def _why(self) -> str:
        return f"The limit of {self._seconds:g} seconds was reached."
