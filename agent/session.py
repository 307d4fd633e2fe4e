"""What a program needs to answer: settings, an edition (built first where there is none), embedder, model.

Opened once, asked many times. Traces go to standard error.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.answer import Answer
from agent.events import Event, EventKind, Listener, silent
from agent.first_build import build_store
from storage.editions import SAMPLE, canonical_edition, means_newest
from storage.errors import InputError, NoStoreError, UnknownEditionError
from tools.clean import one_line

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.refusals import Names
    from storage.embedder import Embedder
    from storage.reader import LanceReader
    from storage.settings import Settings

_SIGNS = {
    EventKind.CALL: "->",
    EventKind.RESULT: "<-",
    EventKind.REPAIR: "<<",
    EventKind.RETRY: "..",
    EventKind.LIMIT: "!!",
    EventKind.ANSWER: "==",
}

ONLY_SAMPLE = "Only the sample is here, so it is asked; to add ECMAScript: python -m setup.ingest\n"
"""Said where nobody asked for it: what it does not define, ECMAScript may."""
COMMANDS = {"budget_characters": "/budget"}
"""What a conversation calls the settings that it changes."""


@dataclass(frozen=True, slots=True)
class Session:
    """An open edition and a model to ask about it."""

    reader: "LanceReader"
    embedder: "Embedder"
    model: "BaseChatModel"
    settings: "Settings"
    listener: Listener

    def ask(self, question: str) -> Answer:
        """One question, independent of those before it."""
        from agent.ask import ask

        return ask(
            question,
            reader=self.reader,
            embedder=self.embedder,
            model=self.model,
            settings=self.settings,
            on_event=self.listener,
            others=self.others,
        )

    def others(self) -> "Iterator[Names]":
        """The names of the store's other editions, each opened when it is come to; the sample is none."""
        from agent.refusals import Names
        from storage.catalog import list_editions
        from storage.reader import open_reader

        for record in list_editions(self.settings.storage_dir):
            if record.edition != self.reader.record.edition and not record.sample:
                yield Names(record, open_reader(self.settings, record.edition).names())


def open_session(
    *,
    edition: str | None,
    sample: bool,
    model: str | None,
    trace: bool,
    options: Mapping[str, str] | None = None,
    **changes: Any,
) -> Session:
    """Everything in place to ask; `changes` are settings that the command line gave by these `options`.

    The model first: a wrong name should not cost a build of the store.
    """
    from agent.models import load_model
    from storage.embedder import check_embedder, load_embedder
    from storage.settings import changed, load_settings

    if sample and edition not in (None, SAMPLE):
        raise InputError(f"--sample asks the edition {SAMPLE}: leave out --edition, or leave out --sample")
    for flag, value in (("--edition", edition), ("--model", model)):
        if value is not None and not value.strip():
            raise InputError(f"{flag} is empty: name one, or leave out {flag}")
    settings = changed(load_settings(), changes, said=options)
    chat = load_model(settings, model)
    reader = open_edition(settings, edition=SAMPLE if sample else edition)
    if reader.record.sample and not (sample or edition or settings.edition):
        sys.stderr.write(ONLY_SAMPLE)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    return Session(reader, embedder, chat, settings, tell if trace else silent)


def reopen(
    session: Session, *, edition: str | None = None, model: str | None = None, **changes: Any
) -> Session:
    """The same session with another edition, model or limit. What does not change is not loaded again.

    Raises what `open_session` raises; then the session goes on as it was.
    """
    from agent.models import load_model
    from storage.embedder import check_embedder
    from storage.reader import open_reader
    from storage.settings import changed

    settings = changed(session.settings, changes, said=COMMANDS)
    chat = load_model(settings, model) if model else session.model
    reader = open_reader(settings, edition) if edition else session.reader
    check_embedder(reader.record, session.embedder)
    return replace(session, reader=reader, model=chat, settings=settings)


def open_edition(
    settings: "Settings", *, edition: str | None, build: Callable[..., None] = build_store
) -> "LanceReader":
    """The edition's reader. An empty store is built first, and so is a sample that is missing.

    Raises UnknownEditionError for an edition that a build would not make: only the newest one and the sample
    are known where to get.
    """
    from storage.reader import open_reader

    try:
        return open_reader(settings, edition)
    except NoStoreError:
        wanted = edition or settings.edition
        if wanted and wanted != SAMPLE and not means_newest(wanted):
            raise UnknownEditionError(_not_there(wanted)) from None
        build(sample=wanted == SAMPLE)
    except UnknownEditionError:
        if edition != SAMPLE:
            raise
        build(sample=True)
    return open_reader(settings, edition)


def _not_there(edition: str) -> str:
    name = canonical_edition(edition)
    return (
        f"edition {name} is not there: nothing was ingested yet;"
        f" to add it: python -m setup.ingest SOURCE --edition {name}"
    )


def tell(event: Event) -> None:
    """One event as a line on standard error."""
    sys.stderr.write(f"{_SIGNS[event.kind]} {one_line(event.text)}\n")
