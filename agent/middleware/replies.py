"""The message that answers a tool call without the tool."""

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage


def reply(request: ToolCallRequest, text: str) -> ToolMessage:
    """Answers a call with text that says what to do next; marked as an error, since nothing was shown."""
    call = request.tool_call
    return ToolMessage(content=text, tool_call_id=call["id"], name=call["name"], status="error")
