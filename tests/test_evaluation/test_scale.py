"""Growing a store: the sample under other names, and the sample several times as large."""

import argparse
from pathlib import Path

import pytest

from evaluation import results, scale
from evaluation.grown import large_edition, many_editions
from evaluation.probe import probed
from storage.catalog import list_editions
from storage.embedder import load_embedder
from storage.inspection import bad_vectors, folder_bytes, opened, window_owners
from storage.model import EditionRecord
from storage.reader import LanceReader, open_reader
from storage.schema import NAMES, PAGES, UNITS, WINDOWS
from storage.settings import Settings
from tools.search import search

TIMES = 3


@pytest.fixture(scope="module")
def large(
    sample_settings: Settings, sample_reader: LanceReader, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, EditionRecord]:
    folder = tmp_path_factory.mktemp("large")
    grown = large_edition(sample_settings.storage_dir, sample_reader.record, folder, times=TIMES)
    return folder, grown


def test_editions_side_by_side_are_copies_that_answer_alike(
    sample_settings: Settings, sample_reader: LanceReader, tmp_path: Path
) -> None:
    made = many_editions(sample_settings.storage_dir, sample_reader.record, tmp_path, times=TIMES)
    assert list_editions(tmp_path) == sorted(made, key=lambda record: record.edition)
    assert len({name for record in made for name in record.tables.values()}) == 4 * TIMES
    embedder = load_embedder(sample_settings)
    settings = sample_settings.model_copy(update={"storage_dir": tmp_path})
    found = [search("ripe", open_reader(settings, record.edition), embedder).hits for record in made]
    assert found[0]
    assert all(hits == found[0] for hits in found)


def test_a_large_edition_holds_every_row_so_many_times_under_ids_of_their_own(
    large: tuple[Path, EditionRecord], sample_reader: LanceReader
) -> None:
    folder, grown = large
    for role in (UNITS, PAGES, NAMES, WINDOWS):
        assert grown.counts[role] == TIMES * sample_reader.record.counts[role]
    held = opened(folder, grown)
    rows = held.columns(UNITS, ["unitid", "parentsectionid", "subsections"]).to_pylist()
    ids = {row["unitid"] for row in rows}
    assert len(ids) == grown.counts[UNITS]
    assert {row["parentsectionid"] for row in rows} - {None} <= ids
    assert {child for row in rows for child in row["subsections"]} <= ids
    assert window_owners(held) <= ids
    assert bad_vectors(held) == []


def test_copies_are_told_apart_by_every_search(
    large: tuple[Path, EditionRecord], sample_settings: Settings
) -> None:
    folder, grown = large
    reader = open_reader(sample_settings.model_copy(update={"storage_dir": folder}), grown.edition)
    vector = load_embedder(sample_settings).embed_query("a function that is called")
    for found in (reader.search_vectors(vector, limit=TIMES), reader.search_text("value", limit=9)):
        assert len({one.score for one in found}) > 1
    assert {unit.unitid.split("sec-")[0] for unit in reader.matching({"level": "section"})} >= {
        "",
        "x1-",
        "x2-",
    }


def test_the_probe_measures_a_store_without_changing_it(
    large: tuple[Path, EditionRecord], sample_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, grown = large
    before = folder_bytes(folder)
    took = probed(folder, grown.edition, ["What is a function?", "ToNumber"])
    assert {"open", "first", "first slip", "median", "p95", "processor", "memory"} == set(took)
    assert all(value > 0 for value in took.values())
    assert folder_bytes(folder) == before


def test_every_store_is_measured_kept_and_removed(
    sample_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    parser = argparse.ArgumentParser()
    scale.configure(parser)
    kept, work = tmp_path / "scale.json", tmp_path / "work"
    work.mkdir()
    options = parser.parse_args(
        ["--times", "1", "2", "--limit", "2", "--out", str(kept), "--work", str(work)]
    )
    assert scale.run(options) == 0
    result = results.read(kept)
    assert [(row["shape"], row["times"]) for row in result["rows"]] == [
        (scale.MANY, 1),
        (scale.LARGE, 1),
        (scale.MANY, 2),
        (scale.LARGE, 2),
    ]
    assert list(work.iterdir()) == []
    assert capsys.readouterr().out.count("\n") == 6
