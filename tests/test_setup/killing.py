"""The real ingest in processes that a test may kill.

A parent imports the program once and forks for each run: a run then takes a second instead of four, and what
is killed is `setup.ingest.main` with the real parser, embedder and store, at whatever it is just doing.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from storage.settings import ROOT

PROGRAM = """
import importlib, os, sys, warnings
# What a fork may lose of LanceDB is what it opened, and the parent opens nothing.
warnings.filterwarnings("ignore", message="lancedb fork support")
for name in ("lancedb", "pyarrow", "bs4", "html5lib", "filelock", "onnxruntime", "storage.minilm",
             "storage.writer", "setup.ingest", "setup.pipeline", "storage.reporting", "setup.summary"):
    importlib.import_module(name)
# Now, so that an edit of the program while the tests run makes no difference between two runs.
importlib.import_module("setup.unchanged").program_digest()
for line in sys.stdin:
    storage_dir, *arguments = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if not child:
        os.environ["ASK262_STORAGE_DIR"] = storage_dir
        try:
            status = sys.modules["setup.ingest"].main(arguments)
        except BaseException as error:
            print(f"traceback {error!r}", file=sys.stderr)
            status = 99
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print("pid", child, file=sys.stderr, flush=True)
    _, status = os.waitpid(child, 0)
    print("end", os.waitstatus_to_exitcode(status), file=sys.stderr, flush=True)
"""

STAGES = ("pid", "parse", "windows", "write", "index", "check")
"""The lines that an ingest tells, each the beginning of the next stage: parsing, proving, embedding and
writing, indexing, checking, switching."""


@dataclass(frozen=True, slots=True)
class Run:
    """How one ingest ended: its status (minus nine if killed), when it told each stage (in seconds), and all
    that it said."""

    status: int
    told: dict[str, float]
    said: list[str]


class Ingests:
    """Runs `python -m setup.ingest ARGUMENTS` one after another."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._commands: IO[str] = process.stdin
        self._lines: IO[str] = process.stdout

    def run(self, storage_dir: Path, *arguments: str, kill_after: str = "", delay: float = 0.0) -> Run:
        """One ingest; killed `delay` seconds after it told the stage `kill_after`, unless it ended before."""
        self._commands.write("\t".join((str(storage_dir), *arguments)) + "\n")
        self._commands.flush()
        began, process = time.monotonic(), 0
        told: dict[str, float] = {}
        said: list[str] = []
        for line in self._lines:
            stage, _, rest = line.partition(" ")
            stage = stage.rstrip(":")
            if stage == "end":
                return Run(int(rest), told, said)
            assert stage != "traceback", line
            told.setdefault(stage, time.monotonic() - began)
            said.append(line.rstrip("\n"))
            process = int(rest) if stage == "pid" else process
            if kill_after and stage == kill_after:
                time.sleep(delay)
                kill(process)
        raise AssertionError("the parent of the ingests ended")


def kill(process: int) -> None:
    """SIGKILL, unless it ended already."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


@contextmanager
def ingests() -> Iterator[Ingests]:
    """A parent of ingests, with none of the machine's settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASK262_")}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # One pipe for both, so that what is said comes in its order.
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        yield Ingests(process)
        assert process.stdin is not None
        process.stdin.close()
