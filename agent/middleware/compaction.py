"""Keeps a conversation within what its model can read, by leaving older tool output out."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from agent.compaction import compacted, size
from agent.failures import is_too_long
from agent.ledger import Ledger

SMALLER = 0.6
"""Part of a conversation that a server found too long which is tried next: its window is not known."""
LEAST = 4_000
"""Characters below which a window is too small to work in."""


class Compaction(AgentMiddleware[Any, Any, Any]):
    """Next to the model, so that a server's complaint about the length is seen as it comes.

    Only what is sent changes: the conversation itself, and what may be quoted of it, stay whole. A result
    that was left out may be asked for again.
    """

    def __init__(self, ledger: Ledger, *, most: int | None) -> None:
        super().__init__()
        self._ledger = ledger
        self._most = most
        self._gone: frozenset[str] = frozenset()

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
        self._most = max(LEAST, int(SMALLER * (before + _around(request))))
        fitted = self._fitted(request)
        return fitted if size(fitted.messages) < before else None

    def _fitted(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        if self._most is None:
            return request
        room = max(0, self._most - _around(request))
        messages, gone = compacted(request.messages, most=room, done=self._gone)
        for callid in gone - self._gone:
            self._ledger.release(callid)
        self._gone |= gone
        return request.override(messages=messages) if gone else request


def _around(request: ModelRequest[Any]) -> int:
    """Characters of the system prompt; the tools' descriptions are about as long."""
    return 2 * len(str(request.system_message.text)) if request.system_message else 0
