"""The one command that checks everything: lint, format, types, import contracts, tests.

    python -m tests                 all of it
    python -m tests tests/test_setup -k markers     with arguments, they go to pytest

Each check runs even if one before it failed; the exit status is 1 if any did.

example: python -m tests tests/test_docs.py
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lint", ("ruff", "check", ".")),
    ("format", ("ruff", "format", "--check", ".")),
    ("types", ("mypy",)),
    ("import contracts", ("lint-imports", "--no-logo")),
    # Side by side, a file to one process: what a file builds once stays built once.
    ("tests", ("pytest", "-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")),
)


def main(arguments: list[str]) -> int:
    """Run the checks one after the other, their output as it comes."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    failed = []
    # Someone's own settings must not decide whether the tests pass.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASK262_")}
    for name, (program, *options) in CHECKS:
        print(f"== {name}", flush=True)
        extra = arguments if name == "tests" else []
        command = [str(BIN / program), *options, *extra]
        # The programs are ours to name, and no shell reads them.
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            failed.append(name)
    print(f"== failed: {', '.join(failed)}" if failed else "== all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
