"""The studies on the sample: that each runs, what it may not change, and its parts by hand."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.studies.corpus import Corpus, HeldLibrary, inside_ranks, load
from evaluation.studies.editions import TAMPERED
from evaluation.studies.index import FastIndex
from evaluation.studies.parent_size import CHILDREN, OWN, SUBTREE, parents
from evaluation.studies.setting import Setting
from evaluation.studies.study import gap, mean, words
from evaluation.studies.table import STUDIES
from storage.embedder import load_embedder
from storage.model import Level
from storage.reader import LanceReader
from storage.settings import ROOT, Settings
from tools.lexical import Index, rank
from tools.lexical import words as words_of
from tools.stored_library import StoredLibrary

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"
TEXTS = {"a": "red roses", "b": "roses roses", "c": "ToNumber of a rose", "d": "red roses"}


@pytest.fixture(scope="module")
def setting(sample_settings: Settings, sample_reader: LanceReader) -> Setting:
    embedder = load_embedder(sample_settings)
    return Setting(sample_settings, sample_reader, embedder, files=[QUESTIONS], each=4, sampled=4)


@pytest.mark.parametrize("query", ["roses", "red number roses", "nothing here", ""])
def test_the_fast_index_scores_as_the_plain_one(query: str) -> None:
    plain = Index(TEXTS.items()).search(query, limit=3)
    fast = FastIndex(TEXTS.items()).search(query, limit=3)
    assert [key for key, _ in fast] == [key for key, _ in plain]
    assert [score for _, score in fast] == pytest.approx([score for _, score in plain])


def test_words_counted_before_rank_as_words_counted_anew() -> None:
    from collections import Counter

    counts = {key: Counter(words_of(text)) for key, text in TEXTS.items()}
    assert inside_ranks("red roses", counts) == rank("red roses", TEXTS.items(), limit=9)


def test_the_held_library_finds_and_reads_what_the_stored_one_does(setting: Setting) -> None:
    held = setting.library
    stored = StoredLibrary(setting.reader, setting.embedder)
    query = "When is a bed watered?"
    for levels in ((Level.BLOCK,), (Level.SECTION,), (Level.PAGE,)):
        assert held.search(query, levels, limit=9) == stored.search(query, levels, limit=9)
    inside = [one.unitid for one in stored.search(query, (Level.SECTION,), limit=2)]
    for chosen in (inside, [setting.corpus.level(Level.PAGE)[0].unitid]):
        ours = [one.unitid for one in held.search_inside(query, chosen, limit=9)]
        assert ours == [one.unitid for one in stored.search_inside(query, chosen, limit=9)]
    assert held.below(inside[0]) == stored.below(inside[0])


def test_a_larger_parent_holds_the_smaller_ones(setting: Setting) -> None:
    made = parents(setting)
    for block in setting.corpus.level(Level.BLOCK)[::20]:
        if setting.corpus.by_id[block.clauseid].level is not Level.SECTION:
            continue
        sizes = [made[name](block.unitid) for name in ("block ± 0", "block ± 2", OWN, CHILDREN, SUBTREE)]
        assert sizes[0].text == setting.corpus.text(block)
        for smaller, larger in pairwise(sizes):
            assert larger.covers(smaller)


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_words_of_its_own(name: str) -> None:
    told = words(name)
    assert told.question.endswith("?")
    assert all(len(text) > 40 for text in (told.setup, told.conclusion, told.change))


def test_every_study_runs_and_keeps_figures_without_text(
    setting: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(setting.settings.storage_dir))
    names = ["strata", "parent_size", "vectors", "ablation"]
    asked = ["--questions", str(QUESTIONS), "--each", "2", "--sampled", "2", "--out", str(tmp_path)]
    assert main(["studies", *names, *asked]) == 0
    printed = capsys.readouterr().out
    sentences = {
        setting.corpus.text(block) for block in setting.corpus.level(Level.BLOCK) if len(block.span) > 60
    }
    for name in names:
        written = (tmp_path / f"study-{name}.json").read_text(encoding="utf-8")
        stored = json.loads(written)
        assert stored["command"].startswith(
            f"python -m evaluation studies {name} --questions questions.jsonl"
        )
        assert stored["data"]["editions"][0]["edition"] == "sample"
        assert stored["tables"]
        assert not any(sentence in written for sentence in sentences)
        for table in stored["tables"]:
            assert table["title"] in printed
            assert {len(row) for row in table["rows"]} == {len(table["columns"])}


def test_every_link_that_was_tampered_with_is_refused_for_its_reason(setting: Setting) -> None:
    from evaluation.studies.editions import _blocks, _strategies

    as_it_is, *tampered = _blocks(setting.corpus).rows
    assert as_it_is[2] == "0"
    assert len(tampered) == len(TAMPERED)
    assert all(links == refused == given for _, links, refused, given in tampered)
    for row in _strategies(setting).rows:
        assert row[-1] == "0"
        assert row[-2] != "0"


def test_an_unknown_study_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studies", "guesses"]) == 1
    assert "is no study; there are strata" in capsys.readouterr().err


def test_a_mean_has_its_interval_and_a_gap_its_sign() -> None:
    assert mean([1.0, 1.0]) == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert mean([]) == "-"
    assert gap([0.0, 0.0], [1.0, 1.0]) == {"value": -1.0, "low": -1.0, "high": -1.0, "signed": 1.0}


def test_a_corpus_reads_as_its_reader(setting: Setting, sample_reader: LanceReader) -> None:
    corpus: Corpus = load(sample_reader)
    library = HeldLibrary(sample_reader, setting.embedder, corpus)
    ids = [unit.unitid for unit in corpus.all[:50]]
    assert library.units(ids) == sample_reader.units(ids)
