"""The loop: a chat model, the tools, and the rules around both. Ends in a draft of an answer, whatever the
model does.

LangChain's `create_agent` runs it. The rules are middleware, one file each; for a tool call they stand in
this order, the first seen by the model:

1. `CallLimit` and `TimeLimit` turn away what comes too late;
2. `Bookkeeping` enters the call, and what answered it, into the ledger;
3. `UnknownTools` and `Repeats` answer a call that is not to be run;
4. `EvidenceBudget` keeps what is shown within the budget;
5. `ToolErrors` turns an exception into text, but for a store or an embedder that fails: that ends the
   question.

Around the model: `BrokenCalls` asks again for what cannot be read, `ModelFailures` explains a server that
fails. Nothing here knows a provider, a store or a question.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.draft import AnswerDraft
from agent.events import Event, EventKind, Listener
from agent.ledger import Ledger
from agent.plaintext import read_prose
from agent.prompts import render
from tools.clean import shortened

if TYPE_CHECKING:
    from langchain.agents.middleware.types import AgentMiddleware
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may cost."""

    calls: int = 12
    """Tool calls."""
    characters: int = 40_000
    """Of tool output shown to the model."""
    seconds: float = 300.0
    """From the first step. A large model on a slow server needs minutes; nobody waits longer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the loop ended."""

    draft: AnswerDraft
    ledger: Ledger
    prose: bool
    """The model wrote its answer as text instead of calling the answer tool."""


def run(
    question: str,
    *,
    model: "BaseChatModel",
    explained: Callable[[Exception], str],
    tools: Callable[[Ledger], Sequence["BaseTool"]],
    system_prompt: str,
    limits: Limits,
    clock: Callable[[], float],
    listener: Listener,
) -> Outcome:
    """Work on one question until the model answers or a limit makes it.

    `tools` makes the tools for this question's ledger; `explained` puts a failure of the
    model in one line. Raises ModelError when the model's server fails,
    StoreError and EmbedderError when a tool does.
    """
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ToolStrategy
    from langchain_core.messages import HumanMessage

    ledger = Ledger(budget=limits.characters)
    offered = list(tools(ledger))
    agent = create_agent(
        model,
        offered,
        system_prompt=system_prompt,
        middleware=_rules(
            ledger, offered, limits=limits, clock=clock, listener=listener, explained=explained
        ),
        response_format=ToolStrategy(
            AnswerDraft, handle_errors=_invalid_answer, tool_message_content="Answer received."
        ),
    )
    state = agent.invoke({"messages": [HumanMessage(content=question)]})
    outcome = _outcome(state.get("structured_response"), state["messages"], ledger)
    _report_end(outcome, listener)
    return outcome


def _rules(
    ledger: Ledger,
    tools: Sequence["BaseTool"],
    *,
    limits: Limits,
    clock: Callable[[], float],
    listener: Listener,
    explained: Callable[[Exception], str],
) -> list["AgentMiddleware[Any, Any, Any]"]:
    from agent.middleware.bookkeeping import Bookkeeping
    from agent.middleware.broken_calls import BrokenCalls
    from agent.middleware.call_limit import CallLimit
    from agent.middleware.evidence_budget import EvidenceBudget
    from agent.middleware.model_failures import ModelFailures
    from agent.middleware.repeats import Repeats
    from agent.middleware.time_limit import TimeLimit
    from agent.middleware.tool_errors import ToolErrors
    from agent.middleware.unknown_tools import UnknownTools

    return [
        CallLimit(ledger, calls=limits.calls),
        TimeLimit(ledger, seconds=limits.seconds, clock=clock),
        Bookkeeping(ledger, listener),
        UnknownTools([tool.name for tool in tools]),
        Repeats(ledger),
        EvidenceBudget(ledger),
        ToolErrors(),
        BrokenCalls(),
        ModelFailures(explained),
    ]


def _invalid_answer(error: Exception) -> str:
    return render("invalid-answer", error=shortened(str(error), limit=300))


def _outcome(structured: Any, messages: Sequence["BaseMessage"], ledger: Ledger) -> Outcome:
    """The structured answer, else the prose of the last message, else an empty draft."""
    if isinstance(structured, AnswerDraft):
        return Outcome(structured, ledger, prose=False)
    last = messages[-1]
    text = str(last.text).strip() if last.type == "ai" else ""
    return Outcome(read_prose(text) if text else AnswerDraft(), ledger, prose=bool(text))


def _report_end(outcome: Outcome, listener: Listener) -> None:
    for stop in outcome.ledger.stops:
        listener(Event(EventKind.LIMIT, stop))
    draft = outcome.draft
    said = f"refused: {draft.refusal}" if draft.refusal else f"claims: {len(draft.claims)}"
    listener(Event(EventKind.ANSWER, shortened(said, limit=200)))
