"""Runs another measurement and keeps what it prints as a stored result, for the report.

    python -m evaluation keep lookup --edition es2026
    python -m evaluation keep latency --questions FILE...

The result has the head of every other one: command, commit, machine, date, data.
"""

import argparse
import io
from contextlib import redirect_stdout
from pathlib import Path

from evaluation import results
from evaluation.commands import COMMANDS, loaded
from storage.arguments import Parser
from storage.errors import InputError

KEPT = ("lookup", "latency", "fit", "fit-offline")
"""Measurements that print a table and write no result themselves."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "example: python -m evaluation keep lookup --edition es2026"
    parser.add_argument("measurement", metavar="COMMAND", help=f"one of {', '.join(KEPT)}")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="its arguments")


def run(arguments: argparse.Namespace) -> int:
    """Run it, show what it prints, keep it."""
    if arguments.measurement not in KEPT:
        raise InputError(f"`{arguments.measurement}` is not kept so; what is: {', '.join(KEPT)}.")
    module = loaded(next(one for one in COMMANDS if one.name == arguments.measurement))
    parser = Parser(prog=f"python -m evaluation {arguments.measurement}")
    module.configure(parser)
    options = parser.parse_args(arguments.rest)
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = module.run(options)
    text = printed.getvalue()
    print(text, end="")  # noqa: T201 - what the measurement would have printed itself
    if status == 0:
        kept = {**_head(arguments, options), "printed": text}
        results.write(results.FOLDER / f"{arguments.measurement}.json", kept)
    return status


def _head(arguments: argparse.Namespace, options: argparse.Namespace) -> dict[str, object]:
    from storage.reader import open_reader
    from storage.settings import load_settings

    record = open_reader(load_settings(), getattr(options, "edition", None)).record
    files: list[Path] = [*getattr(options, "questions", []), *getattr(options, "context", [])]
    said = [Path(word).name if Path(word) in files else word for word in arguments.rest]
    command = " ".join(["python -m evaluation", arguments.measurement, *said])
    return results.head(arguments.measurement, command, editions=[record], questions=files)
