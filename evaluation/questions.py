"""Files of questions, JSON lines: an id, a question, the sections that answer it. Reads; judges nothing."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.errors import InputError

SEED = 262
"""Of the choice of questions."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known about its answer."""

    id: str
    question: str
    gold: tuple[str, ...]
    """The sections that answer it; empty where the specification does not."""
    also_ok: tuple[str, ...] = ()
    """Sections that an answer may as well be read from."""
    must_quote: tuple[str, ...] = ()
    context: str = ""
    """Where the question was asked, for files in which it does not say what it is about."""
    kind: str = ""
    hops: str = ""

    def asked(self, *, with_context: bool) -> str:
        """What is searched for."""
        return f"{self.context} {self.question}".strip() if with_context else self.question


def read_questions(path: Path, *, limit: int | None = None) -> list[Question]:
    """The questions of a file, in order. Raises InputError with the line that cannot be used."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The questions in {path} cannot be read: {error}.") from error
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    return [_question(line, f"{path}:{number}") for number, line in numbered[:limit]]


def by_name(paths: Sequence[Path]) -> dict[str, Path]:
    """Files by the names of their datasets: the file's own, with its folder's where two have the same.

    Raises InputError for a file that is named twice.
    """
    stems = [path.stem for path in paths]
    names = [
        path.stem if stems.count(path.stem) == 1 else f"{path.resolve().parent.name}/{path.stem}"
        for path in paths
    ]
    if twice := [path for path, name in zip(paths, names, strict=True) if names.count(name) > 1]:
        raise InputError(f"The questions in {twice[0]} are named twice; name each file once.")
    return dict(zip(names, paths, strict=True))


def sampled(questions: Sequence[Question], count: int) -> list[Question]:
    """At most `count` of the questions that have an answer, in order: the same ones in every run."""
    places = [place for place, question in enumerate(questions) if question.gold]
    chosen = random.Random(SEED).sample(places, min(count, len(places)))  # noqa: S311 - no secret
    return [questions[place] for place in sorted(chosen)]


def _question(line: str, where: str) -> Question:
    try:
        row = json.loads(line)
        return _from_row(row)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{where} is no question: a line is a JSON object with `id`, `question` and `gold`."
        ) from error


def _from_row(row: Mapping[str, Any]) -> Question:
    lists = [row["gold"], row.get("also_ok", []), row.get("must_quote", [])]
    # A lone id would be taken for a list of its letters.
    if not isinstance(row["question"], str) or not all(isinstance(one, list) for one in lists):
        raise TypeError
    return Question(
        id=str(row["id"]),
        question=str(row["question"]),
        gold=tuple(map(str, row["gold"])),
        also_ok=tuple(map(str, row.get("also_ok", ()))),
        must_quote=tuple(map(str, row.get("must_quote", ()))),
        context=str(row.get("context", "")),
        kind=str(row.get("kind", "")),
        hops=str(row.get("hops", "")),
    )
