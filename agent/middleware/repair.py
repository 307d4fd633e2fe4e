"""Checks the answer before it is shown; one that fails is asked for once more, with what is wrong."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, hook_config
from langgraph.runtime import Runtime

from agent.checked import checked
from agent.draft import AnswerDraft
from agent.events import Event, EventKind, Listener
from agent.ledger import Ledger
from agent.middleware.replies import last_words, sent_back
from agent.plaintext import read_prose
from agent.repair import Checked, better, complaint
from agent.verify import Sections


class Repair(AgentMiddleware[Any, Any, Any]):
    """One round a question, and none once its time is over. The better of the two answers stands."""

    def __init__(
        self, ledger: Ledger, sections: Sections, *, over: Callable[[], bool], listener: Listener
    ) -> None:
        super().__init__()
        self._ledger = ledger
        self._sections = sections
        self._over = over
        self._tell = listener
        self._first: Checked | None = None

    @property
    def repaired(self) -> bool:
        """Whether the model was asked a second time."""
        return self._first is not None

    @property
    def answered(self) -> bool:
        """Whether there was an answer before the second one was asked for."""
        return self._first is not None and not self._first.empty

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:  # noqa: ARG002
        """Go back to the model when its answer fails for the first time."""
        answer = self._answer(state)
        if answer is None or self.repaired:
            return None
        wrong = complaint(answer)
        if wrong is None or self._over():
            return None
        self._first = answer
        self._tell(Event(EventKind.REPAIR, wrong))
        return sent_back(state, wrong)

    def result(self, state: Any) -> Checked:
        """The answer that the loop ended with, or the one before it where that is better."""
        last = self._answer(state) or self._checked(AnswerDraft(), prose=False)
        return better(self._first, last) if self._first else last

    def _answer(self, state: Any) -> Checked | None:
        """The answer in the model's last message; None when that calls a tool or cannot be read."""
        structured = state.get("structured_response")
        if isinstance(structured, AnswerDraft):
            return self._checked(structured, prose=False)
        last = last_words(state)
        if last is None:
            return None
        text = str(last.text).strip()
        return self._checked(self._read(text) if text else AnswerDraft(), prose=bool(text))

    def _read(self, text: str) -> AnswerDraft:
        return read_prose(text, section_of=self._section_of)

    def _section_of(self, name: str) -> str:
        unit = self._sections.section(name)
        return unit.sectionid if unit else ""

    def _checked(self, draft: AnswerDraft, *, prose: bool) -> Checked:
        return Checked(draft, prose, *checked(draft, self._ledger, self._sections))
