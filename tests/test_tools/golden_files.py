"""Compares a text with its golden file; shows a difference, and leaves the new text beside the old one."""

import difflib
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def matches_golden(name: str, text: str) -> bool:
    """Whether `text` is what `golden/NAME` holds. Accept a wanted change by renaming `NAME.new` to `NAME`."""
    old, new = FOLDER / name, FOLDER / f"{name}.new"
    expected = old.read_text(encoding="utf-8") if old.exists() else ""
    if text + "\n" == expected:
        new.unlink(missing_ok=True)
        return True
    new.write_text(text + "\n", encoding="utf-8")
    difference = difflib.unified_diff(expected.splitlines(), text.splitlines(), name, new.name, lineterm="")
    print("\n".join(difference))  # noqa: T201 - pytest shows it under the failure
    return False
