"""The message that answers a tool call: one without the tool, and what one with it brought."""

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage

from tools.results import ToolResult


def reply(request: ToolCallRequest, text: str) -> ToolMessage:
    """Answers a call with text that says what to do next; marked as an error, since nothing was shown."""
    call = request.tool_call
    return ToolMessage(content=text, tool_call_id=call["id"], name=call["name"], status="error")


def result_of(answer: ToolMessage) -> ToolResult | None:
    """What the tool returned; None where no tool of ours ran."""
    return answer.artifact if isinstance(answer.artifact, ToolResult) else None


def shows(answer: ToolMessage) -> bool:
    """Whether it shows something of the specification: the text of an error does not."""
    result = result_of(answer)
    return answer.status != "error" and (result is None or result.ok)
