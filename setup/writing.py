"""Has a chat model write short texts for an index, and keeps what it wrote; opens no store of units.

A text is asked for once: answers stand in a file of lines in the storage folder, by model and prompt, so that
a run that was stopped goes on where it was. The folder's file holds nothing that cannot be written again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from storage.embedder import one_line
from storage.errors import ModelError, StoreError
from storage.identity import identity_digest
from storage.prompts import PROMPTS

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from storage.progress import Progress
    from storage.settings import Settings

FILE_NAME = "written.jsonl"
"""In the storage folder."""

BATCH = 16
"""Prompts sent between two notes in the file: what a stopped run loses."""

AT_ONCE = 4
"""Requests in flight: what a local server and the smallest plan of a provider both take."""

LONGEST = 800
"""Characters kept of an answer: a model that talks on would drown the text that it stands in front of."""


class Writer(Protocol):
    """Answers prompts."""

    @property
    def name(self) -> str: ...
    def write(self, prompts: Sequence[str], /) -> list[str]: ...


class ModelWriter:
    """A chat model of LangChain's as a writer."""

    def __init__(self, model: "BaseChatModel", *, name: str) -> None:
        self._model = model
        self.name = name

    def write(self, prompts: Sequence[str], /) -> list[str]:
        """An answer a prompt. Raises ModelError with what the model's client says."""
        try:
            answers = self._model.batch(list(prompts), config={"max_concurrency": AT_ONCE})
        except Exception as error:  # each provider's client has exceptions of its own
            raise ModelError(
                f"the model {self.name} failed ({one_line(error)}); what it wrote is kept: run the same "
                "command again to go on, or leave out `model`"
            ) from error
        return [str(answer.text) for answer in answers]


class Scribe:
    """A writer, what it wrote before, and the file that it is added to; StoreError where that cannot be."""

    def __init__(self, writer: Writer, folder: Path) -> None:
        self.name = writer.name
        self._writer = writer
        self._path = folder / FILE_NAME
        self._held: dict[str, str] = {}
        for line in self._lines():
            try:
                entry = json.loads(line)
                self._held[str(entry["key"])] = str(entry["text"])
            except (ValueError, KeyError, TypeError, RecursionError):
                continue  # the last line of a run that was killed

    def texts(self, prompts: Sequence[str], *, stage: str, progress: "Progress") -> list[str]:
        """A text for each prompt: one line of at most `LONGEST` characters."""
        keys = [identity_digest(self.name, prompt) for prompt in prompts]
        missing = {key: prompt for key, prompt in zip(keys, prompts, strict=True) if key not in self._held}
        asked = list(missing.items())
        for at in range(0, len(asked), BATCH):
            part = asked[at : at + BATCH]
            answers = self._writer.write([prompt for _, prompt in part])
            self._keep({key: _told(text) for (key, _), text in zip(part, answers, strict=True)})
            progress(stage, at + len(part), len(asked))
        return [self._held[key] for key in keys]

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{self._path} cannot be read ({one_line(error)}): delete it") from error

    def _keep(self, texts: dict[str, str]) -> None:
        lines = "".join(json.dumps({"key": key, "text": text}) + "\n" for key, text in texts.items())
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(lines)
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written ({one_line(error)}): free space, or set ASK262_STORAGE_DIR"
            ) from error
        self._held |= texts


def configured_writer(settings: "Settings") -> Writer:
    """The chat model that the settings name. Raises ModelError where there is none, or none can be had."""
    from storage.chat import configured_chat

    return ModelWriter(configured_chat(settings, wanted_by="`model`"), name=str(settings.model))


def prompt_digest() -> str:
    """SHA-256 over the prompts: other words, other answers."""
    return identity_digest(
        *(path.read_text(encoding="utf-8") for path in sorted((PROMPTS / "ingest").glob("*.md")))
    )


def _told(answer: str) -> str:
    """One line without control characters: it is searched and stored, whatever the model sent."""
    line = " ".join("".join(" " if not one.isprintable() else one for one in answer).split())
    return line[:LONGEST]
