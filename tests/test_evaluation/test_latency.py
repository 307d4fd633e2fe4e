"""The search beside the least that a hybrid search can take: what is printed, never how long it took."""

import pytest

from evaluation.__main__ import main
from evaluation.latency import told
from storage.settings import ROOT, Settings
from tests.conftest import sample_settings  # noqa: F401

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"


def test_median_percentile_and_ratio_are_those_of_the_times() -> None:
    lines = told([10.0, 20.0, 30.0], [20.0, 30.0, 60.0]).splitlines()
    assert lines[0].startswith("3 questions")
    assert [line.split() for line in lines[1:]] == [
        ["bare", "20.0", "/", "30.0"],
        ["search", "30.0", "/", "60.0"],
        ["ratio", "1.50", "/", "2.00"],
    ]


def test_every_question_is_timed_once(
    sample_settings: Settings,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    assert main(["latency", "--questions", str(QUESTIONS), "--limit", "3"]) == 0
    assert capsys.readouterr().out.startswith("3 questions")
