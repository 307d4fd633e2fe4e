"""`ask`: one question in, one checked answer out. What the command line, a batch and a notebook call.

Everything it needs comes in: an edition's reader, its embedder, a chat model, the settings. It prints nothing
and writes nothing.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.capability import giving
from agent.compose import compose
from agent.deadline import Deadline, Punctual
from agent.events import Listener, silent
from agent.failures import Asked, explain
from agent.ledger import Ledger
from agent.loop import Limits, run
from agent.refusals import Names, Refusals, no_others
from agent.stored import Stored
from storage.errors import InputError
from storage.prompts import render
from storage.settings import Settings
from tools.clean import clean
from tools.ports import Embedder, Reader
from tools.registry import langchain_tools
from tools.same_call import asks
from tools.toolbox import Toolbox
from tools.visible import shows_something

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool

LONGEST = 10_000
"""Characters of a question. Nobody asks more; beyond it a file was pasted."""


def ask(
    question: str,
    *,
    reader: Reader,
    embedder: Embedder,
    model: "BaseChatModel",
    settings: Settings,
    on_event: Listener | None = None,
    clock: Callable[[], float] = time.monotonic,
    offer: "Callable[[Sequence[BaseTool]], Sequence[BaseTool]]" = list,
    others: Callable[[], Iterable[Names]] = no_others,
) -> Answer:
    """Answer `question` from one edition; `clock` counts seconds, `offer` chooses among the tools.

    `others` opens the store's other editions, and is called only when a question is refused.

    Raises InputError for a question that cannot be used, ModelError when the model's server fails,
    StoreError or EmbedderError when the store or the embedder does. Whatever the model itself does
    ends in an answer.
    """
    from agent.models import OFFLINE, QUOTES_ONLY, name_of

    asked, began, record, name = usable(question), clock(), reader.record, name_of(model)
    rewriter = Punctual(model, Deadline(settings.max_seconds, clock))
    toolbox = Toolbox(reader, embedder, rewriter=rewriter if settings.rewrite and name != OFFLINE else None)
    limits = limits_of(settings)
    sections = Stored(reader)
    refusals = Refusals(Names(record, reader.names()), sections, others, sections.mentions)

    def tools(ledger: Ledger) -> "list[BaseTool]":
        return [*offer(langchain_tools(toolbox, session=ledger))]

    with _tracing(settings):
        outcome = run(
            asked,
            model=model,
            explained=partial(
                explain, asked=Asked(name, settings.base_url, name == settings.model, settings.secrets)
            ),
            tools=tools,
            asks=partial(asks, reader=reader),
            sections=sections,
            system_prompt=system_prompt(record.title, record.edition, limits, giving=giving(model)),
            limits=limits,
            clock=clock,
            listener=on_event or silent,
        )
    return compose(
        asked,
        outcome,
        sections=sections,
        complete=partial(refusals.complete, asked),
        record=record,
        model=name,
        seconds=clock() - began,
        remarks=(QUOTES_ONLY,) if name == OFFLINE else (),
    )


def _tracing(settings: Settings) -> AbstractContextManager[None]:
    """Offline means that LangChain's tracing stays at home too, whatever its own variables say."""
    from langsmith import tracing_context

    return tracing_context(enabled=False) if settings.offline else nullcontext()


def usable(question: str) -> str:
    """The question without control sequences; InputError when nothing is left of it or it is far too long."""
    if len(question) > LONGEST:
        raise InputError(
            f"The question has {len(question):,} characters; at most {LONGEST:,} are read. Ask a shorter one."
        )
    asked = clean(question).strip()
    if not shows_something(asked):
        raise InputError('The question is empty; ask something, such as: ask262 "What does ToNumber do?"')
    return asked


def limits_of(settings: Settings) -> Limits:
    """What one question may cost by these settings."""
    return Limits(
        calls=settings.max_calls,
        characters=settings.budget_characters,
        seconds=settings.max_seconds,
        context=settings.context_characters,
    )


def system_prompt(title: str, edition: str, limits: Limits, *, giving: str) -> str:
    """What the model is told before the question; `giving` says how it gives its answer."""
    return render(
        "system",
        title=title,
        edition=edition,
        calls=limits.calls,
        characters=f"{limits.characters:,}",
        giving=giving,
    )
