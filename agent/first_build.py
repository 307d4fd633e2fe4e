"""Builds the store when somebody asks before anything was ingested.

`setup` is a program of its own: it is started as one, and nothing of it is imported here. Its progress goes
to standard error. Its summary is left out: somebody asked a question, and standard output is the answer's.
"""

import subprocess
import sys

from storage.errors import NoStoreError


def build_store(*, sample: bool) -> None:
    """Run `python -m setup.ingest` and wait for it.

    Raises SystemExit with its exit status when it fails: it has said why in its own line. Raises NoStoreError
    when there is no interpreter to run it with.
    """
    what = "the sample specification" if sample else "the specification"
    sys.stderr.write(f"The store does not hold {what} yet: building it.\n")
    sys.stderr.flush()
    done = subprocess.run(command(sample=sample), stdout=subprocess.DEVNULL, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(done.returncode)


def command(*, sample: bool) -> list[str]:
    """The program and its arguments. `-P`: the current folder is no place to import from."""
    if not sys.executable:
        raise NoStoreError("There is no store, and no interpreter to build it; run python -m setup.ingest")
    return [sys.executable, "-P", "-m", "setup.ingest", *(["--sample"] if sample else [])]
