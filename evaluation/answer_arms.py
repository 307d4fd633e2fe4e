"""The arms that a model answers in: the same prompt, the same loop and checks, other tools.

* `none`: no tools. What a model says from memory, or refuses to say.
* `search`: one search for the question as it stands, made for the model; it answers from the packet.
* `read`: the same, and the best three sections are fetched for it. What a fixed pipeline would show.
* `agent`: the tools, and its own decisions.

Every arm keeps what the tools showed, as it was sent to the model.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool

    from agent.answer import Answer

SEARCH, FETCH = "search_spec", "fetch_section_chunks"
BEST = 3
"""Sections that the arm `read` fetches: what two calls more would bring a reader who trusts the ranking."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that an arm makes in the model's place."""

    name: str
    args: dict[str, Any]

    def message(self, turn: int) -> dict[str, Any]:
        """As LangChain writes it; the id follows from the call."""
        identity = hashlib.sha256(f"{turn} {self.name} {self.args}".encode()).hexdigest()[:12]
        return {"name": self.name, "args": self.args, "id": f"arm_{identity}"}


Opening = Callable[[Sequence["BaseMessage"]], list[ToolCall]]
"""The calls to make in the model's place, from the messages so far; none from the first turn that is its."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of asking: the tools on offer, what is called in advance, and how many calls there may be."""

    name: str
    tools: frozenset[str]
    opening: Opening
    calls: int | None = None
    """None: as many as the settings allow."""


class Asking(Protocol):
    """`agent.ask.ask` with everything but the question, the model, the tools and the limit of calls."""

    def __call__(
        self,
        question: str,
        *,
        model: "BaseChatModel",
        offer: Callable[[Sequence["BaseTool"]], Sequence["BaseTool"]],
        calls: int | None,
    ) -> "Answer": ...


@dataclass(frozen=True, slots=True)
class Observed:
    """One question in one arm: its answer, or what was raised instead, and the texts that the model was
    shown."""

    answer: "Answer | None"
    shown: tuple[str, ...]
    raised: str = ""


def observe(question: str, arm: Arm, *, model: "BaseChatModel", ask: Asking) -> Observed:
    """Ask, and keep what was shown. Whatever is raised is part of the measurement."""
    from evaluation.witness import Witness

    witness = Witness(inner=model, opening=arm.opening, metadata=model.metadata)
    try:
        answer = ask(question, model=witness, offer=arm_tools(arm), calls=arm.calls)
    except Exception as error:  # the count of these is a figure; a store that fails is seen in its message
        return Observed(None, witness.shown, f"{type(error).__name__}: {error}")
    return Observed(answer, witness.shown)


def arm_tools(arm: Arm) -> Callable[[Sequence["BaseTool"]], Sequence["BaseTool"]]:
    """Only the arm's tools."""
    return lambda tools: [tool for tool in tools if tool.name in arm.tools]


def _nothing(_: Sequence["BaseMessage"]) -> list[ToolCall]:
    return []


def _one_search(messages: Sequence["BaseMessage"]) -> list[ToolCall]:
    from tools.clean import QUERY_LIMIT

    asked = next(message for message in messages if message.type == "human")
    return [] if _results(messages) else [ToolCall(SEARCH, {"query": str(asked.text)[:QUERY_LIMIT]})]


def _search_and_read(messages: Sequence["BaseMessage"]) -> list[ToolCall]:
    results = _results(messages)
    if len(results) != 1:
        return [] if results else _one_search(messages)
    hits = getattr(results[0], "data", {}).get("hits", [])
    return [ToolCall(FETCH, {"sectionid": hit["sectionid"]}) for hit in hits[:BEST]]


def _results(messages: Sequence["BaseMessage"]) -> list[Any]:
    return [getattr(message, "artifact", None) for message in messages if message.type == "tool"]


ARMS = (
    Arm("none", frozenset(), _nothing),
    Arm("search", frozenset({SEARCH}), _one_search, calls=1),
    Arm("read", frozenset({SEARCH, FETCH}), _search_and_read, calls=1 + BEST),
    Arm("agent", frozenset({SEARCH, FETCH, "check_subsections"}), _nothing),
)
BY_NAME = {arm.name: arm for arm in ARMS}
