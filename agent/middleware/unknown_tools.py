"""A call of a tool that does not exist is answered with the names of those that do."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.middleware.replies import reply
from storage.prompts import render
from tools.clean import shortened


class UnknownTools(AgentMiddleware[Any, Any, Any]):
    """Small models invent tools; the answer names the real ones."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = tuple(names)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Let known names through."""
        name = request.tool_call["name"]
        if name in self._names:
            return handler(request)
        tools = ", ".join(f"`{known}`" for known in self._names)
        return reply(request, render("unknown-tool", name=shortened(name), tools=tools))
