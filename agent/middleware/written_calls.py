"""A tool call that the model wrote as text becomes a call, as if the server had understood it."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import ValidationError

from agent.draft import AnswerDraft
from agent.written_calls import ANSWER, Written, calls_in
from storage.prompts import render
from tools.clean import shortened


class WrittenCalls(AgentMiddleware[Any, Any, Any]):
    """Only where a message makes no call of its own. What it turns into runs through every other rule."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; read calls and answers out of its text."""
        response = handler(request)
        said = response.result[-1] if response.result else None
        if response.structured_response is not None or not isinstance(said, AIMessage):
            return response
        if said.tool_calls or said.invalid_tool_calls:
            return response
        offered = [tool.name for tool in request.tools if not isinstance(tool, dict)]
        sent = [str(one.text) for one in request.messages if one.type in ("human", "tool")]
        calls = calls_in(str(said.text), offered=[*offered, ANSWER], conversation=sent)
        return _made(said, calls, place=len(request.messages)) if calls else response


def _made(said: AIMessage, calls: Sequence[Written], *, place: int) -> ModelResponse[Any]:
    message = said.model_copy(
        update={
            "content": "",
            "tool_calls": [_valid(call, place) for call in calls if call.args is not None],
            "invalid_tool_calls": [_invalid(call, place) for call in calls if call.args is None],
        }
    )
    if [call.name for call in calls] != [ANSWER] or calls[0].args is None:
        return ModelResponse(result=[message])
    return _answered(message, calls[0])


def _answered(message: AIMessage, call: Written) -> ModelResponse[Any]:
    """The answer, with the message that a call of its tool would have been answered with."""
    identity = str(message.tool_calls[0]["id"])
    draft: AnswerDraft | None = None
    try:
        draft = AnswerDraft.model_validate(call.args)
        told = "Answer received."
    except ValidationError as error:
        told = render("invalid-answer", error=shortened(str(error), limit=300))
    reply: list[BaseMessage] = [message, ToolMessage(told, tool_call_id=identity, name=ANSWER)]
    return ModelResponse(result=reply, structured_response=draft)


def _valid(call: Written, place: int) -> dict[str, Any]:
    return {"name": call.name, "args": dict(call.args or {}), "id": _id(call, place), "type": "tool_call"}


def _invalid(call: Written, place: int) -> dict[str, Any]:
    return {
        "name": call.name, "args": call.raw, "id": _id(call, place), "error": "not valid JSON",
        "type": "invalid_tool_call",
    }  # fmt: skip


def _id(call: Written, place: int) -> str:
    """Follows from the conversation, so that the same one gives the same message."""
    return f"written_{hashlib.sha256(f'{place} {call.key} {call.raw}'.encode()).hexdigest()[:16]}"
