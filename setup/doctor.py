"""Looks at everything that an answer rests on and says what is wrong, each with the command that mends it.

    python -m setup.doctor              settings, sources, the store, models, prompts
    python -m setup.doctor --json       for programs

Changes nothing. Exit status 1 if anything failed; a warning is none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from setup.doctor_finding import Finding, Severity, fail, ok
from storage import program
from storage.arguments import Parser
from storage.errors import Ask262Error, SettingsError

if TYPE_CHECKING:
    from storage.settings import Settings

_WIDTH = 20
"""Columns for a finding's name."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = Parser(
        prog="python -m setup.doctor",
        description="Looks at settings, sources, the store, models and prompts; says what mends each fault.",
        epilog='example: python -m setup.doctor && ask262 "7.1.4"',
    )
    out.add_argument("--json", action="store_true", dest="as_json", help="the findings as JSON")
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 nothing failed, 1 something did, 130 interrupted."""
    return program.run(lambda: _examine(as_json=parser().parse_args(arguments).as_json))


def _examine(*, as_json: bool) -> int:
    found = _told(examine(), as_json=as_json)
    failed = any(finding.severity is Severity.FAIL for finding in found)
    return program.FAILED if failed else program.DONE


def examine() -> Iterator[Finding]:
    """Every finding, as it is made. Without settings nothing else can be found."""
    from storage.settings import load_settings

    try:
        settings = load_settings()
    except SettingsError as error:
        yield fail("settings", str(error), "cat .env.example")
        return
    yield ok("settings", f"all are known and in range; the store is {settings.storage_dir}")
    yield from findings(settings)


def findings(settings: "Settings") -> Iterator[Finding]:
    """Every finding about what the settings name."""
    from setup import doctor_models, doctor_sources, doctor_store

    for name, look in (
        ("source", doctor_sources.configured_source),
        ("downloads", doctor_sources.downloads),
        ("store", doctor_store.store_findings),
        ("embedder", doctor_models.embedder),
        ("chat model", doctor_models.chat_model),
    ):
        try:
            yield from look(settings)
        except Ask262Error as error:
            # One that no check foresaw; the rest is still worth knowing.
            yield fail(name, str(error), "python -m setup.ingest SOURCE")
    yield from doctor_models.prompts()


def _told(found: Iterable[Finding], *, as_json: bool) -> list[Finding]:
    """Print the findings, one by one for a person; give them back."""
    out = []
    for finding in found:
        out.append(finding)
        if not as_json:
            sys.stdout.write(line(finding) + "\n")
            sys.stdout.flush()
    counts = {severity: sum(one.severity is severity for one in out) for severity in Severity}
    if as_json:
        listed = [
            {"name": one.name, "severity": one.severity, "message": one.message, "remedy": one.remedy}
            for one in out
        ]
        sys.stdout.write(json.dumps({"findings": listed, "counts": counts}, indent=1) + "\n")
    else:
        sys.stdout.write(f"{counts[Severity.FAIL]} failed, {counts[Severity.WARN]} to look at\n")
    return out


def line(finding: Finding) -> str:
    """A finding for a person; its remedy on a line of its own, ready to paste."""
    told = f"{finding.severity:<5} {finding.name:<{_WIDTH}} {finding.message}"
    return f"{told}\n      {'':<{_WIDTH}} mend: {finding.remedy}" if finding.remedy else told


if __name__ == "__main__":
    raise SystemExit(main())
