"""Compares a text with its golden file; shows a difference, and leaves the new text beside the old one."""

import difflib
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def matches_golden(path: str, text: str) -> bool:
    """Whether `text` is what the file holds; `path` starts at `tests/`, such as `test_tools/golden/NAME`.

    Accept a wanted change by renaming `NAME.new` to `NAME`.
    """
    old, new = TESTS / path, TESTS / f"{path}.new"
    expected = old.read_text(encoding="utf-8") if old.exists() else ""
    if text + "\n" == expected:
        new.unlink(missing_ok=True)
        return True
    new.write_text(text + "\n", encoding="utf-8")
    difference = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), old.name, new.name, lineterm=""
    )
    print("\n".join(difference))  # noqa: T201 - pytest shows it under the failure
    return False
