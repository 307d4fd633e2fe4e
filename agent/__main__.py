"""Ask the specification.

    ask262 "What does ToNumber do when it is given a BigInt?"   answer once
    ask262 "7.1.4" --json                                       for programs
    ask262 --sample "What does Count::divide do?"              from the sample specification
    ask262                                                      ask one question after another

`python -m agent` is the same. Where nothing was ingested yet, the store is built first. The answer goes to
standard output, progress and traces to standard error; a foreseeable error is one line there, with exit
status 1.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from storage.program import DONE, run

if TYPE_CHECKING:
    from agent.session import Session


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the exit status is 0 for an answer, 1 for an error, 130 after Ctrl-C."""
    options = parser().parse_args(argv)
    return run(lambda: _answer(options) if options.question is not None else _talk(options))


def parser() -> argparse.ArgumentParser:
    """The command line; building it loads nothing but this module."""
    out = argparse.ArgumentParser(
        prog="ask262",
        description="Answers questions about the ECMAScript specification with quotations that were checked.",
        epilog='example: ask262 "When does Array.prototype.sort reject the comparator?"',
    )
    out.add_argument("question", nargs="?", help="asked once; without it, questions are read one by one")
    out.add_argument("--json", action="store_true", help="the answer as JSON")
    out.add_argument("--edition", metavar="NAME", help="an edition in the store, such as es2026")
    out.add_argument("--sample", action="store_true", help="ask the sample specification, built if need be")
    out.add_argument(
        "--model",
        metavar="NAME",
        help="a chat model as provider:name, such as openai:gpt-5; offline for the built-in one",
    )
    out.add_argument("--trace", action="store_true", help="show every step on standard error")
    out.add_argument("--version", action="version", version=f"ask262 {_version()}")
    return out


def _answer(options: argparse.Namespace) -> int:
    from agent.ask import usable
    from agent.render import can_show_marks, terminal
    from tools.clean import to_json

    usable(options.question)
    answer = _session(options).ask(options.question)
    marks = can_show_marks(sys.stdout.encoding)
    print(to_json(answer.to_dict()) if options.json else terminal(answer, marks=marks))
    return DONE


def _talk(options: argparse.Namespace) -> int:
    from agent.repl import converse

    converse(_session(options))
    return DONE


def _session(options: argparse.Namespace) -> "Session":
    from agent.session import open_session

    return open_session(
        edition=options.edition, sample=options.sample, model=options.model, trace=options.trace
    )


def _version() -> str:
    from importlib.metadata import version

    return version("ask262")


if __name__ == "__main__":
    sys.exit(main())
