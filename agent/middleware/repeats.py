"""A call that asks what was asked before is answered with a hint instead of run a second time."""

from collections.abc import Callable, Mapping
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from agent.ledger import Call, Claim, Ledger
from agent.middleware.replies import reply, result_of, shows
from storage.prompts import render
from tools.clean import one_line, shortened

NAMED = 8
"""Sections that a hint names."""

Asks = Callable[[str, Mapping[str, Any]], str]
"""What a call asks for, from its name and arguments: the same text for two calls that ask the same."""


class Repeats(AgentMiddleware[Any, Any, Any]):
    """The result already stands in the conversation; showing it again would only cost budget.

    A call that showed nothing is no exception: what it failed at has not changed, and the hint repeats it.
    """

    def __init__(self, ledger: Ledger, asks: Asks) -> None:
        super().__init__()
        self._ledger = ledger
        self._asks = asks

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run a call the first time only, two equal ones side by side included."""
        made = request.tool_call
        name, args = made["name"], made["args"]
        asked = self._asks(name, args)
        first = self._ledger.claim(asked, callid=str(made["id"]))
        if first is not None:
            return reply(request, _hint(first))
        answer = handler(request)
        if isinstance(answer, ToolMessage):
            call = Call(name, args, str(answer.text), shows(answer))
            self._ledger.settle(asked, call, result_of(answer))
        return answer


def _hint(first: Claim) -> str:
    call = first.call
    if call is None:
        return render("repeated-beside")
    spelled = shortened(call.spelled, limit=120)
    if not call.ok:
        return render("repeated-in-vain", call=spelled, said=shortened(call.text, limit=200))
    if call.rest:
        return render("repeated-cut", call=spelled, shown=_shown(call), cursor=call.rest)
    return render("repeated-call", call=spelled, shown=_shown(call))


def _shown(call: Call) -> str:
    """What a call showed, by the ids of its sections."""
    if not call.sections:
        return "its result stands above"
    listed = ", ".join(f"`{one_line(sectionid)}`" for sectionid in call.sections[:NAMED])
    more = len(call.sections) - NAMED
    return f"it showed {listed}{f' and {more} more' if more > 0 else ''}, which stands above"
