"""The measurements, each a subcommand of its own.

    python -m evaluation retrieval --questions FILE...          how well searches and strategies rank
    python -m evaluation breakdown SOURCE --out PAGE            what the breakdown rules do to a source
    python -m evaluation proofs REPORT --out PAGE               a page from `setup.ingest --check --json`
    python -m evaluation speed SOURCE                           how fast an ingest is
    python -m evaluation quantised SOURCE --questions FILE...   what int8 multiplication would change
    python -m evaluation COMMAND --help

Which there are stands in `evaluation.commands`; only the module of the one asked for is loaded.
"""

import argparse
import sys
from collections.abc import Sequence

from evaluation.commands import COMMANDS, loaded
from storage import program
from storage.arguments import Parser


def parser(asked: Sequence[str]) -> argparse.ArgumentParser:
    """The command line; the arguments of a command are known once its name was read."""
    out = Parser(
        prog="python -m evaluation",
        description="Measures what the other packages promise.",
        epilog="example: python -m evaluation breakdown ../spec/es2026 --out docs/breakdown.md",
    )
    commands = out.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.help, description=command.help)
        if command.name in asked:
            loaded(command).configure(sub)
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a foreseeable failure told in one line, 130 interrupted."""
    asked = sys.argv[1:] if arguments is None else list(arguments)
    return program.run(lambda: _run(asked))


def _run(asked: Sequence[str]) -> int:
    # Here, so that Ctrl-C while a command's module loads is one line too.
    options = parser(asked).parse_args(asked)
    command = next(command for command in COMMANDS if command.name == options.command)
    return loaded(command).run(options)


if __name__ == "__main__":
    raise SystemExit(main())
