"""The offline model's thresholds: others tried one by one, and the choice checked on unseen questions.

    python -m evaluation fit-offline --questions FILE... [--context FILE...] [--limit N] [--rounds N]
        [--part read|quoted]...

Two parts, each with a worth that it raises, the mean over files of the mean over their questions:

* `quoted`: what is quoted, and whether anything is, from evidence gathered once with the thresholds in use.
  Of an answerable question that a gold section is cited, that what has to be quoted is, and half of how many
  citations are right; of one without an answer that it is refused.
* `read`: what is read, under the limits of calls and characters in use; each try asks the store again. That a
  gold section is read, and that all are.

For the check the questions are dealt into folds: thresholds are chosen without a fold and judged on it. A
choice that is not better there than what is in use was luck.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.offline_compose import answer
from agent.offline_evidence import Evidence
from agent.offline_question import Question as Understood
from agent.offline_question import understand
from agent.offline_thresholds import THRESHOLDS, Thresholds
from evaluation.answer_measures import worth
from evaluation.questions import Question, read_questions
from evaluation.replay import Replay
from storage.errors import InputError

FOLDS, SEED = 5, 262
FITTED: Mapping[str, tuple[float, ...]] = {
    "section": (6.0, 9.0, 12.0),
    "shown_first": (2.0, 5.0, 8.0),
    "cue": (0.0, 1.0, 2.0),
    "titled": (0.4, 0.6, 0.8),
    "length": (0.15, 0.3, 0.45),
    "repeated": (0.1, 0.2, 0.4),
    "same_section": (0.4, 1.0, 2.0),
    "near": (0.4, 0.55, 0.7),
    "together_at_home": (0.08, 0.12, 0.2),
    "together_near_home": (0.2, 0.3, 0.4),
    "together": (0.35, 0.45, 0.55),
    "stands": (0.5, 0.6, 0.7),
}
"""What is tried: a coarse net, since anything finer would fit single questions. How much may be read and
quoted is not fitted: more would always cover more."""
FITTED_READING: Mapping[str, tuple[float, ...]] = {
    "worth": (0.3, 0.4, 0.5),
    "called": (0.2, 0.4, 0.6),
    "name": (0.2, 0.4, 0.6),
    "handed": (0.3, 0.5, 0.7),
    "child": (0.4, 0.6, 0.8),
    "defined": (0.5, 0.7, 0.9),
}
"""The same for what is read first, as long as calls are left."""


PARTS = ("read", "quoted")


@dataclass(frozen=True, slots=True)
class Text:
    """A question as it is asked."""

    question: Question
    dataset: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the evidence that the model had for it."""

    question: Question
    understood: Understood
    evidence: Evidence
    read: frozenset[str | None]
    clauses: Mapping[str, str]
    """The section of every id that a passage has."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument("--context", nargs="+", default=[], type=Path, metavar="FILE", help="with context")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="of each file (default 100)")
    parser.add_argument("--part", action="append", choices=PARTS, help="repeatable (default: both)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="over all thresholds (default 1)")


def run(arguments: argparse.Namespace) -> int:
    """Gather the evidence, try thresholds, print what came of it."""
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.toolbox import Toolbox

    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    replay = Replay(
        Toolbox(reader, embedder), calls=settings.max_calls, characters=settings.budget_characters
    )
    files = [(path, False) for path in arguments.questions] + [(path, True) for path in arguments.context]
    texts = [
        Text(question, path.stem, question.asked(with_context=with_context))
        for path, with_context in files
        for question in _sampled(path, arguments.limit)
    ]
    if len(texts) < FOLDS:
        raise InputError(f"The files have {len(texts)} questions; {FOLDS} folds need at least {FOLDS}.")
    for part in arguments.part or PARTS:
        trial = quoting(texts, replay) if part == "quoted" else reading(texts, replay)
        sys.stdout.write(f"{part}:\n")
        sys.stdout.writelines(f"{line}\n" for line in _told(trial, rounds=arguments.rounds))
    return 0


def _sampled(path: Path, limit: int) -> list[Question]:
    """Evenly spread over the file."""
    questions = read_questions(path)
    step = max(1, len(questions) // max(1, limit))
    return questions[::step][:limit]


def quoting(texts: Sequence[Text], replay: Replay) -> "Trial":
    """What is quoted from the evidence that the thresholds in use give."""
    asked = [_asked(replay, one) for one in texts]
    return Trial([one.dataset for one in texts], lambda place, by: _value(asked[place], by), FITTED)


def reading(texts: Sequence[Text], replay: Replay) -> "Trial":
    """What is read, of the questions that have an answer."""
    answerable = [one for one in texts if one.question.gold]

    def value(place: int, by: Thresholds) -> float:
        one = answerable[place]
        values = worth(one.question, [], read=_read(replay.evidence(one.text, by)))
        return (values["gold_read"] + values["all_gold_read"]) / 2

    return Trial([one.dataset for one in answerable], value, FITTED_READING)


def _asked(replay: Replay, one: Text) -> Asked:
    evidence = replay.evidence(one.text)
    clauses = {passage.sectionid: passage.clauseid for passage in evidence.passages}
    return Asked(one.question, understand(one.text), evidence, _read(evidence), clauses)


def _read(evidence: Evidence) -> frozenset[str | None]:
    """The sections that were read, those of pieces too."""
    clauses = {passage.sectionid: passage.clauseid for passage in evidence.passages}
    return frozenset(clauses.get(sectionid, sectionid) for sectionid in evidence.read)


class Trial:
    """Questions judged under any thresholds; the same thresholds are judged once.

    `value` is the worth of the question at a place under some thresholds, `tried` the values of each.
    """

    def __init__(
        self,
        datasets: Sequence[str],
        value: Callable[[int, Thresholds], float],
        tried: Mapping[str, Sequence[float]],
    ) -> None:
        self.datasets = datasets
        self.tried = tried
        self._value = value
        self._known: dict[Thresholds, list[float]] = {}

    def mean(self, by: Thresholds, among: Sequence[int]) -> float:
        """The mean over files of the mean over their questions, of those whose places are given."""
        if by not in self._known:
            self._known[by] = [self._value(place, by) for place in range(len(self.datasets))]
        files: dict[str, list[float]] = {}
        for place in among:
            files.setdefault(self.datasets[place], []).append(self._known[by][place])
        return sum(sum(held) / len(held) for held in files.values()) / len(files)

    def best(self, among: Sequence[int], *, rounds: int) -> Thresholds:
        """From those in use, one after the other, whatever raises the mean most."""
        best = THRESHOLDS
        for _ in range(rounds):
            for name, values in self.tried.items():
                tries: list[Thresholds] = [replace(best, **{name: value}) for value in values]  # type: ignore[arg-type]
                best = max([best, *tries], key=lambda by: self.mean(by, among))
        return best


def folds(count: int) -> list[list[int]]:
    """The places of so many questions, dealt by chance."""
    order = list(range(count))
    random.Random(SEED).shuffle(order)  # noqa: S311 - dealing, no secret
    return [sorted(order[first::FOLDS]) for first in range(FOLDS)]


def _value(one: Asked, by: Thresholds) -> float:
    claims = answer(one.evidence, one.understood, by).claims
    if not one.question.gold:
        return float(not claims)
    cited = [
        {"sectionid": one.clauses.get(citation.sectionid, citation.sectionid), "quote": citation.quote}
        for claim in claims
        for citation in claim.citations
    ]
    values = worth(one.question, cited, read=one.read)
    parts = [values["gold_cited"], 0.5 * values.get("citations_right", 0.0)]
    parts += [values["quoted"]] if "quoted" in values else []
    return sum(parts) / (len(parts) - 0.5)


def _told(trial: Trial, *, rounds: int) -> Iterator[str]:
    everything = list(range(len(trial.datasets)))
    yield f"{len(everything)} questions; now {trial.mean(THRESHOLDS, everything):.4f}"
    chosen = trial.best(everything, rounds=rounds)
    yield f"best on all {trial.mean(chosen, everything):.4f} with {_differences(chosen, trial.tried)}"
    sides: list[tuple[float, float, float]] = []
    for fold in folds(len(everything)):
        seen = [place for place in everything if place not in set(fold)]
        picked = trial.best(seen, rounds=rounds)
        inside, outside = trial.mean(picked, seen), trial.mean(picked, fold)
        sides.append((inside, outside, trial.mean(THRESHOLDS, fold)))
        yield f"  a fold of {len(fold)}: in {inside:.4f}, out {outside:.4f}, now {sides[-1][2]:.4f}"
    inside, outside, now = (sum(side) / len(sides) for side in zip(*sides, strict=True))
    yield f"chosen: on seen questions {inside:.4f}, on unseen ones {outside:.4f}; those in use {now:.4f}"


def _differences(by: Thresholds, tried: Iterable[str]) -> str:
    told = [
        f"{name} {getattr(by, name):g}" for name in tried if getattr(by, name) != getattr(THRESHOLDS, name)
    ]
    return ", ".join(told) or "those in use"
