"""So many seconds a question, then an answer from what is there."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.deadline import Deadline
from agent.ledger import Ledger
from agent.middleware.closing import closing
from agent.middleware.replies import reply
from storage.prompts import render


class TimeLimit(AgentMiddleware[Any, Any, Any]):
    """Looks at the clock before each step; a step that runs is not interrupted. The answer is asked for while
    there is time for it."""

    def __init__(self, ledger: Ledger, deadline: Deadline) -> None:
        super().__init__()
        self._ledger = ledger
        self._deadline = deadline
        self._closed = False
        self._told = ""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Offer only the answer once there is no time for more."""
        if not (self._closed or self._deadline.closes()):
            return handler(request)
        self._closed = True
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
        """Whether the time is over, or the answer was asked for."""
        return self._closed or self._deadline.passed()

    @property
    def _why(self) -> str:
        """Said once: at a second look it may be later."""
        if not self._told:
            how = "was reached" if self._deadline.passed() else "was near"
            self._told = f"The limit of {self._deadline.seconds:g} seconds {how}."
        return self._told
