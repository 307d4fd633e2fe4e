"""The page about strategies: its table is the one in the code, and its Python runs."""

import re

import pytest

from storage.settings import ROOT, Settings
from tools.strategies.table import STRATEGIES

PAGE = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")


def test_every_strategy_has_its_row_and_no_other_has() -> None:
    table = PAGE.split("## The table")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(STRATEGIES)


def test_its_python_runs_over_the_sample(
    sample_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    named: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/strategies.md", "exec"), named)
    printed = capsys.readouterr().out
    assert "A reading is converted first." in printed
    assert "back_off" in printed
