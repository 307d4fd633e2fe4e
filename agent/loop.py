"""The loop: a chat model, the tools, and the rules around both. Ends in a draft of an answer, whatever the
model does.

LangChain's `create_agent` runs it. The rules are middleware, one file each; for a tool call they stand in
this order, the first seen by the model:

1. `CallLimit` and `TimeLimit` turn away what comes too late, `Stuck` what a stuck model still calls;
2. `Bookkeeping` enters the call, and what answered it, into the ledger;
3. `UnknownTools` and `Repeats` answer a call that is not to be run;
4. `EvidenceBudget` keeps what is shown within the budget and the model's window;
5. `ToolErrors` turns an exception into text, but for a store or an embedder that fails: that ends the
   question.

Around the model, from the outside in: `Repair` checks the answer and asks once more where it fails,
before that `LookFirst` sends a model that looked nothing up to look, `BrokenCalls` and `CutReplies` ask again
for what cannot be read or is not whole, `WrittenCalls` reads calls that were written as text, `LateReplies`
ends with what there is when a reply does not come in time, `ModelFailures` explains a server that fails,
`Retries` asks it again before that, `NativeAnswers` takes a reply that does not fit its schema for prose,
`Compaction` leaves out what the model has no room for, `SoundReplies` mends what the model says before
anything reads it, `Punctuality` waits for that no longer than the question lasts. Nothing here knows a
provider, a store or a question.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.capability import answer_format, context_of
from agent.deadline import Deadline
from agent.draft import AnswerDraft
from agent.events import Event, EventKind, Listener
from agent.ledger import Ledger
from agent.verify import Sections
from agent.window import Window
from storage.errors import ModelError
from tools.clean import shortened

if TYPE_CHECKING:
    from langchain.agents.middleware.types import AgentMiddleware
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool

    from agent.middleware.cut_replies import CutReplies
    from agent.middleware.repair import Repair
    from agent.middleware.repeats import Asks


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may cost. The settings say how much that is by default."""

    calls: int
    """Tool calls."""
    characters: int
    """Of tool output shown to the model."""
    seconds: float
    """From the first step. A large model on a slow server needs minutes; nobody waits longer."""
    context: int | None = None
    """Characters of a conversation that the model is sent; None for what is known of the model."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the loop ended."""

    draft: AnswerDraft
    ledger: Ledger
    prose: bool
    """The model wrote its answer as text instead of in the form that it was asked for."""
    repaired: bool = False
    """The model was asked once to put its answer right."""
    whole: bool = True
    """The last that the model said was not cut off."""


def run(
    question: str,
    *,
    model: "BaseChatModel",
    explained: Callable[[Exception], str],
    tools: Callable[[Ledger], Sequence["BaseTool"]],
    asks: "Asks",
    sections: Sections,
    system_prompt: str,
    limits: Limits,
    clock: Callable[[], float],
    listener: Listener,
) -> Outcome:
    """Work on one question until the model answers or a limit makes it.

    `tools` makes the tools for this question's ledger, and `asks` says which of their calls ask the same;
    `sections` is what citations are checked against; `explained` puts a failure of the model in one line.
    Raises ModelError when the model's server fails, StoreError and EmbedderError when a tool does.
    """
    from langchain.agents import create_agent
    from langchain_core.messages import HumanMessage

    from agent.middleware.call_limit import CallLimit
    from agent.middleware.cut_replies import CutReplies
    from agent.middleware.look_first import LookFirst
    from agent.middleware.repair import Repair
    from agent.middleware.stuck import Stuck
    from agent.middleware.time_limit import TimeLimit

    ledger = Ledger(limits.characters, question)
    offered = list(tools(ledger))
    deadline = Deadline(limits.seconds, clock)
    time = TimeLimit(ledger, deadline)
    calls = CallLimit(ledger, calls=limits.calls)
    stuck = Stuck(ledger)

    def over() -> bool:
        return calls.exhausted() or time.over() or stuck.exhausted()

    cut = CutReplies(ledger)
    repair = Repair(ledger, sections, over=over, listener=listener)
    window = Window(limits.context or context_of(model))
    agent = create_agent(
        model,
        offered,
        system_prompt=system_prompt,
        middleware=[
            calls,
            time,
            stuck,
            *_around_tools(ledger, offered, asks=asks, listener=listener, window=window, most=limits.calls),
            repair,
            LookFirst(ledger, tools=[tool.name for tool in offered]),
            *_around_model(
                ledger, cut, explained=explained, window=window, deadline=deadline, listener=listener
            ),
        ],
        response_format=answer_format(model),
    )
    # One call after the other: side by side, chance would decide which of them the limits let through.
    try:
        state = agent.invoke({"messages": [HumanMessage(content=question)]}, {"max_concurrency": 1})
    except ModelError as error:
        if not (repair.answered or cut.kept):
            raise
        # There is an answer: the server failed when it was asked for a better one.
        ledger.stop(f"The answer could not be put right: {error}")
        state = {"messages": []}
    outcome = _outcome(state, repair, ledger, cut)
    _report_end(outcome, listener)
    return outcome


def _around_tools(
    ledger: Ledger,
    tools: Sequence["BaseTool"],
    *,
    asks: "Asks",
    listener: Listener,
    window: Window,
    most: int,
) -> "list[AgentMiddleware[Any, Any, Any]]":
    """`most` is the limit of calls."""
    from agent.middleware.bookkeeping import Bookkeeping
    from agent.middleware.evidence_budget import EvidenceBudget
    from agent.middleware.repeats import Repeats
    from agent.middleware.tool_errors import ToolErrors
    from agent.middleware.unknown_tools import UnknownTools

    return [
        Bookkeeping(ledger, listener),
        UnknownTools([tool.name for tool in tools]),
        Repeats(ledger, asks),
        EvidenceBudget(ledger, window=window, calls=most),
        ToolErrors(),
    ]


def _around_model(
    ledger: Ledger,
    cut: "CutReplies",
    *,
    explained: Callable[[Exception], str],
    window: Window,
    deadline: Deadline,
    listener: Listener,
) -> "list[AgentMiddleware[Any, Any, Any]]":
    from agent.middleware.broken_calls import BrokenCalls
    from agent.middleware.compaction import Compaction
    from agent.middleware.late_replies import LateReplies, Punctuality
    from agent.middleware.model_failures import ModelFailures
    from agent.middleware.native_answers import NativeAnswers
    from agent.middleware.retries import Retries
    from agent.middleware.sound_replies import SoundReplies
    from agent.middleware.written_calls import WrittenCalls

    return [
        BrokenCalls(),
        cut,
        WrittenCalls(),
        LateReplies(ledger, seconds=deadline.seconds),
        ModelFailures(explained),
        Retries(listener, left=deadline.left),
        NativeAnswers(),
        Compaction(ledger, window=window),
        SoundReplies(),
        Punctuality(deadline),
    ]


def _outcome(state: Any, repair: "Repair", ledger: Ledger, cut: "CutReplies") -> Outcome:
    """What the loop ended with, read by the rule that checked it."""
    last = repair.result(state)
    draft = cut.fall_back() if last.empty else last.draft
    return Outcome(draft, ledger, prose=last.prose, repaired=repair.repaired, whole=cut.whole)


def _report_end(outcome: Outcome, listener: Listener) -> None:
    for stop in outcome.ledger.stops:
        listener(Event(EventKind.LIMIT, stop))
    draft = outcome.draft
    said = f"refused: {draft.refusal}" if draft.refusal else f"claims: {len(draft.claims)}"
    listener(Event(EventKind.ANSWER, shortened(said, limit=200)))
