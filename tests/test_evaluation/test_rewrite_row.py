"""The row of the search with a chat model's terms, against a server on loopback."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.contestants import DEFAULT, REWRITTEN
from storage.settings import ROOT, Settings
from tests.test_agent.chat_server import says, serving

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"


def runs(address: str, out: Path, settings: Settings, patch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    for name, value in (
        ("STORAGE_DIR", str(settings.storage_dir)),
        ("MODEL", "local"),
        ("BASE_URL", address),
    ):
        patch.setenv(f"ASK262_{name}", value)
    arguments = ["--questions", str(QUESTIONS), "--limit", "2", "--strategies", DEFAULT, "--rewrite"]
    assert main(["retrieval", *arguments, "--json", str(out)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    return {run["strategy"]: run for run in written["runs"]}


def test_the_row_stands_apart_and_holds_the_terms(
    tmp_path: Path, sample_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(*[says("WaterBed\nseed")] * 3) as server:
        found = runs(server.address, tmp_path / "out.json", sample_settings, monkeypatch)
    assert list(found) == [DEFAULT, REWRITTEN]
    assert [one["packet"]["terms"] for one in found[REWRITTEN]["questions"]] == [["WaterBed", "seed"]] * 2
    assert all("terms" not in one["packet"] for one in found[DEFAULT]["questions"])


def test_a_server_that_is_down_costs_the_terms_and_no_question(
    tmp_path: Path, sample_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as server:
        address = server.address
    found = runs(address, tmp_path / "out.json", sample_settings, monkeypatch)
    for plain, other in zip(found[DEFAULT]["questions"], found[REWRITTEN]["questions"], strict=True):
        assert other["packet"]["terms"] == []
        assert other["ranked"] == plain["ranked"]
