"""The measurements of rankings as text for people, as JSON with every ranking, and as a result to keep.

The result to keep (`--summary`) has the head of `evaluation.results`, then `rows` (a contestant on a dataset:
`strategy`, `dataset`, `questions`, `unanswerable`, `metrics`, `intervals`, `raised`), `differences`, and
`tables` by kind and by hops. Ids and figures only.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluation.measures import MEASURES
from evaluation.questions import Question
from evaluation.ranked import (
    COMPARED,
    Answered,
    Run,
    by_dataset,
    differences,
    grouped,
    hops,
    intervals,
    kind,
    metrics,
)

SCHEMA = "ask262/retrieval/1"
GROUPS: Mapping[str, Callable[[Question], str]] = {"kind": kind, "hops": hops}
SHOWN = ("hit@10", "mrr")
"""Measures of a group: it has few questions, and more figures would not say more."""


def printed(runs: Sequence[Run]) -> str:
    """Everything that people read: a block a dataset."""
    return "".join(_block(held, differences(held)) for held in by_dataset(runs).values())


def _block(runs: Sequence[Run], gaps: Sequence[Mapping[str, Any]]) -> str:
    first = runs[0]
    width = max(18, *(len(one.strategy) + 2 for one in runs))
    without = f", {first.unanswerable} without an answer left out" if first.unanswerable else ""
    lines = [f"{first.dataset}: {len(first.answered)} questions{without}"]
    columns = [*MEASURES, "quoted", "characters", "calls", "ms"]
    lines.append(f"{'strategy':{width}}" + "".join(f"{name:>15}" for name in columns))
    lines += [f"{one.strategy:{width}}" + "".join(f"{cell:>15}" for cell in _cells(one)) for one in runs]
    lines += ["", *_built(runs), *_raised(runs)]
    own = (f"{name} {low:.3f} to {high:.3f}" for name, (low, high) in intervals(first).items())
    lines.append(f"{first.strategy}, 95 % intervals: " + "; ".join(own))
    for other in runs[1:]:
        told = (_gap(gap) for gap in gaps if gap["other"] == other.strategy)
        lines.append(f"{first.strategy} - {other.strategy}: " + "; ".join(told))
    for name, group in GROUPS.items():
        lines += _groups(name, group, runs, width)
    return "\n".join(lines) + "\n\n"


def _cells(one: Run) -> list[str]:
    values = metrics(one)
    cells = [f"{values[name]:.3f}" if name in values else "-" for name in (*MEASURES, "quoted")]
    cells += [f"{values['characters']:.0f}", f"{values['calls']:.1f}" if "calls" in values else "-"]
    return [*cells, f"{values['ms_median']:.0f} / {values['ms_p95']:.0f}"]


def _built(runs: Sequence[Run]) -> list[str]:
    told = [
        f"{one.strategy} {one.build_seconds:.1f} s ({one.embedded} texts embedded, the rest from the cache)"
        for one in runs
        if one.build_seconds is not None
    ]
    return ["built apart from the questions: " + "; ".join(told)] if told else []


def _raised(runs: Sequence[Run]) -> list[str]:
    return [
        f"{one.strategy} raised on {count} of {len(one.answered)} questions, taken as nothing found: {error}"
        for one in runs
        for error, count in one.raised.most_common()
    ]


def _gap(gap: Mapping[str, Any]) -> str:
    return f"{gap['measure']} {gap['difference']:+.3f} ({gap['low']:+.3f} to {gap['high']:+.3f})"


def _groups(name: str, group: Callable[[Question], str], runs: Sequence[Run], width: int) -> list[str]:
    sizes = {key: int(values["questions"]) for key, values in grouped(runs[0], group).items()}
    if not sizes:
        return []
    heads = (f"{f'{key} ({size})':>20}" for key, size in sizes.items())
    lines = ["", f"by {name}, {' / '.join(SHOWN)}", f"{'strategy':{width}}" + "".join(heads)]
    for one in runs:
        held = grouped(one, group)
        cells = (" / ".join(f"{held[key][shown]:.3f}" for shown in SHOWN) for key in sizes)
        lines.append(f"{one.strategy:{width}}" + "".join(f"{cell:>20}" for cell in cells))
    return lines


def report(runs: Sequence[Run], *, edition: Mapping[str, str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "schema": SCHEMA,
        "asked": dict(asked),
        "runs": [
            {
                "strategy": one.strategy,
                "dataset": one.dataset,
                **edition,
                "metrics": metrics(one),
                "intervals": intervals(one),
                **{f"by_{name}": grouped(one, group) for name, group in GROUPS.items()},
                "unanswerable": one.unanswerable,
                "questions": [_entry(answered) for answered in one.answered],
            }
            for one in runs
        ],
        "differences": differences(runs),
    }


def _entry(answered: Answered) -> dict[str, Any]:
    return {
        "id": answered.question.id,
        "ranked": list(answered.outcome.ranked),
        "values": answered.values,
        "packet": {**answered.outcome.packet, "milliseconds": round(answered.milliseconds, 2)},
    }


def summary(runs: Sequence[Run]) -> dict[str, Any]:
    """What is worth keeping of a measurement: no rankings, no packets, no words of anybody."""
    return {
        "compared": list(COMPARED),
        "rows": [
            {
                "strategy": one.strategy,
                "dataset": one.dataset,
                "questions": len(one.answered),
                "unanswerable": one.unanswerable,
                "metrics": metrics(one),
                "intervals": intervals(one),
                **({"raised": dict(one.raised)} if one.raised else {}),
            }
            for one in runs
        ],
        "differences": differences(runs),
        "tables": [
            table
            for dataset, held in by_dataset(runs).items()
            for name, group in GROUPS.items()
            for shown in SHOWN
            if (table := _kept(dataset, name, shown, group, held))
        ],
    }


def _kept(
    dataset: str, name: str, shown: str, group: Callable[[Question], str], runs: Sequence[Run]
) -> dict[str, Any] | None:
    sizes = {key: int(values["questions"]) for key, values in grouped(runs[0], group).items()}
    if not sizes:
        return None
    rows = [[one.strategy, *(grouped(one, group)[key][shown] for key in sizes)] for one in runs]
    columns = ["strategy", *(f"{key} ({size})" for key, size in sizes.items())]
    return {"title": f"{dataset}: {shown} by {name}", "columns": columns, "rows": rows}
