"""A tool call that is not valid JSON, or an answer that does not fit its schema, is asked for once more.

Both hooks serve that: the loop would end, in one case for want of a call, in the other at the rejected one.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, hook_config
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime


class BrokenCalls(AgentMiddleware[Any, Any, Any]):
    """Without it the loop takes a message whose only call is unreadable for the final answer."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Mark the message that rejects an unreadable answer as an error.

        The loop ends when an answer was given beside other calls, and takes a rejected one for given.
        """
        response = handler(request)
        if response.structured_response is None:
            response.result = [_as_error(message) for message in response.result]
        return response

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:  # noqa: ARG002
        """Go back to the model when nothing in its message can be run; the loop itself says what was
        wrong."""
        last = next((m for m in reversed(state["messages"]) if isinstance(m, AIMessage)), None)
        if last is not None and last.invalid_tool_calls and not last.tool_calls:
            return {"jump_to": "model"}
        return None


def _as_error(message: Any) -> Any:
    return message.model_copy(update={"status": "error"}) if isinstance(message, ToolMessage) else message
