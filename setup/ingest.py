"""Builds or refreshes one edition of the store.

    python -m setup.ingest                          the configured source, else the public specification
    python -m setup.ingest ../spec/es2026           a folder of pages, one HTML file, or an address
    python -m setup.ingest --sample                 the sample that ships with the project
    python -m setup.ingest SOURCE ... --check       prove that nothing is lost, of one source or several;
                                                    write nothing
    python -m setup.ingest SOURCE --dry-run         show what would be made; write nothing
    python -m setup.ingest SOURCE --summaries --contexts
                                                    make what some strategies search (docs/strategies.md)

The summary goes to standard output, progress to standard error. A run that dies leaves the edition before
answering, and the next run goes on from what it had embedded.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storage import program
from storage.arguments import Parser
from storage.errors import InputError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from setup.generation import Asked
    from setup.pipeline import Build
    from setup.sources import Source
    from storage.model import EditionRecord
    from storage.reporting import Bars, Lines
    from storage.settings import Settings
    from storage.writer import Stored


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked for."""

    sources: Sequence[str]
    """Several only with `check`."""
    edition: str | None
    sample: bool
    check: bool
    dry_run: bool
    refresh: bool
    summaries: str | None
    contexts: str | None
    as_json: bool

    @property
    def source(self) -> str | None:
        """The one source, where one was named."""
        return self.sources[0] if self.sources else None

    @property
    def generated(self) -> "Asked":
        """What is to be generated beside the text."""
        from setup.generation import Asked

        return Asked(self.summaries, self.contexts)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    from setup.generation import CONTEXT_WAYS, SUMMARY_WAYS, way

    about = "Builds or refreshes one edition of the store from specification HTML."
    example = "example: python -m setup.ingest ../spec/es2026 --edition es2026"
    out = Parser(prog="python -m setup.ingest", description=about, epilog=example)
    out.add_argument(
        "sources",
        nargs="*",
        metavar="SOURCE",
        help="a folder of HTML pages, one HTML file, or an address (default: ASK262_SOURCE, else the public "
        "multipage specification); several with --check",
    )
    out.add_argument("--edition", metavar="NAME", help="what to call it (default: from its title)")
    out.add_argument("--sample", action="store_true", help="ingest the sample specification")
    out.add_argument("--check", action="store_true", help="only prove that nothing is lost; write nothing")
    out.add_argument("--dry-run", action="store_true", help="prove and summarise; write nothing")
    out.add_argument(
        "--summaries",
        nargs="?",
        const=SUMMARY_WAYS[0],
        type=way(SUMMARY_WAYS, "--summaries"),
        metavar="HOW",
        help="also keep a summary of each longer section, to search: extractive (the default) or model",
    )
    out.add_argument(
        "--contexts",
        nargs="?",
        const=CONTEXT_WAYS[0],
        type=way(CONTEXT_WAYS, "--contexts"),
        metavar="HOW",
        help="also index each block behind its context: headings (the default) or model; many vectors",
    )
    out.add_argument("--refresh", action="store_true", help="fetch an address anew")
    out.add_argument("--json", action="store_true", dest="as_json", help="the result as JSON")
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a foreseeable failure told in one line, 130 interrupted."""
    said = "interrupted: the store is as it was; run the same command again to go on"
    return program.run(lambda: ingest(Options(**vars(parser().parse_args(arguments)))), interrupted=said)


def ingest(options: Options) -> int:
    """One ingest, from reading to the switch."""
    from storage.reporting import reporter
    from storage.settings import load_settings

    if options.sample and options.source:
        raise InputError("--sample ingests the sample: leave out SOURCE, or leave out --sample")
    if len(options.sources) > 1 and (not options.check or options.edition):
        raise InputError("one SOURCE at a time, or several with --check and without --edition")
    settings = load_settings()
    if not options.check and not options.dry_run:
        _require_folder(settings.storage_dir)
    progress = reporter()
    try:
        if options.check:
            return _check(options, settings, progress)
        source = _read(options, settings, progress)
        if (record := _unchanged(options, source, settings)) is not None:
            return _tell_unchanged(options, record)
        made = _build(options, source, settings, progress)
        return _store(options, source, made, settings, progress)
    finally:
        progress.close()


def _require_folder(path: "Path") -> None:
    """Said before minutes are spent on reading and embedding."""
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is no folder; set ASK262_STORAGE_DIR to one that exists or can be made")


def _read(options: Options, settings: "Settings", progress: "Lines | Bars") -> "Source":
    from setup.sources import read_source

    return read_source(
        options.source, sample=options.sample, settings=settings, progress=progress, refresh=options.refresh
    )


def _unchanged(options: Options, source: "Source", settings: "Settings") -> "EditionRecord | None":
    """The edition as it stands, where this very ingest already made it; then nothing needs to be parsed."""
    if options.dry_run:
        return None
    from storage.writer import up_to_date

    return up_to_date(settings.storage_dir, _inputs(options, source, settings))


def _inputs(options: Options, source: "Source", settings: "Settings") -> str:
    from setup.generation import made_by
    from setup.unchanged import inputs_digest
    from storage.identity import configured_identity

    return inputs_digest(
        source,
        edition=options.edition,
        rules=settings.rules,
        embedder=configured_identity(settings),
        generated=made_by(options.generated, settings),
    )


def _tell_unchanged(options: Options, record: "EditionRecord") -> int:
    told = f"{record.edition} is up to date: nothing embedded, nothing written"
    if options.as_json:
        named = {"edition": record.edition, "title": record.title, "origin": record.origin}
        done = {"counts": record.counts, "built": record.built, "written": False, "embedded": 0}
        _print(json.dumps({**named, **done, "told": told}, indent=1))
    else:
        _print(f"{told} ({_holds(record)}, built {record.built})")
    return 0


def _build(options: Options, source: "Source", settings: "Settings", progress: "Lines | Bars") -> "Build":
    from setup.pipeline import build

    progress.say(
        f"{_reads(source)}; {'writes nothing' if options.dry_run else f'writes to {settings.storage_dir}'}"
    )
    return build(source, edition=options.edition, rules=settings.rules, progress=progress)


def _reads(source: "Source") -> str:
    return f"reads {len(source.files)} file{'s' if len(source.files) != 1 else ''} from {source.origin}"


def _check(options: Options, settings: "Settings", progress: "Lines | Bars") -> int:
    """Prove of each source that nothing is lost; all are read before the first is proven."""
    from dataclasses import replace

    from setup.proofs import data, lines, prove

    each = [replace(options, sources=[source]) for source in options.sources] or [options]
    proofs = []
    for source in [_read(one, settings, progress) for one in each]:
        progress.say(f"{_reads(source)}; writes nothing")
        proofs.append(prove(source, edition=options.edition, rules=settings.rules, progress=progress))
        if not options.as_json:
            _print("\n".join(lines(proofs[-1])))
    if options.as_json:
        _print(json.dumps(data(proofs), indent=1))
    return 0 if all(proof.passed for proof in proofs) else 1


def _store(
    options: Options, source: "Source", made: "Build", settings: "Settings", progress: "Lines | Bars"
) -> int:
    from setup.checks import require
    from setup.summary import data, lines, summarise

    require(made.report)
    outcome: dict[str, object] = {}
    if not options.dry_run:
        outcome = _write(options, made, _inputs(options, source, settings), settings, progress)
    summary = summarise(made.assembled, made.skipped)
    if options.as_json:
        _print(json.dumps({**data(summary), **outcome}, indent=1))
        return 0
    for line in lines(summary):
        _print(line)
    for key in ("account", "told") if outcome else ():
        _print(str(outcome[key]))
    return 0


def _write(
    options: Options, made: "Build", inputs: str, settings: "Settings", progress: "Lines | Bars"
) -> dict[str, object]:
    """Generate, embed, store, check and switch; what was done, for the last lines."""
    from setup.generation import generate
    from storage.embedder import load_embedder
    from storage.writer import write_edition

    began = time.monotonic()
    embedder = load_embedder(settings)
    built = made.assembled.built
    generated = generate(built, options.generated, settings, progress)
    stored = write_edition(
        settings.storage_dir, built, embedder, generated=generated, inputs=inputs, progress=progress
    )
    record, seconds = stored.record, time.monotonic() - began
    told = (
        f"{record.edition} answers from {settings.storage_dir}: {_holds(record)}, stored in {seconds:.0f} s"
    )
    outcome = {"counts": record.counts, "built": record.built, "written": stored.written}
    done = {"embedded": stored.embedded, "seconds": round(seconds, 1), "account": _account(stored)}
    return {**outcome, **done, "told": told}


def _account(stored: "Stored") -> str:
    """What storing an edition came to, in one line."""
    if not stored.written:
        return f"{stored.record.edition} is up to date: nothing embedded, no table written"
    vectors = _vectors(stored)
    if stored.changes is None:
        return vectors
    changes = stored.changes
    units = f"{_count(changes.changed, 'unit')} changed, {changes.new:,} new, {changes.removed:,} removed"
    return f"{units}; {vectors}"


def _vectors(stored: "Stored") -> str:
    from storage.generated import vector_count

    record, before = stored.record, stored.record.previous
    thing = "text" if record.generated else "window"
    rest = vector_count(record) - stored.embedded
    told = f"{_count(stored.embedded, thing)} embedded, {rest:,} from the cache"
    lost = [role for role in (before.generated if before else ()) if role not in record.generated]
    options = " ".join(f"--{role}" for role in lost)
    return f"{told}; the build before had {' and '.join(lost)}, {options} makes them again" if lost else told


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' if number != 1 else ''}"


def _holds(record: "EditionRecord") -> str:
    counts = record.counts
    made = "".join(f", {counts[role]:,} {role} ({maker})" for role, maker in record.generated.items())
    return f"{counts['units']:,} units, {counts['windows']:,} vectors by {record.embedder.name}{made}"


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
