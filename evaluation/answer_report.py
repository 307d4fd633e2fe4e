"""Runs of questions as tables, as JSON with every answer, and as figures alone. Pure.

Groups: all questions, those with one hop, those with several, and each kind. Means have intervals by
resampling questions; where two arms are compared, both are judged on the same resampled questions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.answer_measures import COSTS, COUNTS, MEASURES, Judged, refusals
from evaluation.bootstrap import difference, interval
from evaluation.measures import means

ANSWERS = "ask262/answers/1"
COMPARED = ("gold_cited", "all_gold_cited", "quoted", "all_quoted", "citations_right")
"""What two arms are compared in: all that does not depend on having fetched."""

Wanted = Callable[[Judged], bool]


@dataclass(frozen=True, slots=True)
class Run:
    """One arm over one file of questions."""

    arm: str
    dataset: str
    judged: tuple[Judged, ...]


def together(runs: Sequence[Run]) -> list[Run]:
    """Each arm over all files, where there are several: what is refused is judged over all of them."""
    if len({run.dataset for run in runs}) < 2:
        return []
    arms = dict.fromkeys(run.arm for run in runs)
    return [
        Run(arm, "together", tuple(one for run in runs if run.arm == arm for one in run.judged))
        for arm in arms
    ]


def groups(run: Run) -> dict[str, list[Judged]]:
    """The questions of a run by group, `all` first; a group that would repeat `all` is left out."""
    wanted: dict[str, Wanted] = {
        "one hop": lambda one: one.question.hops == "1",
        "several hops": lambda one: one.question.hops not in ("", "0", "1"),
    }
    kinds = dict.fromkeys(one.question.kind for one in run.judged if one.question.kind)
    out = {"all": list(run.judged)}
    for name, wants in wanted.items():
        out[name] = [one for one in run.judged if wants(one)]
    for kind in kinds:
        out[kind] = [one for one in run.judged if one.question.kind == kind]
    return {
        name: held for name, held in out.items() if held and (name == "all" or len(held) < len(out["all"]))
    }


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Means, sums and refusals of some questions."""
    found = means([one.values for one in judged])
    return {
        **{name: found[name] for name in (*MEASURES, *COSTS) if name in found},
        **{name: sum(one.values.get(name, 0.0) for one in judged) for name in COUNTS},
        **refusals(judged),
    }


def intervals(judged: Sequence[Judged]) -> dict[str, tuple[float, float]]:
    """The interval of each mean."""
    columns = {name: [one.values[name] for one in judged if name in one.values] for name in MEASURES}
    return {name: interval(values) for name, values in columns.items() if values}


@dataclass(frozen=True, slots=True)
class Gap:
    """How much better one arm is than another in a measure, with its interval."""

    group: str
    measure: str
    other: str
    questions: int
    difference: float
    low: float
    high: float


def gaps(run: Run, other: Run) -> Iterator[Gap]:
    """The run minus the other, over the questions that both have a value for."""
    pairs = {one.question.id: one for one in other.judged}
    for group, judged in groups(run).items():
        for name in COMPARED:
            both = [
                (one.values[name], pairs[one.question.id].values[name])
                for one in judged
                if name in one.values and name in pairs[one.question.id].values
            ]
            if both:
                ours, theirs = zip(*both, strict=True)
                yield Gap(group, name, other.arm, len(both), *difference(ours, theirs))


def compared(runs: Sequence[Run]) -> list[tuple[Run, Run]]:
    """The agent with every other arm on the same file; without it the first arm."""
    out = []
    for dataset in dict.fromkeys(run.dataset for run in runs):
        held = [run for run in runs if run.dataset == dataset]
        first = next((run for run in held if run.arm == "agent"), held[0])
        out += [(first, run) for run in held if run is not first]
    return out


def table(runs: Sequence[Run]) -> str:
    """For people: a block for each file, arm and group, then the differences that their intervals support."""
    lines: list[str] = []
    for run in runs:
        for group, judged in groups(run).items():
            lines.append(f"{run.dataset}, {run.arm}, {group}: {len(judged)} questions")
            lines += [f"  {line}" for line in _shown(judged)]
    for run, other in compared(runs):
        lines += [_told(run, gap) for gap in gaps(run, other) if gap.group in ("all", "several hops")]
    return "\n".join(lines) + "\n"


def _shown(judged: Sequence[Judged]) -> Iterator[str]:
    found, between = figures(judged), intervals(judged)
    for name, value in found.items():
        low, high = between.get(name, (value, value))
        yield f"{name:20}{value:10.3f}" + (f"   {low:.3f} to {high:.3f}" if name in between else "")


def _told(run: Run, gap: Gap) -> str:
    supported = "" if gap.low <= 0 <= gap.high else "  *"
    return (
        f"{run.dataset}, {gap.group}: {run.arm} - {gap.other}, {gap.measure} {gap.difference:+.3f}"
        f" ({gap.low:+.3f} to {gap.high:+.3f}, {gap.questions} questions){supported}"
    )


def summary(head: Mapping[str, Any], runs: Sequence[Run]) -> dict[str, Any]:
    """Figures alone: a row for each file, arm and group, and the differences."""
    return {
        **head,
        "rows": [
            {
                "dataset": run.dataset,
                "arm": run.arm,
                "group": group,
                "questions": len(judged),
                "answerable": sum(bool(one.question.gold) for one in judged),
                "metrics": figures(judged),
                "intervals": intervals(judged),
            }
            for run in runs
            for group, judged in groups(run).items()
        ],
        "differences": [
            _row(run, gap)
            for run, other in compared(runs)
            for gap in gaps(run, other)
            if gap.group in ("all", "one hop", "several hops")
        ],
    }


def _row(run: Run, gap: Gap) -> dict[str, Any]:
    return {
        "dataset": run.dataset,
        "group": gap.group,
        "measure": gap.measure,
        "arm": run.arm,
        "other": gap.other,
        "questions": gap.questions,
        "difference": gap.difference,
        "low": gap.low,
        "high": gap.high,
    }


def report(head: Mapping[str, Any], runs: Sequence[Run]) -> dict[str, Any]:
    """Everything: the figures, and every answer with its values."""
    return {
        **summary(head, runs),
        "schema": ANSWERS,
        "runs": [
            {
                "arm": run.arm,
                "dataset": run.dataset,
                "metrics": figures(run.judged),
                "questions": [
                    {
                        "id": one.question.id,
                        "values": one.values,
                        "missing": list(one.missing),
                        "raised": one.raised,
                        "answer": one.answer,
                    }
                    for one in run.judged
                ],
            }
            for run in runs
        ],
    }
