"""The page on all measurements, written from stored results and from nothing else.

    python -m evaluation report [--results docs/results] [--out docs/evaluation.md]

What was not measured yet is named with the command that measures it.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from evaluation.report_parts import FOLDER, Part, Result, Shown, part, result
from evaluation.results import FOLDER as RESULTS
from evaluation.results import stored
from evaluation.studies.study import words
from evaluation.studies.table import STUDIES
from evaluation.tables import markdown
from storage.settings import ROOT

PAGE = ROOT / "docs" / "evaluation.md"
_FILES = "--questions FILE..."

PARTS = (
    Part(
        "Rankings",
        "retrieval",
        f"python -m evaluation retrieval {_FILES}",
        "How well the default search, our strategies and other libraries rank the sections that answer.",
    ),
    *(
        Part(words(name).title, f"study-{name}", f"python -m evaluation studies {name} {_FILES}")
        for name in STUDIES
    ),
    Part("Exact look-up", "lookup", "python -m evaluation keep lookup"),
    Part("Time of a search", "latency", f"python -m evaluation keep latency {_FILES}"),
    Part("Many editions", "scale", "python -m evaluation scale"),
    Part(
        "Thresholds of the built-in model", "fit-offline", f"python -m evaluation keep fit-offline {_FILES}"
    ),
    Part("Answers", "answers", f"python -m evaluation answers {_FILES} --summary OUT"),
)
"""The page, in order."""

COMPARED = """\
* **Only rows of one table.** They were measured in one run, on the same questions, data and
  budget. Figures of different tables may come from different commits; the line under each says which.
* **Not synthetic and real questions.** Synthetic ones take their words from the text, which flatters every
  search by words. They say whether evidence is complete, not whether people are understood.
* **Not the development questions and yours.** The weights of the default search were chosen on these files,
  by folds of chapters. A file that was never looked at is the better witness.
* **Not rankings of sections and of blocks by rank alone.** The default ranks sections; most strategies rank
  blocks and name their sections. Evidence within the budget compares them fairly.
* **Not another library's default with our tuned form.** Each library stands in its documented default and in
  one tuned form; the second is the fair rival.
* **Not times of different machines or runs**, nor answers of different models.
* **Intervals** are percentiles of 10,000 resamplings of the questions (95 %). Differences are paired: both
  sides on the same resampled questions. A difference whose interval holds 0 is none. No correction was made
  for the number of comparisons: of twenty rows without a difference one will look like one."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="the stored results")
    parser.add_argument("--out", type=Path, default=PAGE, metavar="PAGE", help="write the page here")


def run(arguments: argparse.Namespace) -> int:
    """Write the page and its drawings; drawings that no result has any more are removed."""
    shown = page(stored(arguments.results))
    arguments.out.write_text("\n".join(shown.lines) + "\n", encoding="utf-8")
    folder = arguments.out.parent / FOLDER
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.svg"):
        if f"{FOLDER}/{old.name}" not in shown.drawings:
            old.unlink()
    for path, svg in shown.drawings.items():
        (arguments.out.parent / path).write_text(svg, encoding="utf-8")
    sys.stderr.write(f"wrote {arguments.out} and {len(shown.drawings)} drawings\n")
    return 0


def page(results: Mapping[str, Result]) -> Shown:
    """The whole page."""
    lines = [
        "# What was measured",
        "",
        "Written by `python -m evaluation report` from the results under `docs/results`; not edited by hand.",
        "A mean has its 95 % interval in brackets.",
        "",
        "## Which figures may be compared",
        "",
        *COMPARED.splitlines(),
        "",
        "## How the results were made",
        "",
        *_made(results),
        "",
    ]
    drawings: dict[str, str] = {}
    shown = [part(one, results) for one in PARTS]
    claimed = {name for one in PARTS for name in one.names(results)}
    others = [name for name in results if name not in claimed]
    if others:
        lines_of = [line for name in others for line in result(name, results[name]).lines]
        shown.append(Shown(["## Other results", "", *lines_of], {}))
    for one in shown:
        lines += one.lines
        drawings |= one.drawings
    return Shown(lines[:-1], drawings)


def _made(results: Mapping[str, Result]) -> list[str]:
    """A line a result: when, from which commit, on what machine, over which data."""
    if not results:
        return ["Nothing was measured yet."]
    rows = []
    for name, one in results.items():
        machine = one["machine"]
        rows.append(
            [
                name,
                one["date"],
                f"`{one['commit'] or 'unknown'}`",
                f"{machine['system']}, {machine['processors']} processors, Python {machine['python']}",
                ", ".join(
                    f"{e['edition']}, {e['representation']}, {e['embedder']}" for e in one["data"]["editions"]
                ),
            ]
        )
    told = ["`+` after a commit: the program had been changed since.", ""] if _changed(results) else []
    return [*told, *markdown(["result", "date", "commit", "machine", "data"], rows)]


def _changed(results: Mapping[str, Result]) -> bool:
    return any(one["commit"].endswith("+") for one in results.values())
