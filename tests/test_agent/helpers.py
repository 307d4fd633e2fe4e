"""What the agent's tests share: a scripted run over the small store, passages, golden files."""

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, ToolMessage

from agent.answer import Answer
from agent.ask import ask
from agent.events import Event
from storage.model import Kind, Level, Span, Unit
from storage.settings import Settings
from tests.test_agent.scripted import ScriptedModel
from tests.test_tools.fake import FakeEmbedder, FakeReader, small
from tools.results import Passage


def settings(**given: Any) -> Settings:
    """Settings of a test alone: no `.env`."""
    return Settings.model_validate(given)


def ask_scripted(
    *script: Any, question: str = "How is a seed planted?", events: list[Event] | None = None, **given: Any
) -> tuple[Answer, ScriptedModel]:
    """A question about the garden, answered by a script; the answer and what the model was sent."""
    model = ScriptedModel(script=list(script))
    return ask_garden(question, model, events=events, **given), model


def ask_garden(
    question: str,
    model: BaseChatModel,
    *,
    events: list[Event] | None = None,
    reader: FakeReader | None = None,
    **given: Any,
) -> Answer:
    """A question about the garden; what is given besides are settings."""
    return ask(
        question,
        reader=reader or small(),
        embedder=FakeEmbedder(),
        model=model,
        settings=settings(**given),
        on_event=None if events is None else events.append,
        clock=lambda: 0.0,
    )


def tool_texts(messages: Sequence[BaseMessage]) -> list[str]:
    """What the tools, and the rules in their place, answered."""
    return [str(message.text) for message in messages if isinstance(message, ToolMessage)]


def passage(text: str, *, sectionid: str = "sec-a", start: int = 0, clauseid: str = "") -> Passage:
    """A passage as a fetch gives it."""
    return Passage(
        edition="es1", sectionid=sectionid, clauseid=clauseid or sectionid, secnum="1.2", title="Alpha ( x )",
        source="a.html", start=start, end=start + len(text), text=text,
    )  # fmt: skip


def unit(
    text: str,
    *,
    sectionid: str = "sec-a",
    level: Level = Level.SECTION,
    kind: Kind = Kind.CLAUSE,
    start: int = 0,
    step: str = "",
    subsections: tuple[str, ...] = (),
    clauseid: str = "",
) -> Unit:
    """A unit with what verification looks at."""
    return Unit(
        unitid=sectionid, sectionid=sectionid, clauseid=clauseid or sectionid, parentsectionid=None,
        level=level, kind=kind, title="Alpha ( x )", titlepath="Alpha ( x )", secnum="1.2", aoid="",
        chapter=sectionid, annex=False, normative=True, step=step, source="a.html", edition="es1",
        start=start, end=start + len(text), segments=(Span(start, start + len(text)),),
        subsections=subsections, text=text, digest="d", unitdigest="u",
    )  # fmt: skip
