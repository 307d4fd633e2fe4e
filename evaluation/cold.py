"""How long a cold question takes, beside what it cannot do without.

    python -m evaluation cold [--repeat N] [--question TEXT] [--summary OUT]

A question asked once, as a program of its own, with the built-in model; beside it a program that imports
`langchain.agents` and `lancedb` and loads the embedder, and does nothing else. They take turns, so that
whatever else the machine does falls on both; the first turn of each is not counted.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from evaluation.results import head, write
from storage.errors import InputError
from storage.settings import PREFIX, ROOT

QUESTION = "What does ToNumber do when it is given a BigInt?"
BOUND = 1.3
BARE = """
import langchain.agents, lancedb
from storage.embedder import load_embedder
from storage.settings import load_settings
load_embedder(load_settings()).embed_query("cold")
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="turns that count (default 5)")
    parser.add_argument("--question", default=QUESTION, metavar="TEXT")
    parser.add_argument("--summary", type=Path, metavar="OUT", help="write the figures there")


def run(arguments: argparse.Namespace) -> int:
    """Time both in turn and print them side by side."""
    if arguments.repeat < 1:
        raise InputError(f"--repeat {arguments.repeat}: at least 1")
    asked = [sys.executable, "-m", "agent", arguments.question]
    bare = [sys.executable, "-c", BARE]
    turns = [(_seconds(bare), _seconds(asked)) for _ in range(arguments.repeat + 1)][1:]
    least, ours = ([turn[side] for turn in turns] for side in (0, 1))
    printed = told(least, ours)
    sys.stdout.write(printed)
    if arguments.summary:
        figures = {"bare": least, "asked": ours, "ratio": ratio(least, ours), "bound": BOUND}
        figures |= {"printed": printed.rstrip()}
        command = f"python -m evaluation cold --repeat {arguments.repeat}"
        write(arguments.summary, {**head(arguments.summary.stem, command), **figures})
    return 0


def ratio(least: Sequence[float], ours: Sequence[float]) -> float:
    """The median of the ratios of the turns: both sides of one ratio ran under the same load."""
    return median(own / bare for bare, own in zip(least, ours, strict=True))


def told(least: Sequence[float], ours: Sequence[float]) -> str:
    """Both in seconds, and their ratio."""
    lines = [
        f"{len(ours)} turns, seconds: median (least to most)",
        f"imports, embedder   {_spread(least)}",
        f"a cold question     {_spread(ours)}",
        f"ratio               {ratio(least, ours):.2f}   promised <= {BOUND}",
    ]
    return "\n".join(lines) + "\n"


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):6.2f} ({min(seconds):.2f} to {max(seconds):.2f})"


def _seconds(command: Sequence[str]) -> float:
    """Wall seconds of a program that has to succeed; the built-in model, whatever else is set up."""
    environment = {**os.environ, f"{PREFIX}MODEL": "offline"}
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - programs of ours, no shell
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise InputError(f"A program that was to be timed failed: {said[-1]}")
    return time.perf_counter() - began
