"""Keeps what a question is shown within its characters.

A tool with a size limit of its own is asked for no more than fits. Another result that does not fit is not
shown at all: half a result is half a rule, and its passages would be quoted as if they had been read.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.ledger import Ledger
from agent.middleware.replies import reply, shows
from storage.prompts import render
from tools.fetch import FETCH_LIMIT

SIZED = {"fetch_section_chunks": ("limit", FETCH_LIMIT)}
"""Tools that take a size in characters: the argument, and what it is when not given."""
HEADINGS = 400
"""Characters that such a tool may put around the text it was limited to: headings, a cursor."""
SHARE = 0.3
"""Part of what a model can read that one result may take: the question, the prompt and the last results stand
beside it."""
WORTHWHILE = 500
"""Below this a fetch would show less than a step."""


class EvidenceBudget(AgentMiddleware[Any, Any, Any]):
    """Stops evidence at the ledger's budget, and says so to the model and to the reader.

    Where the model can read little, a fetch brings no more than its share of that at once.
    """

    def __init__(self, ledger: Ledger, *, context: int | None = None) -> None:
        super().__init__()
        self._ledger = ledger
        self._most = int(SHARE * context) if context else None

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run the call within what is left."""
        fitted = self._fitted(request)
        if fitted is None:
            return self._spent(request, size="more")
        answer = handler(fitted)
        if not isinstance(answer, ToolMessage) or not shows(answer):
            return answer
        size = len(str(answer.text))
        return answer if self._ledger.take(size) else self._spent(request, size=f"{size:,}")

    def _fitted(self, request: ToolCallRequest) -> ToolCallRequest | None:
        """The call with its size limited to what is left; None when nothing useful is."""
        call = request.tool_call
        if call["name"] not in SIZED:
            return request
        argument, usual = SIZED[call["name"]]
        asked, room = call["args"].get(argument, usual), self._ledger.left - HEADINGS
        if room < WORTHWHILE:
            return None
        room = min(room, self._most or room)
        if not isinstance(asked, int) or asked <= room:
            return request
        return request.override(tool_call={**call, "args": {**call["args"], argument: room}})

    def _spent(self, request: ToolCallRequest, *, size: str) -> ToolMessage:
        budget, left = f"{self._ledger.budget:,}", f"{self._ledger.left:,}"
        self._ledger.stop(f"The budget of {budget} characters was used up.")
        return reply(request, render("budget-spent", budget=budget, left=left, size=size))
