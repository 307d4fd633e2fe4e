"""What an ingest generates beside the specification's text, on request: summaries and contexts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storage.generated import NOTHING, Generated

if TYPE_CHECKING:
    from setup.writing import Scribe
    from storage.model import BuiltEdition
    from storage.progress import Progress
    from storage.settings import Settings

MODEL = "model"
SUMMARY_WAYS = ("extractive", MODEL)
CONTEXT_WAYS = ("headings", MODEL)
"""How a text may be made: the first costs its embedding alone, `model` asks the configured chat model."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which texts, and how they are made; None for none."""

    summaries: str | None = None
    contexts: str | None = None

    @property
    def by_model(self) -> bool:
        """Whether a chat model is needed."""
        return MODEL in (self.summaries, self.contexts)


def way(ways: tuple[str, ...], option: str) -> Callable[[str], str]:
    """Reads an option's value, for argparse; says what to do where SOURCE was taken for one."""
    import argparse

    def read(value: str) -> str:
        if value in ways:
            return value
        raise argparse.ArgumentTypeError(
            f"{value!r} is neither {ways[0]} nor {ways[1]}; put SOURCE before {option}"
        )

    return read


def made_by(asked: Asked, settings: "Settings") -> tuple[object, ...]:
    """What the generated texts depend on, besides the edition and the program."""
    if asked == Asked():
        return ()
    if not asked.by_model:
        return asked.summaries, asked.contexts
    from setup.writing import prompt_digest

    return asked.summaries, asked.contexts, settings.model, settings.base_url, prompt_digest()


def generate(built: "BuiltEdition", asked: Asked, settings: "Settings", progress: "Progress") -> Generated:
    """The texts that were asked for. Raises ModelError where a model is needed and cannot be had."""
    if asked == Asked():
        return NOTHING
    from setup.contexts import contextualise
    from setup.summaries import summarise

    scribe = _scribe(settings) if asked.by_model else None
    summaries = contexts = None
    if asked.summaries:
        by = scribe if asked.summaries == MODEL else None
        summaries = summarise(built, scribe=by, progress=progress)
    if asked.contexts:
        by = scribe if asked.contexts == MODEL else None
        contexts = contextualise(built, scribe=by, progress=progress)
    return Generated(summaries, contexts)


def _scribe(settings: "Settings") -> "Scribe":
    from setup.writing import Scribe, configured_writer

    return Scribe(configured_writer(settings), settings.storage_dir)
