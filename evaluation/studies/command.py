"""Runs studies: prints their tables and keeps what they found.

    python -m evaluation studies [NAME...] --questions FILE... [--out docs/results] [--json OUT]

Which there are: `python -m evaluation studies --list`. The report is written from what is kept.
"""

import argparse
import json
import sys
from pathlib import Path

from evaluation import results
from evaluation.studies.setting import EACH, SAMPLED, Setting
from evaluation.studies.study import Findings, Study, words
from evaluation.studies.table import STUDIES, chosen
from storage.errors import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "example: python -m evaluation studies parent_size --questions questions.jsonl"
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(STUDIES)} (default: all)")
    parser.add_argument("--list", action="store_true", help="say what each study asks, and measure nothing")
    parser.add_argument("--questions", nargs="+", default=[], type=Path, metavar="FILE")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument("--each", type=int, default=EACH, metavar="N", help=f"questions a stratum ({EACH})")
    parser.add_argument("--sampled", type=int, default=SAMPLED, metavar="N", help=f"of each file ({SAMPLED})")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="keep each result there as study-NAME.json"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results there")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, keep."""
    studies = chosen(arguments.names)
    if arguments.list:
        sys.stdout.write("".join(f"{study.name:14}{words(study.name).question}\n" for study in studies))
        return 0
    if arguments.each < 1 or arguments.sampled < 1:
        raise InputError("--each and --sampled count questions and are at least 1.")
    setting = _setting(arguments)
    kept = {}
    for study in studies:
        sys.stderr.write(f"{study.name}: {words(study.name).question}\n")
        findings = study.measure(setting)
        sys.stdout.write(told(study, findings))
        sys.stdout.flush()
        kept[study.name] = {**_head(study, arguments, setting), **findings.data()}
        if arguments.out:
            results.write(arguments.out / f"study-{study.name}.json", kept[study.name])
    if arguments.json:
        arguments.json.write_text(json.dumps(results.rounded(kept), indent=1) + "\n", encoding="utf-8")
    return 0


def _setting(arguments: argparse.Namespace) -> Setting:
    from storage.embedder import check_embedder, load_embedder
    from storage.reader import open_reader
    from storage.settings import load_settings

    settings = load_settings()
    reader = open_reader(settings, arguments.edition)
    embedder = load_embedder(settings)
    check_embedder(reader.record, embedder)
    return Setting(
        settings,
        reader,
        embedder,
        files=arguments.questions,
        each=arguments.each,
        sampled=arguments.sampled,
    )


def _head(study: Study, arguments: argparse.Namespace, setting: Setting) -> dict[str, object]:
    files = " ".join(path.name for path in arguments.questions)
    command = f"python -m evaluation studies {study.name}" + (f" --questions {files}" if files else "")
    for name, normal in (("each", EACH), ("sampled", SAMPLED)):
        if getattr(arguments, name) != normal:
            command += f" --{name} {getattr(arguments, name)}"
    return results.head(
        f"study-{study.name}", command, editions=[setting.reader.record], questions=arguments.questions
    )


def told(study: Study, findings: Findings) -> str:
    """A study's tables as text."""
    from evaluation.tables import plain

    lines = [words(study.name).title, ""]
    for table in findings.tables:
        lines += [table.title, *plain(table.columns, table.rows), ""]
    return "\n".join(lines) + "\n"
