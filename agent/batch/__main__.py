"""Ask a file of questions, and write a file of answers.

    python -m agent.batch QUESTIONS --out ANSWERS.jsonl
    python -m agent.batch questions.csv --out answers.jsonl --limit 50 --report answers.html
    python -m agent.batch questions.md --out answers.jsonl --model openai:gpt-5 --concurrency 8 \\
        --price 1.25/10 --max-cost 5 --fail-on unverified,error

QUESTIONS is JSON lines, JSON, CSV, a Markdown list or one question a line; `-` is standard input. Each answer
is one line of JSON, on the disk before the next question counts as asked. Run the same command again after a
crash or Ctrl-C: what was answered is not asked twice. Progress and the summary go to standard error.
"""

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from storage import program
from storage.arguments import Parser
from storage.errors import InputError

if TYPE_CHECKING:
    from agent.batch.questions import Question
    from agent.batch.work import Batch, Rules
    from agent.session import Session

NOTHING = "nothing"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 all asked, 1 an error or what `--fail-on` names, 3 not all asked, 130 after Ctrl-C."""
    return program.run(
        lambda: _run(parser().parse_args(argv)), interrupted="stopped; run the same command again to go on"
    )


LEFT = 3
"""Exit status: the batch ended before its last question, by a limit or since nothing worked."""


def parser() -> argparse.ArgumentParser:
    """The command line; building it loads no library."""
    from agent.batch.questions import Form
    from agent.batch.tally import REASONS

    out = Parser(
        prog="python -m agent.batch",
        description="Asks a file of questions; writes an answer a line, and takes up where it was stopped.",
        epilog="example: python -m agent.batch questions.txt --out answers.jsonl --report answers.html",
    )
    out.add_argument("questions", metavar="QUESTIONS", help="a file of questions; - for standard input")
    out.add_argument(
        "--out", metavar="ANSWERS", required=True, type=Path, help="JSON lines; added to if there"
    )
    out.add_argument("--form", choices=[*Form], help="how QUESTIONS is written; else told by its name")
    out.add_argument("--limit", metavar="N", type=_positive, help="ask the first N questions only")
    out.add_argument("--edition", metavar="NAME", help="an edition in the store, such as es2026")
    out.add_argument("--sample", action="store_true", help="ask the sample specification, built if need be")
    out.add_argument(
        "--model", metavar="NAME", help="a chat model as provider:name; offline for the built-in one"
    )
    out.add_argument(
        "--concurrency", metavar="N", type=_positive, help="questions at once; 1 offline, else 4"
    )
    out.add_argument("--budget", metavar="N", type=_positive, help="characters that a question may be shown")
    out.add_argument("--timeout", metavar="S", type=_seconds, help="seconds that a question may take")
    out.add_argument(
        "--retries", metavar="N", type=_whole, default=2, help="more attempts when a server fails (2)"
    )
    out.add_argument(
        "--price", metavar="IN/OUT", help="of a million tokens read and written, such as 1.25/10"
    )
    out.add_argument("--max-cost", metavar="X", type=_seconds, help="ask nothing more once this is spent")
    out.add_argument(
        "--ordered", action="store_true", help="bring the answers into the order of the questions"
    )
    out.add_argument("--report", metavar="FILE", type=Path, help="all answers as one HTML page")
    out.add_argument("--fail-on", metavar="WHAT", default="error", type=_reasons,
                     help=f"exit 1 for any of {', '.join(REASONS)}, or {NOTHING} (error)")  # fmt: skip
    return out


def _run(options: argparse.Namespace) -> int:
    from agent.batch.answers import Asked, in_order, open_answers
    from agent.batch.questions import read_questions

    questions = read_questions(options.questions, form=options.form)[: options.limit]
    rules = _rules(options)
    _check_places(options)
    session = _session(options)
    edition, model = session.reader.record.edition, _name(session)
    with open_answers(options.out, questions, asked=Asked(edition, model)) as answers:
        left = [question for question in questions if question.id not in answers.kept]
        _say(_plan(options, len(questions), len(left), answers.dropped, edition, model))
        batch = _batch(session, rules)
        asked = _ask(batch, left, answers.add)
        if options.ordered:
            in_order(options.out, questions)
    return _finish(options, questions, batch, session, left=len(left) - asked)


def _plan(options: argparse.Namespace, all_: int, left: int, dropped: int, edition: str, model: str) -> str:
    """What will be read and written, said before it is."""
    line = (
        f"{all_:,} questions from {options.questions}; edition {edition}, model {model}; writes {options.out}"
    )
    if left < all_:
        line += f"; {all_ - left:,} are answered there already"
    return f"{line}; {dropped:,} torn or failed lines are asked again" if dropped else line


def _ask(batch: "Batch", questions: Sequence["Question"], add: Any) -> int:
    """Ask them all; how many were asked. Ctrl-C once: what is under way is finished; twice: at once."""
    from agent.batch.tally import Tally
    from storage.reporting import reporter

    tally, bars = Tally(), reporter()
    try:
        with _interrupts(batch):
            for line in batch.lines(questions):
                add(line)
                tally.add(line)
                bars("questions", tally.answers, len(questions), tally.note())
    finally:
        bars.close()
    return tally.answers


@contextmanager
def _interrupts(batch: "Batch") -> Iterator[None]:
    from agent.batch.work import STOPPED

    def stop(_: int, __: FrameType | None) -> None:
        if batch.why_ended == STOPPED:
            os._exit(program.INTERRUPTED)
        batch.end(STOPPED)
        _say("\nstopping: what is under way is finished first; Ctrl-C again leaves at once")

    before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _finish(
    options: argparse.Namespace,
    questions: Sequence["Question"],
    batch: "Batch",
    session: "Session",
    *,
    left: int,
) -> int:
    """Summary and exit status; both go by the file, whoever wrote the lines."""
    from agent.batch.answers import read_answers
    from agent.batch.tally import Tally
    from agent.batch.work import STOPPED

    tally, asked = Tally(), {question.id for question in questions}
    for line in read_answers(options.out):
        if line["id"] in asked:
            tally.add(line)
    if options.report:
        _report(options, session)
    for said in tally.summary():
        _say(said)
    if batch.why_ended == STOPPED:
        raise KeyboardInterrupt
    if left:
        _say(f"{left:,} questions were not asked: {batch.why_ended}; run the same command again to go on")
        return LEFT
    return program.FAILED if tally.failed(options.fail_on) else program.DONE


def _report(options: argparse.Namespace, session: "Session") -> None:
    from agent.report.page import write_batch

    budget = session.settings.budget_characters
    write_batch(options.report, options.out, reader=session.reader, budget=budget)
    _say(f"report: {options.report}")


def _rules(options: argparse.Namespace) -> "Rules":
    from agent.batch.spend import parse_prices
    from agent.batch.work import Rules

    prices = parse_prices(options.price) if options.price is not None else None
    if options.max_cost is not None and prices is None:
        raise InputError("--max-cost needs --price, such as --price 1.25/10: prices are not known here")
    return Rules(options.concurrency or 0, options.retries, options.max_cost, prices)


def _check_places(options: argparse.Namespace) -> None:
    """What cannot be written is said before an hour of work, not after."""
    places = {"QUESTIONS": Path(options.questions), "--out": options.out, "--report": options.report}
    given = {flag: path for flag, path in places.items() if path is not None}
    for flag, path in list(given.items())[1:]:
        if not path.parent.is_dir():
            raise InputError(f"{flag}: there is no folder {path.parent}")
        if path.is_dir():
            raise InputError(f"{flag}: {path} is a folder; name a file in it")
        # A pipe or a device has no lines to go on from, and may never end.
        if str(path) == "-" or (path.exists() and not path.is_file()):
            raise InputError(f"{flag}: {path} is no file of its own; name one, new or written by a batch")
    if len({path.resolve() for path in given.values()}) < len(given):
        raise InputError(f"{', '.join(given)} must be different files")


def _session(options: argparse.Namespace) -> "Session":
    from agent.session import open_session

    changes = {"budget_characters": options.budget, "max_seconds": options.timeout}
    return open_session(
        edition=options.edition,
        sample=options.sample,
        model=options.model,
        trace=False,
        options={"budget_characters": "--budget", "max_seconds": "--timeout"},
        **{name: value for name, value in changes.items() if value is not None},
    )


def _name(session: "Session") -> str:
    from agent.models import name_of

    return name_of(session.model)


def _batch(session: "Session", rules: "Rules") -> "Batch":
    from dataclasses import replace

    from agent.batch.work import Batch
    from agent.models import OFFLINE

    name = _name(session)
    # The built-in model works on this machine's processor; a server answers others while it answers one.
    width = rules.concurrency or (1 if name == OFFLINE else 4)
    return Batch(session.ask, session.reader.record.edition, name, replace(rules, concurrency=width))


def _positive(text: str) -> int:
    number = _whole(text)
    if not number:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number over 0, not {text!r}")
    return number


def _reasons(text: str) -> tuple[str, ...]:
    from agent.batch.tally import REASONS

    reasons = tuple(part.strip() for part in text.split(",") if part.strip() != NOTHING)
    if unknown := [reason for reason in reasons if reason not in REASONS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(REASONS)}, {NOTHING}")
    return reasons


def _say(line: str) -> None:
    from tools.clean import clean

    sys.stderr.write(clean(line) + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    raise SystemExit(main())
