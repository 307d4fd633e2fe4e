"""Ask the specification.

    ask262 "What does ToNumber do when it is given a BigInt?"   answer once
    ask262 "7.1.4" --json                                       for programs
    ask262 "What is a realm?" --format markdown                 for a file or an issue; html for a page
    ask262 --sample "What does Count::divide do?"              from the sample specification
    ask262                                                      ask one question after another

`python -m agent` is the same. Where nothing was ingested yet, the store is built first. The answer goes to
standard output, progress and traces to standard error; a foreseeable error is one line there, with exit
status 1.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from storage.arguments import Parser
from storage.program import DONE, run

if TYPE_CHECKING:
    from agent.answer import Answer
    from agent.session import Session

FORMATS = ("text", "markdown", "html", "json")
LIMITS = {
    "calls": ("N", "tool calls that a question may make"),
    "characters": ("N", "characters of the specification that it may be shown"),
    "seconds": (
        "S",
        "seconds that it may take; a limit that is reached ends in an answer from what is there",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the exit status is 0 for an answer, 1 for an error, 130 after Ctrl-C."""
    return run(lambda: _work(parser().parse_args(argv)))


def parser() -> argparse.ArgumentParser:
    """The command line; building it loads nothing but this module."""
    out = Parser(
        prog="ask262",
        description="Answers questions about the ECMAScript specification with quotations that were checked.",
        epilog='example: ask262 "When does Array.prototype.sort reject the comparator?"',
    )
    out.add_argument("question", nargs="?", help="asked once; without it, questions are read one by one")
    out.add_argument("--format", choices=FORMATS, help="how an answer is written; text unless said otherwise")
    out.add_argument("--json", action="store_true", help="the same as --format json")
    out.add_argument("--edition", metavar="NAME", help="an edition in the store, such as es2026")
    out.add_argument("--sample", action="store_true", help="ask the sample specification, built if need be")
    out.add_argument(
        "--model",
        metavar="NAME",
        help="a chat model as provider:name, such as openai:gpt-5; offline for the built-in one",
    )
    for limit, (metavar, what) in LIMITS.items():
        out.add_argument(f"--{limit}", metavar=metavar, type=float if limit == "seconds" else int, help=what)
    out.add_argument("--trace", action="store_true", help="show every step on standard error")
    out.add_argument("--version", action="version", version=f"ask262 {_version()}")
    return out


def _work(options: argparse.Namespace) -> int:
    return _answer(options) if options.question is not None else _talk(options)


def _answer(options: argparse.Namespace) -> int:
    from agent.ask import usable
    from agent.links import section_link
    from agent.talk.screen import linked

    usable(options.question)
    wanted = _format(options)
    session = _session(options)
    answer = session.ask(options.question)
    shown = (
        _report(answer, session)
        if wanted == "html"
        else written(answer, wanted, encoding=sys.stdout.encoding)
    )
    if wanted == "text":
        shown = linked(shown, answer, link=partial(section_link, session.reader))
    print(shown.rstrip())
    return DONE


def _report(answer: "Answer", session: "Session") -> str:
    """A page with the answer's quotations in their sections, its calls and its budget."""
    from agent.report.page import answers_page

    title, budget = session.reader.record.title, session.settings.budget_characters
    return "".join(answers_page([answer], title=title, reader=session.reader, budget=budget))


def _format(options: argparse.Namespace) -> str:
    """Raises InputError where the two options contradict each other."""
    from storage.errors import InputError

    if options.json and options.format not in (None, "json"):
        raise InputError(f"--json and --format {options.format} are two formats: leave one out")
    return "json" if options.json else options.format or "text"


def written(answer: "Answer", wanted: str, *, encoding: str | None) -> str:
    """The answer in one of `FORMATS`."""
    from agent.render import can_show_marks, terminal
    from agent.render_html import page
    from agent.render_markdown import markdown
    from tools.clean import to_json

    writers: dict[str, Callable[[Answer], str]] = {
        "text": lambda one: terminal(one, marks=can_show_marks(encoding)),
        "markdown": markdown,
        "html": page,
        "json": lambda one: to_json(one.to_dict()),
    }
    return writers[wanted](answer)


def _talk(options: argparse.Namespace) -> int:
    from agent.talk.loop import converse
    from storage.errors import InputError

    if _format(options) != "text":
        raise InputError("a conversation is written as text: give a question for another format")

    converse(_session(options), trace=options.trace)
    return DONE


def _session(options: argparse.Namespace) -> "Session":
    from agent.session import open_session

    return open_session(
        edition=options.edition,
        sample=options.sample,
        model=options.model,
        trace=options.trace,
        options={"max_calls": "--calls", "budget_characters": "--characters", "max_seconds": "--seconds"},
        max_calls=options.calls,
        budget_characters=options.characters,
        max_seconds=options.seconds,
    )


def _version() -> str:
    from importlib.metadata import version

    return version("ask262")


if __name__ == "__main__":
    sys.exit(main())
