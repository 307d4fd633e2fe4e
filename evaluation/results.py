"""Stored results: one JSON file a measurement under `docs/results`, which the report is written from.

Every file has the same head, so that a figure can be traced: the command, the commit and whether the program
had been changed since, the machine without its name, the date, and the digests of the data. Ids and figures
only: nothing of a specification's text.
"""

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storage.errors import InputError
from storage.model import EditionRecord
from storage.settings import ROOT

SCHEMA = "ask262/results/1"
FOLDER = ROOT / "docs" / "results"
PROGRAM = ("agent", "evaluation", "prompts", "setup", "storage", "tools")
"""The folders whose change may change a figure."""


def head(
    name: str, command: str, *, editions: Sequence[EditionRecord] = (), questions: Iterable[Path] = ()
) -> dict[str, Any]:
    """What every stored result begins with. `command` is as it would be typed; files by their names alone."""
    return {
        "schema": SCHEMA,
        "name": name,
        "command": command,
        "commit": commit(),
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
        "data": {
            "editions": [_edition(record) for record in editions],
            "questions": {path.stem: digest(path) for path in questions},
        },
    }


def _edition(record: EditionRecord) -> dict[str, Any]:
    return {
        "edition": record.edition,
        "source": record.sourcedigest[:16],
        "build": record.build[:16],
        "representation": record.representation,
        "embedder": f"{record.embedder.name} {record.embedder.digest[:16]}",
        "units": record.counts["units"],
        "windows": record.counts["windows"],
    }


def digest(path: Path) -> str:
    """The first 16 hexadecimal digits of a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def commit() -> str:
    """The commit that the program stands at, with `+` where it was changed since; empty outside a clone."""
    at = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *PROGRAM)
    return f"{at}+" if at and changed else at


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607 - fixed words, whichever git there is
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """What figures of time depend on; no name of a machine, user or folder."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count() or 0,
        "python": platform.python_version(),
    }


def write(path: Path, result: Mapping[str, Any]) -> None:
    """One result, keys in the order in which they were made; folders are made where there are none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rounded(result), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def rounded(value: Any) -> Any:
    """The same with floats to four places: what is behind them is noise, and the files are compared."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def read(path: Path) -> dict[str, Any]:
    """A stored result. Raises InputError for anything else."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"The result in {path} cannot be read: {error}.") from error
    if not isinstance(result, dict) or result.get("schema") != SCHEMA or "command" not in result:
        raise InputError(f"{path} holds no result ({SCHEMA}); remove it, or make it anew with its command.")
    return result


def stored(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Every result of a folder by its name: the file's name without its ending."""
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}
