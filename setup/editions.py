"""Shows and changes which editions the store holds.

    python -m setup.editions                    list them; the one that is asked by default has a star
    python -m setup.editions remove es2025      take an edition out
    python -m setup.editions restore es2026     go back to the build before, and again to return
    python -m setup.editions prune              drop tables and embeddings that no edition uses

Nothing is asked back: what is removed can be ingested again, and its embeddings are kept until `prune`.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from storage import program
from storage.arguments import Parser

if TYPE_CHECKING:
    from storage.model import EditionRecord
    from storage.settings import Settings
    from storage.upkeep import Freed


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = Parser(
        prog="python -m setup.editions",
        description="Lists the editions in the store, removes one, or goes back to its build before.",
        epilog="example: python -m setup.editions restore es2026",
    )
    out.add_argument("--json", action="store_true", dest="as_json", help="the result as JSON")
    commands = out.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("list", help="the editions in the store (the default)")
    for name, about in (
        ("remove", "take an edition out of the store"),
        ("restore", "go back to an edition's build before"),
    ):
        command = commands.add_parser(name, help=about)
        command.add_argument("edition", metavar="NAME", help="as listed, such as es2026")
    commands.add_parser("prune", help="drop tables and cached embeddings that no edition uses")
    for command in commands.choices.values():
        # Also behind the command, where people write it; without a default that would undo the one before it.
        command.add_argument(
            "--json",
            action="store_true",
            dest="as_json",
            default=argparse.SUPPRESS,
            help="the result as JSON",
        )
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a foreseeable failure told in one line, 130 interrupted."""
    said = "interrupted: every edition is as it was, or as it was asked to be"
    return program.run(lambda: _tell(parser().parse_args(arguments)), interrupted=said)


def _tell(options: argparse.Namespace) -> int:
    outcome = run(options)
    told = outcome.pop("told")
    sys.stdout.write(json.dumps(outcome, indent=1) + "\n" if options.as_json else f"{told}\n")
    return program.DONE


def run(options: argparse.Namespace) -> dict[str, object]:
    """What the command came to; `told` is the same for people."""
    from storage.settings import load_settings

    settings = load_settings()
    if options.command == "remove":
        return _remove(settings, options.edition)
    if options.command == "restore":
        return _restore(settings, options.edition)
    if options.command == "prune":
        return _prune(settings)
    return _list(settings)


def _remove(settings: "Settings", name: str) -> dict[str, object]:
    from storage.upkeep import remove_edition

    edition, freed = remove_edition(settings.storage_dir, name, say=_say)
    return {
        "removed": edition,
        **_freed(freed),
        "told": f"removed {edition}: {_told(freed)}; its embeddings stay in the cache until "
        "`python -m setup.editions prune`",
    }


def _restore(settings: "Settings", name: str) -> dict[str, object]:
    from storage.upkeep import restore_edition

    record = restore_edition(settings.storage_dir, name, say=_say)
    now = record.previous.built if record.previous else ""
    return {
        "restored": record.edition,
        "built": record.built,
        "previous": now,
        "told": f"{record.edition} answers from its build of {record.built} again; the one of {now} is kept: "
        f"python -m setup.editions restore {record.edition}",
    }


def _prune(settings: "Settings") -> dict[str, object]:
    from storage.upkeep import prune

    pruned = prune(settings.storage_dir, say=_say)
    return {
        **_freed(pruned.freed),
        "vectors": {"removed": pruned.vectors, "kept": pruned.kept, "bytes": pruned.bytes},
        "told": f"{_told(pruned.freed)}; {pruned.vectors:,} embeddings removed from the cache, "
        f"{pruned.kept:,} kept, {megabytes(pruned.bytes)} freed",
    }


def _list(settings: "Settings") -> dict[str, object]:
    from storage.catalog import nothing_there, read_catalog

    held = read_catalog(settings.storage_dir)
    if not held.records and not held.unusable:
        raise nothing_there(settings.storage_dir)
    default, note = _default(settings, held.records)
    editions = [_entry(settings, record, default=default) for record in held.records]
    faults = {edition: f"{fault.why}: {fault.remedy}" for edition, fault in held.unusable.items()}
    return {
        "folder": str(settings.storage_dir),
        "default": default,
        "editions": editions,
        "unusable": faults,
        "told": "\n".join(
            [
                *map(_line, editions),
                *(f"! {edition}  {fault}" for edition, fault in faults.items()),
                note,
            ]
        ),
    }


def _default(settings: "Settings", records: "tuple[EditionRecord, ...]") -> tuple[str | None, str]:
    """The edition that is asked where none is named, and a line that says why."""
    from storage.editions import resolve_edition
    from storage.errors import UnknownEditionError

    if not records:
        return None, "no edition can be asked until one is built again"
    try:
        record = resolve_edition(None, records, default=settings.edition)
    except UnknownEditionError:
        return None, f"ASK262_EDITION is {settings.edition}, which is not in the store: set it to one that is"
    why = (
        f"ASK262_EDITION is {settings.edition}" if settings.edition else "the newest; ASK262_EDITION sets it"
    )
    return record.edition, f"* is asked where no edition is named ({why})"


def _entry(settings: "Settings", record: "EditionRecord", *, default: str | None) -> dict[str, object]:
    from storage.inspection import build_bytes

    before = record.previous
    size = build_bytes(settings.storage_dir, record)
    return {
        "edition": record.edition,
        "title": record.title,
        "default": record.edition == default,
        "sample": record.sample,
        "origin": record.origin,
        "built": record.built,
        "embedder": record.embedder.name,
        "representation": record.representation,
        "counts": record.counts,
        "bytes": size + (build_bytes(settings.storage_dir, before) if before else 0),
        "previous": before.built if before else None,
    }


def _line(entry: dict[str, object]) -> str:
    counts = entry["counts"]
    units = counts["units"] if isinstance(counts, dict) else 0
    size = megabytes(int(str(entry["bytes"])))
    line = f"{'*' if entry['default'] else ' '} {entry['edition']}  {entry['title']}\n"
    line += f"    {units:,} units, {size}, vectors by {entry['embedder']}, built {entry['built']}\n"
    line += f"    from {entry['origin']}"
    return f"{line}; before it: the build of {entry['previous']}" if entry["previous"] else line


def _freed(freed: "Freed") -> dict[str, object]:
    return {"tables": {"dropped": freed.tables, "bytes": freed.bytes, "still_read": freed.still_read}}


def _told(freed: "Freed") -> str:
    told = f"{freed.tables} tables dropped, {megabytes(freed.bytes)} freed"
    if freed.still_read:
        told += f"; {freed.still_read} more go when nobody reads them any longer"
    return told


def megabytes(size: int) -> str:
    """A size on disk as people read it.

    >>> megabytes(20_209_664)
    '20.2 MB'
    """
    return f"{size / 1_000_000:,.1f} MB"


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
