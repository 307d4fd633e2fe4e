"""What stands in a message: what a tool brought, or a rule said in its place; and a model's last words."""

from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage

from agent.draft import AnswerDraft
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


def last_words(state: Any) -> AIMessage | None:
    """The model's last message; None where it calls a tool or cannot be read."""
    last = next((one for one in reversed(state["messages"]) if isinstance(one, AIMessage)), None)
    return None if last is None or last.tool_calls or last.invalid_tool_calls else last


def answered(state: Any) -> bool:
    """Whether the model has said all that it wants to say, in the form asked for or another."""
    return isinstance(state.get("structured_response"), AnswerDraft) or last_words(state) is not None
