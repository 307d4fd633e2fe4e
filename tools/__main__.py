"""The tools by hand.

    python -m tools search "When does sort reject its comparator?"   also --limit --kind --chapter --annex
    python -m tools fetch sec-tonumber                                also --recursive --limit --cursor
    python -m tools subsections 7.1                                   all with --json --edition

`search --rewrite` lets the configured chat model (ASK262_MODEL) add search terms to the question.

The answer goes to standard output; an error is one line on standard error, with exit status 1.
"""

import argparse
import sys
from collections.abc import Sequence

from storage.arguments import Parser
from storage.errors import InputError
from storage.program import DONE, run

_EXAMPLES = """examples:
  python -m tools search "What does ToNumber do with a BigInt?" --no-annex
  python -m tools fetch sec-array.prototype.sort --recursive
  python -m tools subsections 7.1 --json
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one tool; the exit status is 0 for an answer, 1 for an error, 130 after Ctrl-C."""
    return run(lambda: _print(answer(parser().parse_args(argv))))


def parser() -> argparse.ArgumentParser:
    """The command line; building it loads nothing but this module."""
    top = Parser(
        prog="python -m tools",
        description="Search, read and outline an edition in the store.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    search = commands.add_parser("search", help="sections that bear on a question, or that a name leads to")
    search.add_argument("query", help="a question, terms, or a name alone")
    search.add_argument("--limit", type=int, help="sections to return (default 8)")
    search.add_argument("--chapter", help="only this outermost section: its id, number or title")
    search.add_argument("--kind", help="only units of this kind: table, step, note, grammar, ...")
    search.add_argument(
        "--annex", action=argparse.BooleanOptionalAction, help="only annexes, or none (default both)"
    )
    search.add_argument(
        "--rewrite", action="store_true", help="let the configured chat model add search terms"
    )
    fetch = commands.add_parser("fetch", help="a section's text")
    fetch.add_argument("sectionid", help="an id, a number or a name")
    fetch.add_argument("--recursive", action="store_true", help="its descendants too, breadth first")
    fetch.add_argument("--limit", type=int, help="characters to return (default 12000)")
    fetch.add_argument("--cursor", help="go on where an earlier answer ended")
    subsections = commands.add_parser("subsections", help="a section's immediate children")
    subsections.add_argument("sectionid", help="an id, a number or a name")
    for command in (search, fetch, subsections):
        command.add_argument("--edition", help="an edition in the store, such as es2026")
        command.add_argument("--json", action="store_true", help="for programs")
    return top


def answer(arguments: argparse.Namespace) -> str:
    """What the tool answers, as text or JSON. Raises Ask262Error for everything foreseeable."""
    from storage.chat import configured_chat
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.clean import to_json
    from tools.query_embedder import QueryEmbedder
    from tools.registry import by_command
    from tools.toolbox import Toolbox

    given = {key: value for key, value in vars(arguments).items() if value is not None}
    command, edition, as_json = given.pop("command"), given.pop("edition", None), given.pop("json")
    rewrite = given.pop("rewrite", False)
    settings = load_settings()
    model = configured_chat(settings, wanted_by="--rewrite") if rewrite else None
    reader = open_reader(settings, edition)
    toolbox = Toolbox(reader, QueryEmbedder(settings, reader.record), rewriter=model)
    result = by_command(command).call(toolbox, **given)
    if not result.ok:
        raise InputError(result.text)
    return to_json(result.data) if as_json else result.text


def _print(text: str) -> int:
    print(text)
    return DONE


if __name__ == "__main__":
    sys.exit(main())
