"""A reply that is not whole is no answer: it is asked for once more, and what is left of it says so."""

from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, hook_config
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime
from pydantic import ValidationError

from agent.draft import AnswerDraft
from agent.ledger import Ledger
from agent.taken import Fault, cut_answers, fault_of
from storage.prompts import render

_REPORTED = {
    Fault.CUT: "The model's reply was cut off at its limit of tokens; raise ASK262_REPLY_TOKENS.",
    Fault.WITHHELD: "The model's server withheld a part of its reply (a content filter).",
    Fault.UNREADABLE: "The model's reply could not be read.",
    Fault.UNFINISHED: "The model's reply may not be whole: its server broke off.",
}
_ASKED = {
    Fault.CUT: "Your reply was cut off at the limit of its length. Make it shorter.",
    Fault.WITHHELD: "A part of your reply was withheld by a content filter.",
    Fault.UNREADABLE: "Your reply could not be read.",
    Fault.UNFINISHED: "Your reply broke off.",
}


class CutReplies(AgentMiddleware[Any, Any, Any]):
    """Sees a reply before every rule that takes it for an answer. A call that was cut off is broken, and
    `BrokenCalls` asks for it."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._asked = False
        self._last: Fault | None = None
        self.kept: AnswerDraft | None = None
        """An answer that was asked for again because the server calls it cut off: better than none."""

    @property
    def whole(self) -> bool:
        """Whether nothing is known to be missing from the last that the model said."""
        return self._last is None

    def fall_back(self) -> AnswerDraft:
        """The answer that was kept, in place of none; an empty one where none was."""
        if self.kept is None:
            return AnswerDraft()
        self._last = Fault.CUT
        self._ledger.stop(_REPORTED[Fault.CUT])
        return self.kept

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:  # noqa: ARG002
        """Go back to the model when it made no call and what it said is not whole."""
        said = next((one for one in reversed(state["messages"]) if isinstance(one, AIMessage)), None)
        if said is None or not _says(said):
            return None
        self._last = fault_of(said)
        self.kept = _draft(said) or self.kept
        calls = said.tool_calls or said.invalid_tool_calls
        if self._last is None or calls or self._asked or self._ledger.stops:
            return None
        self._asked = True
        told = HumanMessage(render("reply-not-whole", why=_ASKED[self._last]))
        return {"messages": [told], "structured_response": None, "jump_to": "model"}

    def after_agent(self, state: Any, runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Report it where the last thing that the model said was not whole."""
        if self._last:
            self._ledger.stop(_REPORTED[self._last])


def _draft(message: AIMessage) -> AnswerDraft | None:
    for args in cut_answers(message):
        try:
            return AnswerDraft.model_validate(args)
        except ValidationError:
            continue
    return None


def _says(message: AIMessage) -> bool:
    """Whether the model said anything; a rule that stops it leaves an empty message in its place."""
    return bool(message.text or message.tool_calls or message.invalid_tool_calls or fault_of(message))
