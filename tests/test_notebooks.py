"""The notebooks run from a clean kernel, and show what they are kept with."""

from typing import Any

import nbformat
import pytest

from notebooks.__main__ import ALL, FOLDER, executed
from storage.settings import Settings


def shown(notebook: Any) -> list[list[Any]]:
    return [list(cell.get("outputs", ())) for cell in notebook.cells]


@pytest.mark.parametrize("name", ALL)
def test_a_notebook_runs_and_shows_what_it_is_kept_with(
    name: str, sample_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    kept = nbformat.read(FOLDER / name, as_version=4)  # type: ignore[no-untyped-call]
    ran = executed(name)
    assert not [one for outputs in shown(ran) for one in outputs if one.get("name") == "stderr"]
    assert shown(ran) == shown(kept), "mended with: python -m notebooks"


def test_there_are_four() -> None:
    assert len(ALL) == 4


@pytest.mark.parametrize("name", ALL)
def test_a_notebook_reads_as_a_document(name: str) -> None:
    notebook: Any = nbformat.read(FOLDER / name, as_version=4)  # type: ignore[no-untyped-call]
    cells = notebook.cells
    assert cells[0].cell_type == "markdown"
    assert cells[0].source.startswith("# ")
    assert (FOLDER / name).stat().st_size < 100_000
