"""A page that says what the proofs found, from the report of one command.

    python -m setup.ingest SOURCE... --check --json > REPORT
    python -m evaluation proofs REPORT --out docs/proofs.md

Nothing is measured here: every figure of the page stands in the report.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.breakdown import table
from setup.proofs import SCHEMA
from storage.errors import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "report", metavar="REPORT", type=Path, help="what `setup.ingest --check --json` wrote"
    )
    parser.add_argument(
        "--out", type=Path, metavar="PAGE", help="write the page here, not to standard output"
    )


def run(options: argparse.Namespace) -> int:
    """Read the report, write the page."""
    text = page(_read(options.report))
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.write_text(text, encoding="utf-8")
        sys.stderr.write(f"wrote {options.out}\n")
    return 0


def _read(path: Path) -> dict[str, Any]:
    remedy = "make one with `python -m setup.ingest SOURCE... --check --json`"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; {remedy}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON; {remedy}") from None
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        raise InputError(f"{path} is no report of proofs ({SCHEMA}); {remedy}")
    return report


def page(report: dict[str, Any]) -> str:
    """The whole page, in Markdown."""
    editions: list[dict[str, Any]] = report["editions"]
    lines = [
        "# What the proofs found",
        "",
        "Written by `python -m evaluation proofs REPORT --out docs/proofs.md` from the report of",
        "`python -m setup.ingest SOURCE... --check --json`; not edited by hand.",
        f"Text as `{report['representation']}`. {'All proofs hold.' if report['passed'] else 'NOT PROVEN.'}",
        "",
        *_sources(editions),
        "",
        "## What was looked at, and what was found",
        "",
        "How many things each proof examined; a finding, if there is one, in brackets.",
        "",
        *_checks(editions),
        "",
        "The first five compare the stored units with the rendered text. The sixth shares nothing with the",
        "renderer: it reads the HTML with another parser and aligns the words of both. A word is a run of",
        "letters and digits, or one mark of punctuation.",
        "",
        "## Words of the HTML and of the text",
        "",
        *_words(editions),
        "",
        "What the text has besides the words of the HTML, by reason:",
        "",
        *_counted(editions, "generated"),
        "",
    ]
    if any(edition["words"]["missing"] for edition in editions):
        lines += ["Words that are not in their place, by element:", "", *_counted(editions, "missing"), ""]
    return "\n".join(lines)


def _names(editions: Sequence[dict[str, Any]]) -> list[str]:
    return ["", *(edition["source"] for edition in editions)]


def _sources(editions: Sequence[dict[str, Any]]) -> list[str]:
    rows = [
        [
            edition["source"],
            edition["title"],
            f"{edition['pages']:,}",
            f"{edition['characters']:,}",
            f"`{edition['sourcedigest'][:16]}…`",
        ]
        for edition in editions
    ]
    return table(["source", "title", "pages", "characters of text", "SHA-256"], rows)


def _checks(editions: Sequence[dict[str, Any]]) -> list[str]:
    rows = []
    for number, first in enumerate(editions[0]["checks"]):
        each = [edition["checks"][number] for edition in editions]
        rows.append([f"{first['check']}. {first['promise']}", *(_verdict(check) for check in each)])
    return table(_names(editions), rows)


def _verdict(check: dict[str, Any]) -> str:
    findings = len(check["findings"])
    return f"{check['examined']:,}" + (f" ({findings:,})" if findings else "")


def _words(editions: Sequence[dict[str, Any]]) -> list[str]:
    words = [edition["words"] for edition in editions]
    rows = [["visible words in order", *(f"{each['share']:.4%}" for each in words)]]
    for name, key in (
        ("visible words", "visible"),
        ("in order", "in_order"),
        ("elsewhere in the text", "moved"),
        ("lost", "lost"),
    ):
        rows.append([name, *(f"{each[key]:,}" for each in words)])
    rows.append(["run together or torn apart", *(f"{sum(each['respaced'].values()):,}" for each in words)])
    return table(_names(editions), rows)


def _counted(editions: Sequence[dict[str, Any]], key: str) -> list[str]:
    found = [edition["words"][key] for edition in editions]
    reasons = sorted(
        {reason for each in found for reason in each}, key=lambda r: -sum(e.get(r, 0) for e in found)
    )
    return table(
        _names(editions), [[reason, *(f"{each.get(reason, 0):,}" for each in found)] for reason in reasons]
    )
