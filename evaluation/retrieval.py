"""How well searches, strategies and other people's libraries rank the sections that answer a question.

    python -m evaluation retrieval --questions FILE... [--strategies NAME...] [--budget 4/900]
        [--with-context] [--rewrite] [--order document] [--edition NAME] [--limit N | --sample N]
        [--json OUT] [--summary OUT]

Questions without gold sections are left out and counted: a ranking cannot be right about them. The first
strategy is the one that the others are compared with. `--strategies default peers` sets the default beside
every library of the dependency group `peers`. `--rewrite` adds a row, `default+rewrite`, for which the chat
model of the settings (ASK262_MODEL, ASK262_BASE_URL) adds search terms to each question.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation import results
from evaluation.contestants import DEFAULT, OURS, Entrant, Ground, contestants
from evaluation.measures import DEPTH
from evaluation.peers.table import GROUP
from evaluation.questions import Question, by_name, read_questions, sampled
from evaluation.ranked import Answered, Run, judged
from evaluation.retrieval_report import printed, report, summary
from storage.errors import InputError

if TYPE_CHECKING:
    from storage.model import EditionRecord


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument(
        "--strategies",
        nargs="+",
        default=[],
        metavar="NAME",
        help=f"{DEFAULT} (the tools' search), a strategy or a peer; `{OURS}` and `{GROUP}` stand for all",
    )
    parser.add_argument("--budget", default="4/900", help="units and characters of evidence (default 4/900)")
    parser.add_argument("--with-context", action="store_true", help="put a question's context in front of it")
    parser.add_argument(
        "--rewrite",
        action="store_true",
        help="a row more: the search with the terms of the configured chat model",
    )
    parser.add_argument("--order", choices=("rank", "document"), default="rank", help="of the evidence")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    fewer = parser.add_mutually_exclusive_group()
    fewer.add_argument("--limit", type=int, metavar="N", help="only the first N questions of each file")
    fewer.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="N questions with an answer of each file, the same in every run",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every ranking and packet there")
    parser.add_argument(
        "--summary",
        type=Path,
        metavar="OUT",
        help="write the figures there, for the report of all measurements",
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure, print the tables, write the JSON."""
    files = _questions(arguments)
    ground = _ground(arguments)
    entrants = contestants(arguments.strategies, ground)
    runs = [
        _measure(entrant, dataset, questions, with_context=arguments.with_context)
        for dataset, questions in files.items()
        for entrant in entrants
    ]
    sys.stdout.write(printed(runs))
    record = ground.reader.record
    if arguments.json:
        edition = {"edition": record.edition, "build": record.build}
        asked = {"budget": arguments.budget, "order": arguments.order, "with_context": arguments.with_context}
        written = json.dumps(report(runs, edition=edition, asked=asked), ensure_ascii=False, indent=1)
        arguments.json.write_text(written + "\n", encoding="utf-8")
    if arguments.summary:
        results.write(arguments.summary, {**_head(arguments, record), **summary(runs)})
    return 0


def _questions(arguments: argparse.Namespace) -> dict[str, list[Question]]:
    for name in ("limit", "sample"):
        count = getattr(arguments, name)
        if count is not None and count < 1:
            raise InputError(f"The {name} is {count}; it counts questions and is at least 1.")
    files = {
        name: read_questions(path, limit=arguments.limit)
        for name, path in by_name(arguments.questions).items()
    }
    if arguments.sample:
        files = {name: sampled(held, arguments.sample) for name, held in files.items()}
    if empty := [name for name, held in files.items() if not any(one.gold for one in held)]:
        raise InputError(f"{empty[0]} has no question with gold sections: there is nothing to measure.")
    return {f"{name} with context" if arguments.with_context else name: held for name, held in files.items()}


def _ground(arguments: argparse.Namespace) -> Ground:
    from storage.chat import configured_chat
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.budget import parse_budget
    from tools.packet import Order

    budget = parse_budget(arguments.budget)
    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    model = configured_chat(settings, wanted_by="--rewrite") if arguments.rewrite else None
    return Ground(reader, embedder, settings.storage_dir, budget, DEPTH, Order(arguments.order), model)


def _measure(entrant: Entrant, dataset: str, questions: Sequence[Question], *, with_context: bool) -> Run:
    answerable = [question for question in questions if question.gold]
    # The first call loads what later ones share, and is no measurement.
    entrant.ask(answerable[0].asked(with_context=with_context))
    answered: list[Answered] = []
    for question in answerable:
        began = time.perf_counter()
        outcome = entrant.ask(question.asked(with_context=with_context))
        took = (time.perf_counter() - began) * 1_000
        answered.append(Answered(question, outcome, judged(question, outcome), took))
    sys.stderr.write(f"{dataset}: {entrant.name}, {len(answered)} questions\n")
    return Run(
        entrant.name,
        dataset,
        tuple(answered),
        len(questions) - len(answerable),
        entrant.build_seconds,
        entrant.embedded,
    )


def _head(arguments: argparse.Namespace, record: "EditionRecord") -> dict[str, object]:
    """The head of a stored result. Its command names files without their folders."""
    words = ["python -m evaluation retrieval --questions", *(path.name for path in arguments.questions)]
    words += ["--strategies", *arguments.strategies] if arguments.strategies else []
    words += ["--with-context"] if arguments.with_context else []
    words += [f"--budget {arguments.budget}"] if arguments.budget != "4/900" else []
    words += [f"--order {arguments.order}"] if arguments.order != "rank" else []
    words += [f"--edition {arguments.edition}"] if arguments.edition else []
    words += [f"--{name} {count}" for name in ("limit", "sample") if (count := getattr(arguments, name))]
    command = " ".join([*words, "--summary", arguments.summary.name])
    head = results.head("retrieval", command, editions=[record])
    files = by_name(arguments.questions)
    head["data"]["questions"] = {name: results.digest(path) for name, path in files.items()}
    return head
