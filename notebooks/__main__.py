"""Run the notebooks from a clean kernel, and write their outputs.

    python -m notebooks               all of them
    python -m notebooks 3-ask-and-check.ipynb

What a run alone decides (seconds, execution counts) is left out of what is written, so that a notebook
changes only when what it shows does.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from storage.arguments import Parser
from storage.errors import InputError
from storage.program import DONE, run

FOLDER = Path(__file__).resolve().parent
ALL = tuple(sorted(path.name for path in FOLDER.glob("*.ipynb")))
LONGEST = 240
"""Seconds of one cell: the first builds the sample's store where there is none."""
_SECONDS = re.compile(r"\b\d+\.\d+ s\b")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 1 where a notebook fails."""
    return run(lambda: _write(parser().parse_args(argv).notebooks or ALL))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = Parser(
        prog="python -m notebooks",
        description="Runs the notebooks on the sample specification and writes their outputs.",
        epilog="example: python -m notebooks 1-ingest-and-look.ipynb",
    )
    out.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="by name; all without")
    return out


def _write(names: Sequence[str]) -> int:
    import nbformat

    for name in names:
        if name not in ALL:
            raise InputError(f"{name} is no notebook here; there are {', '.join(ALL)}")
        sys.stderr.write(f"{name}\n")
        nbformat.write(executed(name), FOLDER / name)
    return DONE


def executed(name: str) -> Any:
    """The notebook after a run from a clean kernel, without what changes from run to run.

    Raises CellExecutionError where a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.read(FOLDER / name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    with tempfile.TemporaryDirectory() as folder:
        # Sockets in a folder of our own: of a port, anybody on the machine could listen at it.
        sockets = Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}})
        place = {"metadata": {"path": str(FOLDER.parent)}}
        NotebookClient(notebook, timeout=LONGEST, resources=place, config=sockets).execute()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [_settled(output) for output in _joined(cell.outputs)]
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """What a cell prints arrives in as many parts as the moment makes of it."""
    out: list[Any] = []
    for output in outputs:
        if out and output.output_type == "stream" and out[-1].get("name") == output.name:
            out[-1]["text"] += output["text"]
        else:
            out.append(output)
    return out


def _settled(output: Any) -> Any:
    """An output as every run gives it; beside HTML or a picture without the long plain form."""
    data = output.get("data", {})
    if len(data) > 1:
        data.pop("text/plain", None)
    if "execution_count" in output:
        output["execution_count"] = None
    for holder, key in (
        (output, "text"),
        *((output.get("data", {}), kind) for kind in output.get("data", {})),
    ):
        if isinstance(holder.get(key), str):
            holder[key] = _SECONDS.sub("0.0 s", holder[key])
    return output


if __name__ == "__main__":
    raise SystemExit(main())
