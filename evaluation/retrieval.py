"""How well searches and strategies rank the sections that answer a question.

    python -m evaluation retrieval --questions FILE... [--strategies NAME...] [--budget 4/900]
        [--with-context] [--order document] [--edition NAME] [--limit N] [--json OUT]

Questions without gold sections are left out and counted: a ranking cannot be right about them.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.bootstrap import difference, interval
from evaluation.contestants import DEFAULT, Contestant, Outcome, contestants
from evaluation.measures import DEPTH, MEASURES, means, measured, percentile, quoted
from evaluation.questions import Question, read_questions
from storage.errors import InputError

SCHEMA = "ask262/retrieval/1"
COMPARED = ("hit@10", "recall@10", "mrr")
"""Measures with intervals: those that the targets are set in."""


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

    def column(self, name: str) -> list[float]:
        """One measure, question by question."""
        return [one.values[name] for one in self.answered]


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument(
        "--strategies",
        nargs="+",
        default=[],
        metavar="NAME",
        help=f"{DEFAULT} (the tools' search) or a strategy",
    )
    parser.add_argument("--budget", default="4/900", help="units and characters of evidence (default 4/900)")
    parser.add_argument("--with-context", action="store_true", help="put a question's context in front of it")
    parser.add_argument("--order", choices=("rank", "document"), default="rank", help="of the evidence")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N questions of each file")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every ranking and packet there")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print the tables, write the JSON."""
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.budget import parse_budget
    from tools.packet import Order

    if arguments.limit is not None and arguments.limit < 1:
        raise InputError(f"The limit is {arguments.limit}; it counts questions and is at least 1.")
    files = {path.stem: read_questions(path, limit=arguments.limit) for path in arguments.questions}
    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    rows = contestants(
        arguments.strategies,
        reader,
        embedder,
        budget=parse_budget(arguments.budget),
        depth=DEPTH,
        order=Order(arguments.order),
    )
    runs = [
        _measure(name, contestant, dataset, questions, with_context=arguments.with_context)
        for dataset, questions in files.items()
        for name, contestant in rows.items()
    ]
    sys.stdout.write("".join(map(table, _by_dataset(runs).values())))
    if arguments.json:
        edition = {"edition": reader.record.edition, "build": reader.record.build}
        asked = {"budget": arguments.budget, "order": arguments.order, "with_context": arguments.with_context}
        written = json.dumps(report(runs, edition=edition, asked=asked), ensure_ascii=False, indent=1)
        arguments.json.write_text(written + "\n", encoding="utf-8")
    return 0


def _measure(
    name: str, contestant: Contestant, dataset: str, questions: Sequence[Question], *, with_context: bool
) -> Run:
    answerable = [question for question in questions if question.gold]
    if not answerable:
        raise InputError(f"{dataset} has no question with gold sections: there is nothing to measure.")
    # The first call loads what later ones share, and is no measurement.
    contestant(answerable[0].asked(with_context=with_context))
    answered: list[Answered] = []
    for question in answerable:
        began = time.perf_counter()
        outcome = contestant(question.asked(with_context=with_context))
        took = (time.perf_counter() - began) * 1_000
        answered.append(Answered(question, outcome, judged(question, outcome), took))
    sys.stderr.write(f"{dataset}: {name}, {len(answered)} questions\n")
    return Run(name, dataset, tuple(answered), len(questions) - len(answerable))


def judged(question: Question, outcome: Outcome) -> dict[str, float]:
    """The measures of one outcome; `quoted` only where there is something to quote."""
    values = measured(outcome.ranked, question.gold, question.also_ok)
    if question.must_quote:
        values["quoted"] = quoted(outcome.texts, question.must_quote)
    return {**values, "characters": float(outcome.packet["characters"])}


def _by_dataset(runs: Sequence[Run]) -> Mapping[str, list[Run]]:
    out: dict[str, list[Run]] = {}
    for one in runs:
        out.setdefault(one.dataset, []).append(one)
    return out


def table(runs: Sequence[Run]) -> str:
    """The runs over one file, a line each, then the differences from the first with their intervals."""
    first = runs[0]
    without = f", {first.unanswerable} without an answer left out" if first.unanswerable else ""
    columns = [*MEASURES, "quoted", "characters", "calls", "ms"]
    lines = [f"{first.dataset}: {len(first.answered)} questions{without}"]
    lines.append(f"{'strategy':18}" + "".join(f"{name:>15}" for name in columns))
    for one in runs:
        values = metrics(one)
        cells = [f"{values[name]:.3f}" if name in values else "-" for name in (*MEASURES, "quoted")]
        cells += [f"{values['characters']:.0f}", f"{values['calls']:.1f}" if "calls" in values else "-"]
        cells.append(f"{values['ms_median']:.0f} / {values['ms_p95']:.0f}")
        lines.append(f"{one.strategy:18}" + "".join(f"{cell:>15}" for cell in cells))
    lines += ["", f"{first.strategy}, 95 % intervals: " + "; ".join(_own(first, name) for name in COMPARED)]
    for other in runs[1:]:
        gaps = "; ".join(_gap(first, other, name) for name in COMPARED)
        lines.append(f"{first.strategy} - {other.strategy}: {gaps}")
    return "\n".join(lines) + "\n\n"


def _own(one: Run, name: str) -> str:
    low, high = interval(one.column(name))
    return f"{name} {low:.3f} to {high:.3f}"


def _gap(one: Run, other: Run, name: str) -> str:
    gap, low, high = difference(one.column(name), other.column(name))
    return f"{name} {gap:+.3f} ({low:+.3f} to {high:+.3f})"


def metrics(one: Run) -> dict[str, float]:
    """The means of a run, and its times."""
    times = [answered.milliseconds for answered in one.answered]
    calls = [
        float(answered.outcome.packet["calls"])
        for answered in one.answered
        if "calls" in answered.outcome.packet
    ]
    return {
        **means([answered.values for answered in one.answered]),
        **({"calls": sum(calls) / len(calls)} if calls else {}),
        "ms_median": percentile(times, 0.5),
        "ms_p95": percentile(times, 0.95),
    }


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
                "intervals": {name: list(interval(one.column(name))) for name in COMPARED},
                "by_kind": _grouped(one, lambda question: question.kind),
                "by_hops": _grouped(one, lambda question: question.hops),
                "unanswerable": one.unanswerable,
                "questions": [_entry(answered) for answered in one.answered],
            }
            for one in runs
        ],
        "differences": [
            {
                "dataset": dataset,
                "strategy": others[0].strategy,
                "other": other.strategy,
                "measure": name,
                **dict(
                    zip(
                        ("difference", "low", "high"),
                        difference(others[0].column(name), other.column(name)),
                        strict=True,
                    )
                ),
            }
            for dataset, others in _by_dataset(runs).items()
            for other in others[1:]
            for name in COMPARED
        ],
    }


def _grouped(one: Run, group: Callable[[Question], str]) -> dict[str, dict[str, float]]:
    rows: dict[str, list[dict[str, float]]] = {}
    for answered in one.answered:
        if name := group(answered.question):
            rows.setdefault(name, []).append(answered.values)
    return {name: {"questions": float(len(held)), **means(held)} for name, held in sorted(rows.items())}


def _entry(answered: Answered) -> dict[str, Any]:
    return {
        "id": answered.question.id,
        "ranked": list(answered.outcome.ranked),
        "values": answered.values,
        "packet": {**answered.outcome.packet, "milliseconds": round(answered.milliseconds, 2)},
    }
