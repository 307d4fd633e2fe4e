"""What a search costs in a store of 10 and 100 times the units.

    python -m evaluation scale [--edition es2026] [--times 1 10 100] [--questions FILE...] [--limit N]

Two ways to grow: an edition under many names, side by side, since tables are made for each edition; and one
edition whose tables hold every row many times, as one specification of that size would. Each is measured in
a process of its own, after a round that is not counted. Times of two stores may be compared only within one
run; processor time is steadier where others use the machine.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluation import results
from evaluation.grown import large_edition, many_editions
from evaluation.questions import read_questions
from storage.errors import InputError
from storage.inspection import folder_bytes
from storage.model import EditionRecord
from storage.settings import ROOT

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"
RESULT = results.FOLDER / "scale.json"

MANY, LARGE = "editions side by side", "one large edition"


@dataclass(frozen=True, slots=True)
class Row:
    """One store: how it was grown, its size, and what its use took."""

    shape: str
    times: int
    units: int
    """Of the edition that is searched."""
    disk: float
    """Megabytes of all tables."""
    making: float
    """Seconds to write and index the tables."""
    open: float
    """Milliseconds until an edition can be asked."""
    first: float
    """Milliseconds of the first search."""
    median: float
    """Milliseconds of a warm search."""
    p95: float
    processor: float
    """Milliseconds of processor time of a warm search, all threads together."""
    slip: float
    """Milliseconds of the first look-up of a name with a slip, which reads the names."""
    memory: float
    """Megabytes at the peak of the process."""

    @property
    def line(self) -> str:
        """One row of the printed table."""
        return (
            f"{self.shape:<22}{self.times:>5} x{self.units:>11,}{self.disk:>9,.0f}{self.making:>9,.0f}"
            f"{self.open:>8,.0f}{self.first:>8,.0f}{self.median:>8,.1f}{self.p95:>8,.1f}"
            f"{self.processor:>11,.1f}{self.slip:>9,.0f}{self.memory:>9,.0f}"
        )


HEADING = (
    f"{'':<22}{'':>7}{'units':>11}{'MB':>9}{'s made':>9}{'open':>8}{'first':>8}{'median':>8}{'p95':>8}"
    f"{'processor':>11}{'a slip':>9}{'MB peak':>9}"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--times", nargs="+", type=int, default=[1, 10, 100], metavar="N")
    parser.add_argument("--questions", nargs="+", type=Path, default=[QUESTIONS], metavar="FILE")
    parser.add_argument("--limit", type=int, default=30, metavar="N", help="of each file (default 30)")
    parser.add_argument("--out", type=Path, default=RESULT, metavar="JSON", help="where figures are kept")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="to grow in (default: a temporary one)")


def run(arguments: argparse.Namespace) -> int:
    """Grow, measure, print, keep; every store is deleted once it is measured."""
    from storage.reader import open_reader
    from storage.settings import load_settings

    if min(arguments.times) < 1:
        raise InputError(f"--times {min(arguments.times)}: at least 1")
    files = [read_questions(path, limit=arguments.limit) for path in arguments.questions]
    asked = [one.question for questions in files for one in questions]
    if not asked:
        raise InputError("The files have no questions: there is nothing to time.")
    settings = load_settings()
    record = open_reader(settings, arguments.edition).record
    sys.stdout.write(f"{record.edition}, {len(asked)} questions, milliseconds\n{HEADING}\n")
    rows: list[Row] = []
    command = f"python -m evaluation scale --times {' '.join(map(str, arguments.times))}"
    for times in sorted(set(arguments.times)):
        for shape, grow in ((MANY, _many), (LARGE, _large)):
            with tempfile.TemporaryDirectory(prefix="ask262-scale-", dir=arguments.work) as folder:
                rows.append(_measured(shape, grow, settings.storage_dir, record, Path(folder), times, asked))
            sys.stdout.write(rows[-1].line + "\n")
            sys.stdout.flush()
            kept = results.head("scale", command, editions=[record], questions=arguments.questions)
            results.write(arguments.out, {**kept, "rows": [asdict(row) for row in rows]})
    return 0


Grow = Callable[[Path, EditionRecord, Path, int], EditionRecord]


def _many(store: Path, record: EditionRecord, folder: Path, times: int) -> EditionRecord:
    return many_editions(store, record, folder, times=times)[-1]


def _large(store: Path, record: EditionRecord, folder: Path, times: int) -> EditionRecord:
    return large_edition(store, record, folder, times=times)


def _measured(
    shape: str, grow: Grow, store: Path, record: EditionRecord, folder: Path, times: int, asked: Sequence[str]
) -> Row:
    needed, free = times * folder_bytes(store / "lance"), shutil.disk_usage(folder).free
    if needed * 2 > free:
        raise InputError(f"{times} times needs up to {needed * 2:,} bytes in {folder}; {free:,} are free.")
    began = time.perf_counter()
    grown = grow(store, record, folder, times)
    making = time.perf_counter() - began
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "evaluation.probe", str(folder), grown.edition],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if done.returncode:
        said = done.stderr.strip()[-300:]
        raise InputError(f"The store of {shape}, {times} times, cannot be measured: {said}")
    took = json.loads(done.stdout)
    return Row(
        shape,
        times,
        units=grown.counts["units"],
        disk=folder_bytes(folder) / 1e6,
        making=making,
        open=took["open"],
        first=took["first"],
        median=took["median"],
        p95=took["p95"],
        processor=took["processor"],
        slip=took["first slip"],
        memory=took["memory"],
    )
