"""The same call with the same arguments is answered with a hint instead of run a second time."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.ledger import Ledger, spelled
from agent.middleware.replies import reply
from storage.prompts import render
from tools.clean import shortened


class Repeats(AgentMiddleware[Any, Any, Any]):
    """The result already stands in the conversation; showing it again would only cost budget."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run a call the first time only, two equal ones side by side included."""
        name, args = request.tool_call["name"], request.tool_call["args"]
        if self._ledger.claim(name, args):
            return handler(request)
        return reply(request, render("repeated-call", call=shortened(spelled(name, args), limit=120)))
