"""Keeps a conversation within what its model can read, by leaving out what it needs least."""

import json
from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.utils.function_calling import convert_to_openai_tool

from agent.compaction import compacted
from agent.failures import is_too_long
from agent.ledger import Ledger
from agent.lengths import size
from agent.window import Window


class Compaction(AgentMiddleware[Any, Any, Any]):
    """Next to the model, so that a server's complaint about the length is seen as it comes.

    Only what is sent changes: the conversation itself, and what may be quoted of it, stay whole. A result
    that was left out may be asked for again.
    """

    def __init__(self, ledger: Ledger, *, window: Window) -> None:
        super().__init__()
        self._ledger = ledger
        self._window = window
        self._gone: frozenset[str] = frozenset()
        self._descriptions: dict[str, int] = {}

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with what fits; with less while it says that this was too much."""
        fitted = self._fitted(request)
        while True:
            try:
                return handler(fitted)
            except Exception as error:
                smaller = self._smaller(request, fitted) if is_too_long(error) else None
                if smaller is None:
                    raise
                fitted = smaller

    def _smaller(self, request: ModelRequest[Any], sent: ModelRequest[Any]) -> ModelRequest[Any] | None:
        """The request within less than what was sent; None when nothing more can be left out."""
        before = size(sent.messages)
        self._window.refused(before)
        fitted = self._fitted(request)
        return fitted if size(fitted.messages) < before else None

    def _fitted(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        self._window.around = self._around(request)
        if self._window.room is None:
            return request
        messages, gone = compacted(request.messages, most=self._window.room, done=self._gone)
        for callid in gone - self._gone:
            self._ledger.release(callid)
        self._gone |= gone
        return request.override(messages=messages)

    def _around(self, request: ModelRequest[Any]) -> int:
        """Characters of the system prompt, the tools, and the form that the answer is asked for in."""
        form = getattr(request.response_format, "schema", None)
        offered = [*request.tools, *([form] if form else [])]
        prompt = str(request.system_message.text) if request.system_message else ""
        return len(prompt) + sum(map(self._described, offered))

    def _described(self, tool: Any) -> int:
        """Characters of a tool's description, worked out once."""
        name = tool["name"] if isinstance(tool, dict) and "name" in tool else getattr(tool, "name", str(tool))
        if name not in self._descriptions:
            self._descriptions[name] = len(json.dumps(convert_to_openai_tool(tool)))
        return self._descriptions[name]
