from pathlib import Path

import pytest

from evaluation import results
from evaluation.__main__ import main
from storage.errors import InputError

NESTED = "[" * 100_000
"""Deeper than a JSON reader goes."""


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"schema": "other"}', NESTED],
    ids=["empty", "torn", "a list", "another", "nested"],
)
def test_a_file_that_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "lookup.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"lookup\.json"):
        results.read(path)


@pytest.mark.parametrize("text", ["{", NESTED], ids=["torn", "nested"])
def test_a_file_that_is_no_report_of_proofs_is_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    assert main(["proofs", str(path)]) == 1
    assert f"{path} is no JSON" in capsys.readouterr().err
