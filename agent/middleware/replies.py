"""What stands in a message: what a tool brought, or a rule said in its place; and a model's last words."""

from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

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


def beside(state: Any) -> tuple[str, ...]:
    """The tools that the model's last message calls and that nothing has answered yet."""
    made, answers = _last_turn(state)
    told = {one.tool_call_id for one in answers}
    return tuple(call["name"] for call in made if call["id"] not in told)


def sent_back(state: Any, text: str) -> dict[str, Any]:
    """What goes back to the model in place of taking its answer.

    A server takes no request in which a call is unanswered. So calls beside the answer are run first, and
    what is wrong with the answer is said where it was given.
    """
    given = [one for one in _last_turn(state)[1] if one.status != "error"]
    if not beside(state) or not given:
        return {"messages": [HumanMessage(text)], "structured_response": None, "jump_to": "model"}
    refused = [one.model_copy(update={"content": text, "status": "error"}) for one in given]
    return {"messages": refused, "structured_response": None}


def _last_turn(state: Any) -> tuple[list[Any], list[ToolMessage]]:
    """The calls of the model's last message, and what has answered them."""
    messages = state["messages"]
    last = next((at for at in reversed(range(len(messages))) if isinstance(messages[at], AIMessage)), None)
    if last is None:
        return [], []
    return messages[last].tool_calls, [one for one in messages[last:] if isinstance(one, ToolMessage)]
