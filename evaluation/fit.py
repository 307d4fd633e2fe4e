"""How much each search should count: weights tried one by one, and the best ones checked on unseen chapters.

    python -m evaluation fit --questions FILE... [--context FILE...] [--edition NAME] [--limit N]

The questions are asked once; after that only sums are made anew. What is raised is the mean, over the files,
of hit@10, reciprocal rank (both with the sections that are also right) and recall of all gold sections. For
the check the chapters are dealt into folds: weights are chosen without a fold's questions and judged on them.
A choice that is not better there than what is in `tools.weights` was luck.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from evaluation.measures import measured
from evaluation.questions import Question, read_questions
from storage.errors import InputError
from storage.model import Level, Unit
from storage.reading import Place
from tools.clean import QUERY_LIMIT
from tools.fusion import best_first
from tools.gathering import Gathered, gather
from tools.ranking import weighted
from tools.weights import WEIGHTS, Weights

FOLDS, ROUNDS, SEED = 5, 2, 262
FACTORS = (0.0, 0.5, 0.75, 1.5, 2.0)
"""What a weight is multiplied with: a coarse net, since anything finer would fit single questions."""
RAISED = ("also_ok_hit@10", "also_ok_mrr", "recall@10")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with everything that its score is made of, but the weights."""

    question: Question
    dataset: str
    chapter: str
    gathered: Gathered


class Sections:
    """The sections of an edition in memory: following references then reads nothing."""

    def __init__(
        self, units: Sequence[Unit], referrers: Mapping[str, int], outline: Mapping[str, Place]
    ) -> None:
        self._units = {unit.unitid: unit for unit in units}
        self._referrers = referrers
        self._outline = outline

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        """The sections of these ids."""
        return [self._units[one] for one in ids if one in self._units]

    def referrers(self) -> Mapping[str, int]:
        """How many sections refer to each."""
        return self._referrers

    def outline(self) -> Mapping[str, Place]:
        """What each section is."""
        return self._outline


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument("--context", nargs="+", default=[], type=Path, metavar="FILE", help="with context")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--limit", type=int, default=300, metavar="N", help="of each file (default 300)")


def run(arguments: argparse.Namespace) -> int:
    """Ask the questions, try weights, print what came of it."""
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings

    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    told = reader.matching({"level": Level.SECTION.value})
    sections = Sections(told, reader.referrers(), reader.outline())
    chapters = {unit.unitid: unit.chapter for unit in told}
    files = [(path, False) for path in arguments.questions] + [(path, True) for path in arguments.context]
    asked = [
        Asked(
            question,
            dataset,
            chapters.get(question.gold[0], ""),
            gather(question.asked(with_context=with_context)[:QUERY_LIMIT], reader, embedder, where=None),
        )
        for path, with_context in files
        for dataset, question in _sampled(path, arguments.limit, with_context=with_context)
    ]
    if not asked:
        raise InputError("The files have no question with gold sections: there is nothing to fit.")
    sys.stdout.write("\n".join(_told(Trial(asked, sections))) + "\n")
    return 0


class Trial:
    """Questions judged under any weights; the same weights are judged once."""

    def __init__(self, asked: Sequence[Asked], sections: Sections) -> None:
        self.asked = asked
        self._sections = sections
        self._known: dict[Weights, list[float]] = {}

    def values(self, weights: Weights) -> list[float]:
        """What is raised, question by question."""
        if weights not in self._known:
            self._known[weights] = [self._value(one, weights) for one in self.asked]
        return self._known[weights]

    def mean(self, weights: Weights, among: Sequence[int]) -> float:
        """The mean over files of the mean over their questions, of those whose places are given."""
        values = self.values(weights)
        files: dict[str, list[float]] = {}
        for place in among:
            files.setdefault(self.asked[place].dataset, []).append(values[place])
        return sum(sum(held) / len(held) for held in files.values()) / len(files)

    def best(self, among: Sequence[int], start: Weights = WEIGHTS) -> Weights:
        """From `start`, weight by weight, whatever raises the mean most; a few rounds."""
        best = start
        for _ in range(ROUNDS):
            before = best
            for name in _names():
                tried = [best, *(candidate for _, candidate in changed(best, name))]
                best = max(tried, key=lambda weights: self.mean(weights, among))
            if best == before:
                break
        return best

    def _value(self, one: Asked, weights: Weights) -> float:
        share = (weights.vectors, weights.sections, weights.blocks, weights.glossary)
        # Without words of the glossary there is no fourth search.
        made = zip(one.gathered.searches, share, strict=False)
        searches = tuple(replace(search, weight=weight) for search, weight in made)
        gathered = replace(one.gathered, searches=searches)
        scores = weighted(gathered, self._sections, where=None, weights=weights)
        worth = measured(best_first(scores), one.question.gold, one.question.also_ok)
        return sum(worth[name] for name in RAISED) / len(RAISED)


def changed(weights: Weights, name: str) -> Iterator[tuple[float, Weights]]:
    """The weights with one of them multiplied by each factor."""
    for factor in FACTORS:
        yield factor, replace(weights, **{name: getattr(weights, name) * factor})


def folds(chapters: Sequence[str]) -> list[list[int]]:
    """The places of the questions, dealt by chapter: no chapter is in two folds."""
    order = sorted(set(chapters))
    random.Random(SEED).shuffle(order)  # noqa: S311 - dealing, no secret
    dealt = {chapter: number % FOLDS for number, chapter in enumerate(order)}
    out: list[list[int]] = [[] for _ in range(FOLDS)]
    for place, chapter in enumerate(chapters):
        out[dealt[chapter]].append(place)
    return [fold for fold in out if fold]


def _told(trial: Trial) -> Iterator[str]:
    everything = list(range(len(trial.asked)))
    now = trial.mean(WEIGHTS, everything)
    yield f"{len(everything)} questions; now {now:.4f} with {WEIGHTS}"
    for name in _names():
        gains = [
            f"x{factor:g} {trial.mean(candidate, everything) - now:+.4f}"
            for factor, candidate in changed(WEIGHTS, name)
        ]
        yield f"  {name:12}" + "  ".join(gains)
    chosen = trial.best(everything)
    yield f"best on all {trial.mean(chosen, everything):.4f} with {chosen}"
    unseen: list[tuple[float, float]] = []
    for fold in folds([one.chapter for one in trial.asked]):
        held_out = set(fold)
        picked = trial.best([place for place in everything if place not in held_out])
        unseen.append((trial.mean(picked, fold), trial.mean(WEIGHTS, fold)))
        yield f"  unseen fold of {len(fold)}: chosen without it {unseen[-1][0]:.4f}, now {unseen[-1][1]:.4f}"
    chosen_mean, now_mean = (sum(side) / len(unseen) for side in zip(*unseen, strict=True))
    yield f"on unseen chapters: chosen {chosen_mean:.4f}, now {now_mean:.4f}"


def _names() -> list[str]:
    return [field.name for field in fields(Weights)]


def _sampled(path: Path, limit: int, *, with_context: bool) -> Iterator[tuple[str, Question]]:
    """The answerable questions of a file, evenly spread over it."""
    answerable = [question for question in read_questions(path) if question.gold]
    step = max(1, len(answerable) // max(1, limit))
    name = f"{path.stem} with context" if with_context else path.stem
    return ((name, question) for question in answerable[::step][:limit])
