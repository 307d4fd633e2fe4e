"""How long a warm search takes, beside the least that a hybrid search can take.

    python -m evaluation latency --questions FILE... [--edition NAME] [--limit N]

Bare is one embedding of the question, one vector and one full-text query of ten rows over the same tables:
what a hybrid query of the store consists of, without the fusion. Both are timed in turn, so that whatever
else the machine does falls on both. Each question is asked once before.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evaluation.measures import percentile
from evaluation.questions import read_questions
from storage.errors import InputError

BARE_ROWS = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--questions", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="of each file (default 100)")


def run(arguments: argparse.Namespace) -> int:
    """Time both and print them side by side."""
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.clean import QUERY_LIMIT
    from tools.search import search

    asked = [
        question.question[:QUERY_LIMIT]
        for path in arguments.questions
        for question in read_questions(path, limit=arguments.limit)
    ]
    if not asked:
        raise InputError("The files have no questions: there is nothing to time.")
    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)

    def bare(query: str) -> None:
        reader.search_vectors(embedder.embed_query(query), limit=BARE_ROWS)
        reader.search_text(query, limit=BARE_ROWS)

    def ours(query: str) -> None:
        search(query, reader, embedder)

    sys.stdout.write(told(*_timed((bare, ours), asked)))
    return 0


def _timed(ways: Sequence[Callable[[str], None]], asked: Sequence[str]) -> list[list[float]]:
    """Milliseconds of each way for each question, after a round that is not counted."""
    out: list[list[float]] = [[] for _ in ways]
    for counted in (False, True):
        for query in asked:
            for times, way in zip(out, ways, strict=True):
                began = time.perf_counter()
                way(query)
                if counted:
                    times.append((time.perf_counter() - began) * 1_000)
    return out


def told(bare: Sequence[float], ours: Sequence[float]) -> str:
    """Median and 95th percentile of both, and their ratios."""
    lines = [f"{len(ours)} questions, milliseconds: median / 95th percentile"]
    lines += [
        f"{name:8}{statistics.median(times):8.1f} / {percentile(times, 0.95):.1f}"
        for name, times in (("bare", bare), ("search", ours))
    ]
    middle = statistics.median(ours) / statistics.median(bare)
    high = percentile(ours, 0.95) / percentile(bare, 0.95)
    return "\n".join([*lines, f"{'ratio':8}{middle:8.2f} / {high:.2f}"]) + "\n"
