"""A model that is stuck is steered once, then made to answer, which is reported with the answer.

Stuck are turns in which nothing could be run: a call repeated, a tool that does not exist, broken JSON, an
answer that does not fit its schema. The rule that turned the call away has told the model what to do; when
the next turn brings no more, further ones would not either.
"""

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.types import Command

from agent.ledger import Ledger
from agent.middleware.call_limit import LAST_TURNS
from agent.middleware.closing import closing
from agent.middleware.replies import reply
from storage.prompts import render

STUCK = 2
"""Turns in a row that brought nothing: the one that was steered, and the one after it."""
_STUCK = f"The model was made to answer: {STUCK} turns in a row brought nothing that could be run."


class Stuck(AgentMiddleware[Any, Any, Any]):
    """Outside the rules that turn calls away."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._last_turns = 0

    def exhausted(self) -> bool:
        """Whether the model is not called again."""
        return self._last_turns > LAST_TURNS

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage:
        """Offer only the answer to a model that is stuck."""
        if not self._last_turns and fruitless(request.messages) < STUCK:
            return handler(request)
        self._last_turns += 1
        self._ledger.stop(_STUCK)
        return AIMessage(content="") if self.exhausted() else handler(closing(request, _STUCK))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run no tool once only the answer is offered."""
        return reply(request, render("limit-reached", why=_STUCK)) if self._last_turns else handler(request)


def fruitless(messages: Sequence[BaseMessage]) -> int:
    """How many of the last turns made calls of which none could be run."""
    turns = 0
    results: list[ToolMessage] = []
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            results.append(message)
        elif isinstance(message, AIMessage) and _brought_nothing(message, results):
            turns += 1
            results = []
        else:
            break
    return turns


def _brought_nothing(message: AIMessage, results: Sequence[ToolMessage]) -> bool:
    if not results:  # a broken call goes unanswered where its id was used before
        return bool(message.invalid_tool_calls) and not message.tool_calls
    return all(one.status == "error" for one in results)
