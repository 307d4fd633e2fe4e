"""Times one edition of one store in a process of its own, so that memory is its own too. Prints JSON.

    python -m evaluation.probe FOLDER EDITION < QUESTIONS        one question a line

Run by `evaluation scale`; opening is what a program waits for before its first question.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from evaluation.measures import percentile


def main() -> int:
    """Open, search, look up; one line of JSON."""
    folder, edition = Path(sys.argv[1]), sys.argv[2]
    asked = [line.strip() for line in sys.stdin if line.strip()]
    sys.stdout.write(json.dumps(probed(folder, edition, asked)) + "\n")
    return 0


def probed(folder: Path, edition: str, asked: list[str]) -> dict[str, float]:
    """Milliseconds and megabytes."""
    from storage.embedder import load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings
    from tools.lookup import look_up
    from tools.search import search

    settings = load_settings().model_copy(update={"storage_dir": folder})
    embedder = load_embedder(settings)
    embedder.embed_query("warm")
    open_reader(settings, edition)  # loads LanceDB, which takes seconds and is no matter of size
    reader, opening = _timed(lambda: open_reader(settings, edition))
    _, first = _timed(lambda: search(asked[0], reader, embedder))
    _, slip = _timed(lambda: look_up("ToNumbr", reader.names()))
    for query in asked:
        search(query, reader, embedder)
    took, worked = [], []
    for query in asked:
        before = time.process_time()
        took.append(_timed(lambda query=query: search(query, reader, embedder))[1])  # type: ignore[misc]
        worked.append((time.process_time() - before) * 1_000)
    return {
        "open": opening,
        "first": first,
        "first slip": slip,
        "median": median(took),
        "p95": percentile(took, 0.95),
        "processor": median(worked),
        "memory": _peak_megabytes(),
    }


def _timed(run: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    result = run()
    return result, (time.perf_counter() - began) * 1_000


def _peak_megabytes() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1_024 if sys.platform == "linux" else 1_024**2
    )


if __name__ == "__main__":
    raise SystemExit(main())
