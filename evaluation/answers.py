"""What answers are worth: cited, read and quoted sections, refusals, costs; the same prompt in several arms.

    python -m evaluation answers --questions FILE... [--model NAME] [--arm none|search|read|agent]...
        [--with-context] [--limit N --seed S] [--edition NAME] [--json OUT] [--summary OUT]

Each quotation that is marked verified is looked for a second time, by other code, in the text that the model
was sent. The first arm is compared with each of the others, question by question.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.answer_arms import ARMS, BY_NAME, Asking, observe
from evaluation.answer_measures import Judged, judge
from evaluation.answer_report import Run, report, summary, table, together
from evaluation.questions import Question, read_questions
from evaluation.results import head, write
from storage.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.language_models import BaseChatModel

    from agent.session import Session

EVERY = 25
"""Questions between two lines of progress."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "example: python -m evaluation answers --questions evaluation/data/false-premises.jsonl"
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument("--model", metavar="NAME", help="as for ask262 (default: the configured one)")
    parser.add_argument(
        "--arm", action="append", choices=[arm.name for arm in ARMS], help="repeatable (default: agent)"
    )
    parser.add_argument("--with-context", action="store_true", help="put a question's context in front of it")
    parser.add_argument("--limit", type=int, metavar="N", help="a sample of N questions of each file")
    parser.add_argument("--seed", type=int, default=262, metavar="S", help="of the sample (default 262)")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every answer and its values there")
    parser.add_argument("--summary", type=Path, metavar="OUT", help="write the figures alone there")


def run(arguments: argparse.Namespace) -> int:
    """Ask, print the tables, write the files."""
    from agent.session import open_session

    files = {path.stem: sampled(path, arguments.limit, seed=arguments.seed) for path in arguments.questions}
    session = open_session(edition=arguments.edition, sample=False, model=arguments.model, trace=False)
    runs = [
        Run(arm, name, tuple(_answered(session, arm, name, questions, arguments.with_context)))
        for name, questions in files.items()
        for arm in arguments.arm or ["agent"]
    ]
    runs += together(runs)
    sys.stdout.write(table(runs))
    made = head(
        arguments.summary.stem if arguments.summary else "answers",
        command_of(arguments),
        editions=[session.reader.record],
        questions=arguments.questions,
    )
    made["model"] = model_name(session.model)
    if arguments.json:
        text = json.dumps(report(made, runs), ensure_ascii=False, indent=1)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    if arguments.summary:
        write(arguments.summary, summary(made, runs))
    return 0


def sampled(path: Path, limit: int | None, *, seed: int) -> list[Question]:
    """The questions of a file; with a limit so many of them, drawn with the seed, in the file's order."""
    questions = read_questions(path)
    if not questions:
        raise InputError(f"{path} has no questions: there is nothing to ask.")
    if limit is None or limit >= len(questions):
        return questions
    if limit < 1:
        raise InputError(f"The limit is {limit}; it counts questions and is at least 1.")
    drawn = random.Random(seed).sample(range(len(questions)), limit)  # noqa: S311 - drawing, no secret
    return [questions[place] for place in sorted(drawn)]


def command_of(arguments: argparse.Namespace) -> str:
    """The command as it would be typed, files by their names alone."""
    words = ["python -m evaluation answers --questions", *(path.name for path in arguments.questions)]
    words += [f"--model {arguments.model}"] if arguments.model else []
    words += [f"--arm {arm}" for arm in arguments.arm or ()]
    words += ["--with-context"] if arguments.with_context else []
    words += [f"--limit {arguments.limit} --seed {arguments.seed}"] if arguments.limit else []
    return " ".join(words)


def model_name(model: "BaseChatModel") -> str:
    """What to call the model in a report."""
    from agent.models import name_of

    return name_of(model)


def _answered(
    session: "Session", arm: str, name: str, questions: Sequence[Question], with_context: bool
) -> Iterator[Judged]:
    ask, clause_of = _asking(session), _clauses(session)
    for number, question in enumerate(questions, start=1):
        observed = observe(
            question.asked(with_context=with_context), BY_NAME[arm], model=session.model, ask=ask
        )
        yield judge(question, observed, clause_of=clause_of)
        if number % EVERY == 0 or number == len(questions):
            sys.stderr.write(f"{name}, {arm}: {number} of {len(questions)}\n")


def _asking(session: "Session") -> Asking:
    from agent.ask import ask

    whole = partial(ask, reader=session.reader, embedder=session.embedder)
    settings = session.settings

    def asking(question, *, model, offer, calls):  # type: ignore[no-untyped-def] # as in `Asking`
        fewer = settings.model_copy(update={"max_calls": calls}) if calls else settings
        return whole(question, model=model, offer=offer, settings=fewer)

    return asking


def _clauses(session: "Session") -> "Callable[[str], str | None]":
    """The section of any id, each looked up once."""
    known: dict[str, str | None] = {}

    def clause_of(sectionid: str) -> str | None:
        if sectionid not in known:
            unit = session.reader.unit(sectionid)
            known[sectionid] = unit.clauseid if unit else None
        return known[sectionid]

    return clause_of
