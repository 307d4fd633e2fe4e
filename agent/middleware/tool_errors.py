"""An exception inside a tool becomes text with the next step. Innermost, right around the tool.

A store or an embedder that fails is no text: a model would take it for a specification that says nothing, and
refuse.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from agent.middleware.replies import reply
from storage.errors import EmbedderError, StoreError
from storage.prompts import render
from tools.clean import shortened


class ToolErrors(AgentMiddleware[Any, Any, Any]):
    """A tool that fails is a fact for the model; what it stands on ends the question when it fails."""

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run the tool; name the exception's type and its first line when it raises.

        Raises the StoreError and the EmbedderError of a tool.
        """
        try:
            return handler(request)
        except GraphBubbleUp:
            raise  # the graph's own control flow
        except (StoreError, EmbedderError):
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {shortened(str(error), limit=200)}".rstrip(": ")
            return reply(request, render("tool-failed", name=request.tool_call["name"], error=said))
