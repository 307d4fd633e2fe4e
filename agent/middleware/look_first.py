"""A model that answers or refuses without having looked is sent to look, once; if it still does not, that is
said with the answer. One that looks in the same breath answers again when it has seen what that brought.

What it says then is its memory, and so is what it quotes: no round of repair can verify it.
"""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, hook_config
from langgraph.runtime import Runtime

from agent.ledger import Ledger
from agent.middleware.replies import answered, beside, sent_back
from storage.prompts import render

_BLIND = "The model looked nothing up, although it was told to."


class LookFirst(AgentMiddleware[Any, Any, Any]):
    """Sees an answer before `Repair` does. Asks nothing of a model that has no tools, or no calls left."""

    def __init__(self, ledger: Ledger, *, tools: Sequence[str]) -> None:
        super().__init__()
        self._ledger = ledger
        self._tools = tuple(tools)
        self._told = False

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:  # noqa: ARG002
        """Go back to the model when it answers and has called none of the tools."""
        could = bool(self._tools) and not self._ledger.stops
        if self._told or not could or self._looked() or not answered(state):
            return None
        if any(name in self._tools for name in beside(state)):
            return sent_back(state, render("answer-beside"))
        self._told = True
        return sent_back(state, render("look-first", tools=", ".join(f"`{name}`" for name in self._tools)))

    def after_agent(self, state: Any, runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Note at the end that it was to no avail: a later round may still have looked."""
        if self._told and not self._looked():
            self._ledger.stop(_BLIND)

    def _looked(self) -> bool:
        return any(call.name in self._tools for call in self._ledger.calls)
