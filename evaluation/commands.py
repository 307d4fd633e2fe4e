"""What `python -m evaluation` can do: a table of subcommands, each in a module of its own.

A command's module has `configure(parser)`, which adds its arguments, and `run(arguments) -> int`, which loads
what it needs. A new measurement is a module and a row here.
"""

import argparse
import importlib
from dataclasses import dataclass
from typing import Protocol, cast


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its name, what it measures, and where it is."""

    name: str
    help: str
    module: str


class CommandModule(Protocol):
    """What the module of a command offers."""

    def configure(self, parser: argparse.ArgumentParser, /) -> None: ...
    def run(self, arguments: argparse.Namespace, /) -> int: ...


COMMANDS = (
    Command("retrieval", "how well searches and strategies rank sections", "evaluation.retrieval"),
    Command("fit", "how much each search should count, checked on unseen chapters", "evaluation.fit"),
    Command("lookup", "whether every name of an edition leads to its section", "evaluation.lookup"),
    Command("latency", "how long a warm search takes, beside the least it can take", "evaluation.latency"),
    Command("scale", "what a search costs at 10 and 100 times the units", "evaluation.scale"),
    Command("answers", "what answers are worth, and what their checks are", "evaluation.answers"),
    Command(
        "studies", "single questions about the design, each put to the test", "evaluation.studies.command"
    ),
    Command(
        "batch", "a long batch: killed, resumed and compared, and its memory", "evaluation.batch_endurance"
    ),
    Command("mcp", "many clients of the MCP server at once: errors, rate, memory", "evaluation.mcp_load"),
    Command("keep", "another measurement, and keeps what it prints", "evaluation.keep"),
    Command("report", "the page on all measurements, from stored results", "evaluation.report"),
    Command(
        "fit-offline", "the offline model's thresholds, checked on unseen questions", "evaluation.fit_offline"
    ),
    Command("cold", "how long a cold question takes, beside what it cannot do without", "evaluation.cold"),
    Command("breakdown", "what the breakdown rules do to a source", "evaluation.breakdown"),
    Command("proofs", "a page from the report of `setup.ingest --check --json`", "evaluation.proofs"),
    Command("speed", "how fast an ingest is, as ratios within one run", "evaluation.speed"),
    Command("quantised", "whether dynamic int8 is faster at equal retrieval", "evaluation.quantised"),
)


def loaded(command: Command) -> CommandModule:
    """The command's module."""
    return cast(CommandModule, importlib.import_module(command.module))
