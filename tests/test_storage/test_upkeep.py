from dataclasses import replace
from pathlib import Path

import pytest

from storage.catalog import list_editions, read_catalog
from storage.errors import NoStoreError, StoreError, UnknownEditionError
from storage.lance import tables_folder
from storage.reader import open_reader
from storage.upkeep import Freed, prune, remove_edition, restore_edition
from tests.test_storage.small import TEXT, LetterEmbedder, settings_for, small_edition, store
from tests.test_storage.test_catalog import outdate
from tests.test_storage.test_writer import CHANGED, tables


def silent(_: str) -> None:
    return None


def text_of(folder: Path, edition: str = "es2026") -> str:
    return open_reader(settings_for(folder), edition).page("types.html").text


def test_restoring_goes_back_and_restoring_again_returns(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    second = store(tmp_path, small_edition(text=CHANGED))
    back = restore_edition(tmp_path, "ES 2026", say=silent)
    assert back == replace(first, previous=replace(second, previous=None))
    assert list_editions(tmp_path) == [back]
    assert text_of(tmp_path) == TEXT
    assert open_reader(settings_for(tmp_path)).search_text("changed", limit=3) == []
    assert restore_edition(tmp_path, "es2026", say=silent) == second
    assert text_of(tmp_path) == CHANGED


def test_restoring_is_one_write_of_the_catalog_and_touches_no_table(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    versions = tables_folder(tmp_path) / "catalog.lance" / "_versions"
    before, held = len(list(versions.iterdir())), tables(tmp_path)
    restore_edition(tmp_path, "es2026", say=silent)
    assert len(list(versions.iterdir())) == before + 1
    assert tables(tmp_path) == held


def test_a_reader_that_is_open_while_an_edition_is_restored_or_removed_reads_on(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    reader = open_reader(settings_for(tmp_path))
    restore_edition(tmp_path, "es2026", say=silent)
    _, freed = remove_edition(tmp_path, "es2026", say=silent)
    assert (freed.tables, freed.still_read) == (4, 4)
    assert reader.page("types.html").text == CHANGED
    del reader
    store(tmp_path, small_edition("es2025"))
    assert tables(tmp_path) == read_catalog(tmp_path).tables


def test_an_edition_that_was_built_once_has_nothing_to_go_back_to(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    with pytest.raises(StoreError, match=r"es2026 has no build before .*ingest small.html --edition es2026"):
        restore_edition(tmp_path, "es2026", say=silent)


def test_a_build_before_that_is_damaged_is_not_gone_back_to(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    second = store(tmp_path, small_edition(text=CHANGED))
    for file in (tables_folder(tmp_path) / f"{first.tables['names']}.lance" / "data").iterdir():
        file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(StoreError, match=r"cannot be read any more; the one of .* goes on answering"):
        restore_edition(tmp_path, "es2026", say=silent)
    assert list_editions(tmp_path) == [second]


def test_removing_an_edition_leaves_the_others_and_no_table_of_it(tmp_path: Path) -> None:
    kept = store(tmp_path, small_edition("es2025"))
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    edition, freed = remove_edition(tmp_path, " ES2026", say=silent)
    assert edition == "es2026"
    assert (freed.tables, freed.still_read) == (8, 0)
    assert freed.bytes > 10_000
    assert list_editions(tmp_path) == [kept]
    assert tables(tmp_path) == set(kept.tables.values())
    assert text_of(tmp_path, "es2025") == TEXT


def test_an_edition_that_cannot_be_read_can_be_removed(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    outdate(tmp_path, "es2026")
    with pytest.raises(StoreError, match="has schema 0"):
        restore_edition(tmp_path, "es2026", say=silent)
    assert remove_edition(tmp_path, "es2026", say=silent)[0] == "es2026"
    assert tables(tmp_path) == set()


@pytest.mark.parametrize("name", ["latest", "es2030", "x' OR '1'='1", "", "\x1b[2J"])
@pytest.mark.parametrize("change", [remove_edition, restore_edition])
def test_only_an_edition_that_is_named_is_changed(tmp_path: Path, name: str, change: object) -> None:
    assert callable(change)
    record = store(tmp_path, small_edition())
    with pytest.raises(UnknownEditionError, match="this store holds es2026") as caught:
        change(tmp_path, name, say=silent)
    assert str(caught.value).isprintable()
    assert list_editions(tmp_path) == [record]


def test_upkeep_never_makes_a_store(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    with pytest.raises(NoStoreError):
        remove_edition(folder, "es2026", say=silent)
    with pytest.raises(NoStoreError):
        restore_edition(folder, "es2026", say=silent)
    with pytest.raises(NoStoreError):
        prune(folder, say=silent)
    assert not folder.exists()


def test_pruning_forgets_what_no_edition_embeds_and_the_build_before_counts_as_one(tmp_path: Path) -> None:
    other = TEXT.replace("Afterword.", "Afterword!")
    for text in (other, TEXT, CHANGED):
        store(tmp_path, small_edition(text=text))
    pruned = prune(tmp_path, say=silent)
    assert (pruned.freed, pruned.vectors, pruned.kept) == (Freed(0, 0, 0), 1, 6)
    for text, missing in ((TEXT, 0), (CHANGED, 0), (other, 1)):
        embedder = LetterEmbedder()
        store(tmp_path, small_edition(text=text), embedder)
        assert len(embedder.seen) == missing


def test_pruning_shrinks_the_file(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    long = TEXT + "".join(f"Sentence {number} about nothing at all. " * 20 for number in range(400))
    store(tmp_path, small_edition("other", text=long))
    remove_edition(tmp_path, "other", say=silent)
    pruned = prune(tmp_path, say=silent)
    assert pruned.vectors > 100
    assert pruned.bytes > 100 * 26 * 4


def test_pruning_drops_what_a_dead_build_left(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    left = tables_folder(tmp_path) / "units.es2026.dead.lance"
    left.mkdir()
    (left / "part").write_bytes(b"x" * 100)
    assert prune(tmp_path, say=silent).freed == Freed(1, 100, 0)
    assert tables(tmp_path) == set(record.tables.values())


def test_nothing_is_pruned_while_an_edition_cannot_be_read(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    outdate(tmp_path, "es2026")
    with pytest.raises(StoreError, match=r"es2026 has schema 0 .*build it again: .*or remove it, then prune"):
        prune(tmp_path, say=silent)
    embedder = LetterEmbedder()
    store(tmp_path, small_edition(), embedder)
    assert embedder.seen == []
