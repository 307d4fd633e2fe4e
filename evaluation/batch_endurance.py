"""A long batch with the built-in model: killed again and again, resumed, compared; and how its memory grows.

    python -m evaluation batch                       2,000 questions, 5 kills
    python -m evaluation batch --questions 200 --few 20 --kills 3

The questions are made of an edition's own names by a seeded script. One run is left alone, one is killed
with SIGKILL at random moments and resumed; their answers must be equal but for the seconds. Memory is the
peak of the process (VmHWM), for a few questions and for all.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.errors import Ask262Error, InputError

QUESTIONS, FEW, KILLS = 2_000, 50, 5
SEED = 262
FORMS = (
    "What does {} do?",
    "When does {} throw?",
    "Which sections refer to {}?",
    "What is {} given, and what does it return?",
    "In which order does {} do its steps?",
)


def configure(parser: argparse.ArgumentParser, /) -> None:
    """The command's arguments."""
    parser.add_argument("--questions", type=int, default=QUESTIONS, help=f"questions ({QUESTIONS:,})")
    parser.add_argument("--few", type=int, default=FEW, help=f"questions to compare memory with ({FEW})")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"times that the batch is killed ({KILLS})")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")


def run(arguments: argparse.Namespace, /) -> int:
    """Print what was measured; 1 where the answers differ."""
    if not 1 <= arguments.few <= arguments.questions:
        raise InputError("--few must be from 1 to --questions")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = questions(_names(arguments.edition), arguments.questions)
        (folder / "all.txt").write_text("\n".join(asked), encoding="utf-8")
        (folder / "few.txt").write_text("\n".join(asked[: arguments.few]), encoding="utf-8")
        few, _ = _whole(folder / "few.txt", folder / "few.jsonl", arguments.edition)
        peak, seconds = _whole(folder / "all.txt", folder / "alone.jsonl", arguments.edition)
        kills = _killed(folder / "all.txt", folder / "killed.jsonl", arguments.edition, kills=arguments.kills)
        equal = answers(folder / "alone.jsonl") == answers(folder / "killed.jsonl")
    sys.stdout.write(
        f"{len(asked):,} questions in {seconds:,.0f} s, {len(asked) / seconds:.1f} a second\n"
        f"killed {kills} times and resumed: the answers are {'equal' if equal else 'NOT equal'}\n"
        f"peak memory: {few:,.0f} MB for {arguments.few} questions, {peak:,.0f} MB for {len(asked):,}:"
        f" {peak / few:.2f} x\n"
    )
    return 0 if equal else 1


def questions(names: Sequence[str], count: int) -> list[str]:
    """As many different questions as asked for, the same for the same names."""
    every = [form.format(name) for form in FORMS for name in names]
    random.Random(SEED).shuffle(every)  # noqa: S311  (an order, not a secret)
    if len(every) < count:
        every += [f"{one} ({number})" for number in range(2, 2 + count // len(every)) for one in every]
    return every[:count]


def _names(edition: str | None) -> list[str]:
    from storage.model import NameKind
    from storage.reader import open_reader
    from storage.settings import load_settings

    wanted = (NameKind.OPERATION, NameKind.METHOD)
    names = open_reader(load_settings(), edition).names()
    return sorted({name.name for name in names if name.kind in wanted})


def _start(asked: Path, out: Path, edition: str | None) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "agent.batch", str(asked), "--out", str(out), "--model", "offline"]
    command += ["--edition", edition] if edition else []
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603  (our own program)


def _whole(asked: Path, out: Path, edition: str | None) -> tuple[float, float]:
    """The peak of a run's memory in megabytes, and its seconds."""
    began = time.perf_counter()
    with _start(asked, out, edition) as process:
        peak = max(_peaks(process), default=0.0)
        said = process.stderr.read() if process.stderr else ""
    if process.returncode:
        raise Ask262Error(
            f"the batch ended with status {process.returncode}: {said.strip().splitlines()[-1]}"
        )
    return peak, time.perf_counter() - began


def _peaks(process: "subprocess.Popen[str]") -> Iterator[float]:
    """The peak so far, again and again until the process ends; its lines are read, or it would wait."""
    assert process.stderr is not None
    status = Path(f"/proc/{process.pid}/status")
    for line in process.stderr:
        found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
        if found:
            yield int(found[1]) / 1024
        if line.startswith("error:"):
            return


def _killed(asked: Path, out: Path, edition: str | None, *, kills: int) -> int:
    """Kill a batch at random moments, and let a last run finish; how often it was killed before its end."""
    chance, total, done = random.Random(SEED), len(asked.read_text().splitlines()), 0  # noqa: S311
    for number in range(kills):
        until = round(total * (number + chance.random()) / (kills + 1)) + 1
        with _start(asked, out, edition) as process:
            while process.poll() is None and _lines(out) < until:
                time.sleep(chance.random() / 20)
            done += process.poll() is None
            process.kill()
    _whole(asked, out, edition)
    return done


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def answers(path: Path) -> dict[str, Any]:
    """The answers of a file by id, without what the clock alone decides."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {line["id"]: {key: value for key, value in line.items() if key != "seconds"} for line in lines}
