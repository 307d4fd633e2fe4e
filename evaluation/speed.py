"""How fast an ingest is, as ratios within one run: parsing, embedding, whole ingests.

    python -m evaluation speed SOURCE
    python -m evaluation speed SOURCE --part parse --repeat 3 --json speed.json

A machine that others use gives no times worth quoting, so every figure stands beside one of the same run.
Parsing is measured in processor seconds, ingests as whole processes with their peak memory.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from setup.sources import Source, read_source
from storage.errors import InputError
from storage.model import BreakdownRules
from storage.progress import Silent
from storage.settings import PREFIX, load_settings

PARTS = ("parse", "embed", "ingest")
_TEXTS = 400
"""Windows that the embedder is timed on, taken evenly from the whole edition."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured quantity, what it is compared with, and the bound that was promised (0 for none)."""

    name: str
    value: float
    unit: str
    against: str
    ratio: float
    bound: str = ""

    @property
    def line(self) -> str:
        """One row of the printed table."""
        promised = f"   promised {self.bound}" if self.bound else ""
        measured = f"{self.value:>9,.2f} {self.unit:<7} {self.ratio:>6.2f} x {self.against}"
        return f"{self.name:<32} {measured}{promised}"


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.epilog = "example: python -m evaluation speed ../spec/es2026 --part parse"
    parser.add_argument("source", metavar="SOURCE", help="a folder of HTML pages or one HTML file")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part (default: all)")
    parser.add_argument("--repeat", type=int, default=3, help="how often parsing and embedding are timed")
    parser.add_argument("--json", metavar="OUT", help="write the figures to a file as well")


def run(arguments: argparse.Namespace) -> int:
    """Print each part's figures as soon as they are there."""
    if arguments.repeat < 1:
        raise InputError(f"--repeat {arguments.repeat}: at least 1")
    source = read_source(arguments.source, sample=False, settings=load_settings(), progress=Silent())
    figures: list[Figure] = []
    measures: dict[str, Callable[[], list[Figure]]] = {
        "parse": lambda: parsing(source, repeat=arguments.repeat),
        "embed": lambda: embedding(source, repeat=arguments.repeat),
        "ingest": lambda: ingests(Path(arguments.source)),
    }
    for part in arguments.part or PARTS:
        for figure in measures[part]():
            figures.append(figure)
            sys.stdout.write(figure.line + "\n")
            sys.stdout.flush()
    if arguments.json:
        rows = [
            {"name": f.name, "value": f.value, "unit": f.unit, "against": f.against, "ratio": f.ratio}
            for f in figures
        ]
        Path(arguments.json).write_text(json.dumps({"source": source.name, "figures": rows}, indent=1) + "\n")
    return 0


def parsing(source: Source, *, repeat: int) -> list[Figure]:
    """Everything from HTML to a cut edition, against the parser alone on the same pages."""
    from setup.baseline import parse_with_beautiful_soup, parse_with_html5lib
    from setup.pipeline import build

    pages = [file.html for file in source.files]
    alone = _processor(lambda: parse_with_beautiful_soup(pages), repeat)
    bare = _processor(lambda: parse_with_html5lib(pages), repeat)
    whole = _processor(
        lambda: build(source, edition="speed", rules=BreakdownRules(), progress=Silent()), repeat
    )
    parser = "BeautifulSoup with html5lib"
    return [
        Figure("parse, render, cut and prove", whole, "s", parser, whole / alone, "<= 1.4"),
        Figure("the same", whole, "s", "html5lib's own tree", whole / bare),
    ]


def _processor(work: Callable[[], Any], repeat: int) -> float:
    """Processor seconds of a call: the median of several."""
    seconds = []
    for _ in range(repeat):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return median(seconds)


def embedding(source: Source, *, repeat: int) -> list[Figure]:
    """The embedder against a bare loop over the same model file, texts and number of threads."""
    from setup.pipeline import build
    from storage.embedder import load_embedder

    texts = _sampled(build(source, edition="speed", rules=BreakdownRules(), progress=Silent()))
    embedder = load_embedder(load_settings())
    ours = _wall(lambda: embedder.embed_documents(texts), repeat)
    bare = _wall(_bare_loop(texts), repeat)
    rate = len(texts) / ours
    return [Figure("embedding", rate, "texts/s", "a bare onnxruntime loop", bare / ours, ">= 0.9")]


def _sampled(build: Any) -> list[str]:
    from storage.passages import embedded_windows

    built = build.assembled.built
    pages = {page.source: page.text for page in built.pages}
    texts = [window.text for unit in built.units for window in embedded_windows(unit, pages[unit.source])]
    step = max(1, len(texts) // _TEXTS)
    return texts[::step][:_TEXTS]


def _wall(work: Callable[[], Any], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def _bare_loop(texts: Sequence[str]) -> Callable[[], None]:
    """Batches of eight, by length, one session with all threads: what one writes without further thought."""
    import numpy as np
    import onnxruntime

    from storage.bundled import MODEL, read_verified, tokenizer
    from storage.minilm import available_threads
    from storage.windows import MAX_TOKENS

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = available_threads()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(read_verified(MODEL), options, providers=["CPUExecutionProvider"])
    encoded = sorted((tokenizer().encode(text).ids[:MAX_TOKENS] for text in texts), key=len)

    def loop() -> None:
        for first in range(0, len(encoded), 8):
            batch = encoded[first : first + 8]
            ids = np.zeros((len(batch), len(batch[-1])), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, tokens in enumerate(batch):
                ids[row, : len(tokens)] = tokens
                mask[row, : len(tokens)] = 1
            session.run(
                None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            )

    return loop


def ingests(source: Path) -> list[Figure]:
    """Whole programs in a store of their own: a first ingest, the same again, one with a changed section."""
    with tempfile.TemporaryDirectory(prefix="ask262-speed-") as folder:
        copy = Path(folder) / "source"
        copy.mkdir()
        for page in [source] if source.is_file() else sorted(source.glob("*.html")):
            shutil.copy(page, copy / page.name)
        store = Path(folder) / "store"
        base, _ = _ingest(copy, store, "--dry-run")
        first, peak = _ingest(copy, store)
        again, _ = _ingest(copy, store)
        _change_one_section(copy)
        changed, _ = _ingest(copy, store)
    reading = "reading without storing"
    return [
        Figure("a first ingest", first, "s", reading, first / base),
        Figure("its peak memory", peak / 1024, "MB", "1,229 MB", peak / 1024 / 1229, "<= 1"),
        Figure("the same again", again, "s", reading, again / base, "<= 1.5 of parsing"),
        Figure("with one section changed", changed, "s", reading, changed / base, "+ 2 s"),
    ]


def _ingest(source: Path, store: Path, *options: str) -> tuple[float, float]:
    """Wall seconds and peak memory in KB of one ingest."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment[f"{PREFIX}STORAGE_DIR"] = str(store)
    command = [sys.executable, "-P", "-m", "setup.ingest", str(source), "--edition", "speed", *options]
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  (a program of ours, no shell)
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        told = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise InputError(f"the ingest failed: {told.strip().splitlines()[-1]}")
    return time.perf_counter() - began, usage.ru_maxrss


def _change_one_section(folder: Path) -> None:
    """A sentence more in one paragraph of the largest page."""
    page = max(folder.glob("*.html"), key=lambda path: path.stat().st_size)
    html = page.read_text(encoding="utf-8")
    place = html.find("</p>", len(html) // 2)
    page.write_text(f"{html[:place]} Changed for measuring.{html[place:]}", encoding="utf-8")
