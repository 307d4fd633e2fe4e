"""Keeps what a question is shown within its characters, and what one turn is shown within the model's window.

Calls that are made in one turn share what there is: each gets an equal part of what those before it left. A
tool with a size limit of its own is asked for no more than its part. Another result that does not fit into
the budget is not shown at all: half a result is half a rule, and its passages would be quoted as if they had
been read.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from agent.ledger import Ledger
from agent.lengths import length
from agent.middleware.replies import reply, shows
from agent.window import Window
from storage.prompts import render
from tools.fetch import FETCH_LIMIT

SIZED = {"fetch_section_chunks": ("limit", FETCH_LIMIT)}
"""Tools that take a size in characters: the argument, and what it is when not given."""
HEADINGS = 400
"""Characters that such a tool may put around the text it was limited to: headings, a cursor."""
SHARE = 0.3
"""Part of what a model can read that the results of one turn may take: the question, the prompt and the last
results stand beside them."""
WORTHWHILE = 500
"""Below this a fetch would show less than a step."""


class EvidenceBudget(AgentMiddleware[Any, Any, Any]):
    """Stops evidence at the ledger's budget, and says so to the model and to the reader.

    Where the model can read little, a turn brings no more than its share of that; a call for which nothing is
    left there does not count, and may be made again. Rests on the calls of a turn being run one after the
    other.
    """

    def __init__(self, ledger: Ledger, *, window: Window, calls: int) -> None:
        super().__init__()
        self._ledger = ledger
        self._window = window
        self._calls = calls
        self._turn: list[str | None] = []
        self._beside = 0
        """Characters of the question and of the calls of this turn."""
        self._shown = 0
        """Characters of results in this turn."""

    def after_model(self, state: Any, runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """A new turn begins with these calls."""
        question, last = state["messages"][0], state["messages"][-1]
        self._turn = [call["id"] for call in last.tool_calls] if isinstance(last, AIMessage) else []
        self._beside, self._shown = length(question) + length(last), 0

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run the call within its part of what is left."""
        if self._room_in_turn() < HEADINGS + WORTHWHILE:
            self._ledger.give_back(str(request.tool_call["id"]))
            self._ledger.withhold(request.tool_call["name"], request.tool_call["args"])
            return reply(request, render("turn-full"))
        fitted = self._fitted(request)
        if fitted is None:
            return self._spent(request, size="more")
        answer = handler(fitted)
        if not isinstance(answer, ToolMessage) or not shows(answer):
            return answer
        size = len(str(answer.text))
        if not self._ledger.take(size):
            return self._spent(request, size=f"{size:,}")
        self._shown += size
        return answer

    def _fitted(self, request: ToolCallRequest) -> ToolCallRequest | None:
        """The call with its size limited to its part; None when nothing useful is left."""
        call = request.tool_call
        if call["name"] not in SIZED:
            return request
        argument, usual = SIZED[call["name"]]
        asked, calls = call["args"].get(argument, usual), self._waiting(call["id"])
        room = min(part(self._ledger.left, calls=calls), part(self._room_in_turn(), calls=calls)) - HEADINGS
        if room < WORTHWHILE:
            return None
        if not isinstance(asked, int) or asked <= room:
            return request
        return request.override(tool_call={**call, "args": {**call["args"], argument: room}})

    def _room_in_turn(self) -> int:
        """Characters that this turn may still show, where the window is known; a first call has some in any
        case."""
        most, room = self._window.most, self._window.room
        if most is None or room is None:
            return self._ledger.budget
        return (
            max(HEADINGS + WORTHWHILE, min(int(SHARE * most) + HEADINGS, room - self._beside)) - self._shown
        )

    def _waiting(self, callid: str | None) -> int:
        """This call, and those after it in the turn that the limit of calls lets through."""
        after = len(self._turn) - self._turn.index(callid) if callid in self._turn else 1
        return max(1, min(after, 1 + self._calls - self._ledger.admitted))

    def _spent(self, request: ToolCallRequest, *, size: str) -> ToolMessage:
        budget, left = f"{self._ledger.budget:,}", f"{self._ledger.left:,}"
        self._ledger.stop(f"The budget of {budget} characters was used up.")
        self._ledger.withhold(request.tool_call["name"], request.tool_call["args"])
        return reply(request, render("budget-spent", budget=budget, left=left, size=size))


def part(room: int, *, calls: int) -> int:
    """An equal part of the room for each of the calls; for fewer of them where it would be too small for any
    use."""
    return room // max(1, min(calls, room // (HEADINGS + WORTHWHILE)))
