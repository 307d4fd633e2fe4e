"""The measurements of one contestant over one file of questions: values a question, means, times. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.bootstrap import difference, interval
from evaluation.measures import means, measured, percentile, quoted
from evaluation.outcome import Outcome
from evaluation.questions import Question

COMPARED = ("hit@10", "recall@10", "mrr", "ndcg@10")
"""Measures with intervals: those that the targets are set in, and the one that looks at every place."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question, what was found, how good it is and how long it took."""

    question: Question
    outcome: Outcome
    values: dict[str, float]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """One contestant on one file of questions."""

    strategy: str
    dataset: str
    answered: tuple[Answered, ...]
    unanswerable: int
    build_seconds: float | None = None
    embedded: int | None = None

    def column(self, name: str) -> list[float]:
        """One measure, question by question."""
        return [one.values[name] for one in self.answered]

    @property
    def raised(self) -> Counter[str]:
        """What the contestant raised instead of an answer, and on how many questions."""
        packets = [one.outcome.packet for one in self.answered]
        return Counter(packet["raised"] for packet in packets if "raised" in packet)


def judged(question: Question, outcome: Outcome) -> dict[str, float]:
    """The measures of one outcome; `quoted` only where there is something to quote."""
    values = measured(outcome.ranked, question.gold, question.also_ok)
    if question.must_quote:
        values["quoted"] = quoted(outcome.texts, question.must_quote)
    return {**values, "characters": float(outcome.packet["characters"])}


def metrics(one: Run) -> dict[str, float]:
    """The means of a run, its times, and what it took to build."""
    times = [answered.milliseconds for answered in one.answered]
    packets = [answered.outcome.packet for answered in one.answered]
    calls = [float(packet["calls"]) for packet in packets if "calls" in packet]
    return {
        **means([answered.values for answered in one.answered]),
        **({"calls": sum(calls) / len(calls)} if calls else {}),
        "ms_median": percentile(times, 0.5),
        "ms_p95": percentile(times, 0.95),
        **({"raised": float(one.raised.total())} if one.raised else {}),
        **({} if one.build_seconds is None else {"build_seconds": one.build_seconds}),
        **({} if one.embedded is None else {"embedded": float(one.embedded)}),
    }


def intervals(one: Run) -> dict[str, list[float]]:
    """Of the compared measures' means."""
    return {name: list(interval(one.column(name))) for name in COMPARED}


def differences(runs: Sequence[Run]) -> list[dict[str, str | float]]:
    """The first run of each dataset minus each other one, question by question, with intervals."""
    out: list[dict[str, str | float]] = []
    for dataset, (first, *others) in by_dataset(runs).items():
        for other in others:
            for name in COMPARED:
                gap, low, high = difference(first.column(name), other.column(name))
                pair = {"dataset": dataset, "strategy": first.strategy, "other": other.strategy}
                out.append({**pair, "measure": name, "difference": gap, "low": low, "high": high})
    return out


def by_dataset(runs: Sequence[Run]) -> Mapping[str, list[Run]]:
    """The runs over each file."""
    out: dict[str, list[Run]] = {}
    for one in runs:
        out.setdefault(one.dataset, []).append(one)
    return out


def kind(question: Question) -> str:
    """What sort of passage answers it."""
    return question.kind


def hops(question: Question) -> str:
    """How many passages the answer takes."""
    return question.hops


def grouped(one: Run, group: Callable[[Question], str]) -> dict[str, dict[str, float]]:
    """The means of each group of questions, and how many it has; questions without a group are left out."""
    rows: dict[str, list[dict[str, float]]] = {}
    for answered in one.answered:
        if name := group(answered.question):
            rows.setdefault(name, []).append(answered.values)
    return {name: {"questions": float(len(held)), **means(held)} for name, held in sorted(rows.items())}
