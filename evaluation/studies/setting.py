"""What every study works with: an edition in memory and in the store, and the questions it is asked.

Opened once for all studies of a run. Questions people asked come from files; those with a known target are
made from the edition.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.questions import Question, read_questions
from evaluation.studies.corpus import Corpus, HeldLibrary, load
from evaluation.synthetic import Maker, Stratum, Synthetic
from storage.reader import LanceReader
from storage.settings import Settings
from tools.clean import QUERY_LIMIT
from tools.ports import TextEmbedder

SAMPLED = 200
"""Questions of a long file, evenly spread over it: enough for intervals of about .06."""
EACH = 300
"""Questions of each stratum."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is searched for."""

    question: Question
    query: str


class Setting:
    """One edition with its questions."""

    def __init__(
        self,
        settings: Settings,
        reader: LanceReader,
        embedder: TextEmbedder,
        *,
        files: Sequence[Path],
        each: int = EACH,
        sampled: int = SAMPLED,
    ) -> None:
        self.settings, self.reader, self.embedder = settings, reader, Remembering(embedder)
        self.files, self.each, self.sampled = files, each, sampled

    @functools.cached_property
    def corpus(self) -> Corpus:
        """The edition in memory."""
        return load(self.reader)

    @functools.cached_property
    def library(self) -> HeldLibrary:
        """The store's searches, each made once."""
        return HeldLibrary(self.reader, self.embedder, self.corpus)

    @functools.cached_property
    def strata(self) -> Mapping[Stratum, list[Synthetic]]:
        """The questions with a known target; none in an edition that has no such targets."""
        maker = Maker(self.corpus)
        return {stratum: maker.questions(stratum, self.each) for stratum in Stratum}

    @functools.cached_property
    def datasets(self) -> Mapping[str, list[Asked]]:
        """The answerable questions of each file; once more with their context, where they have one."""
        out: dict[str, list[Asked]] = {}
        for path in self.files:
            questions = _spread([one for one in read_questions(path) if one.gold], self.sampled)
            for with_context in (False, True):
                if with_context and not any(one.context for one in questions):
                    continue
                name = f"{path.stem}, with context" if with_context else path.stem
                out[name] = [
                    Asked(one, one.asked(with_context=with_context)[:QUERY_LIMIT]) for one in questions
                ]
        return out


class Remembering:
    """An embedder that embeds each query once."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[str, list[float]] = {}

    def embed_query(self, text: str, /) -> list[float]:
        """The query's vector."""
        if text not in self._known:
            self._known[text] = self._embedder.embed_query(text)
        return self._known[text]

    def embed_documents(self, texts: list[str], /) -> list[list[float]]:
        """Vectors of texts, not remembered."""
        return self._embedder.embed_documents(texts)


def _spread(questions: Sequence[Question], most: int) -> list[Question]:
    step = max(1, len(questions) // most)
    return list(questions[::step][:most])
