"""Choosing weights: what is tried, how chapters are dealt, and that it runs on the sample."""

import pytest

from evaluation.__main__ import main
from evaluation.fit import FACTORS, FOLDS, changed, folds
from storage.settings import ROOT, Settings
from tools.weights import WEIGHTS

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"


def test_one_weight_is_changed_at_a_time() -> None:
    tried = dict(changed(WEIGHTS, "blocks"))
    assert tuple(tried) == FACTORS
    assert tried[2.0].blocks == 2 * WEIGHTS.blocks
    assert {one.vectors for one in tried.values()} == {WEIGHTS.vectors}


def test_no_chapter_is_in_two_folds_and_no_question_is_lost() -> None:
    chapters = [f"chapter-{number % 13}" for number in range(100)]
    dealt = folds(chapters)
    assert len(dealt) == FOLDS
    assert sorted(place for fold in dealt for place in fold) == list(range(100))
    held = [{chapters[place] for place in fold} for fold in dealt]
    assert sum(map(len, held)) == len(set().union(*held)) == 13


def test_a_single_chapter_is_a_single_fold() -> None:
    assert folds(["one", "one"]) == [[0, 1]]


def test_it_says_what_is_chosen_and_how_that_does_on_unseen_chapters(
    sample_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    assert main(["fit", "--questions", str(QUESTIONS), "--limit", "6"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("6 questions; now ")
    assert "best on all " in told
    assert "on unseen chapters: chosen " in told
