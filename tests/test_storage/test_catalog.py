import dataclasses
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from storage import catalog
from storage.catalog import find_edition, list_editions, read_catalog, save_record
from storage.errors import EmbedderError, NoStoreError, StoreError, UnknownEditionError
from storage.lance import connect, tables_folder
from storage.reader import open_reader
from storage.schema import SCHEMA
from tests.test_storage.small import TEXT, LetterEmbedder, settings_for, small_edition, store


def test_where_nothing_was_ingested_there_are_no_editions_and_none_are_made(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    assert list_editions(folder) == []
    assert not folder.exists()


def test_a_record_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    assert list_editions(tmp_path) == [record]


def test_editions_are_listed_by_name(tmp_path: Path) -> None:
    for name in ("es2026", "ecma402-2026", "es2025"):
        store(tmp_path, small_edition(name))
    assert [record.edition for record in list_editions(tmp_path)] == ["ecma402-2026", "es2025", "es2026"]


def test_an_edition_has_one_row_however_often_it_is_saved(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    for number in range(3):
        save_record(tmp_path, connect(tmp_path), replace(record, build=str(number)))
    assert [held.build for held in list_editions(tmp_path)] == ["2"]


def test_an_unknown_edition_is_refused_with_the_list(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    with pytest.raises(UnknownEditionError, match="which holds es2026"):
        open_reader(settings_for(tmp_path), "es2027")


def test_an_empty_catalog_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(NoStoreError, match=r"python -m setup.ingest SOURCE.*ask262 --sample"):
        find_edition(catalog.EMPTY, None, default=None, storage_dir=tmp_path)


@pytest.mark.parametrize("edition", ["es2026", "sample"])
def test_tables_without_a_catalog_are_damage_and_the_command_that_is_named_mends_it(
    edition: str, tmp_path: Path
) -> None:
    store(tmp_path, small_edition(edition))
    shutil.rmtree(tables_folder(tmp_path) / "catalog.lance")
    source = "--sample" if edition == "sample" else "SOURCE"
    with pytest.raises(
        StoreError, match=f"build again: python -m setup.ingest {source} --edition {edition}$"
    ):
        open_reader(settings_for(tmp_path))
    record = store(tmp_path, small_edition(edition))
    assert open_reader(settings_for(tmp_path)).record == record


def test_a_file_in_place_of_the_tables_is_damage(tmp_path: Path) -> None:
    tables_folder(tmp_path).write_text("in the way")
    for ask in (lambda: open_reader(settings_for(tmp_path)), lambda: store(tmp_path, small_edition())):
        with pytest.raises(StoreError, match="is no folder; remove it and ingest again: rm ") as caught:
            ask()
        assert not isinstance(caught.value, NoStoreError)


class Unreachable(LetterEmbedder):
    """A server that is gone."""

    def embed_documents(self, texts: list[str], /) -> list[list[float]]:
        raise EmbedderError("gone")


def test_a_first_build_that_died_is_no_damage(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError):
        store(tmp_path, small_edition(), embedder=Unreachable())
    assert catalog.exists(tmp_path)
    # As it dies in the middle of its tables.
    (tables_folder(tmp_path) / "units.es2026.dead.lance" / "data").mkdir(parents=True)
    with pytest.raises(NoStoreError):
        open_reader(settings_for(tmp_path))


def outdate(folder: Path, edition: str) -> None:
    """Make an edition's row one of an earlier program."""
    table = connect(folder).open_table(catalog.TABLE)
    table.update(
        where=f"edition = '{edition}'", values={"schema": SCHEMA - 1, "record": json.dumps({"old": 1})}
    )


def test_an_edition_of_another_schema_is_refused_with_its_remedy(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    outdate(tmp_path, "es2026")
    with pytest.raises(StoreError, match=r"has schema 0 and this program reads 1: .*SOURCE --edition es2026"):
        open_reader(settings_for(tmp_path))


def test_an_edition_of_a_newer_program_names_both_ways_out(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    connect(tmp_path).open_table(catalog.TABLE).update(values={"schema": SCHEMA + 1})
    with pytest.raises(StoreError) as caught:
        open_reader(settings_for(tmp_path))
    assert str(caught.value) == (
        f"edition es2026 in {tmp_path} was built by a newer ask262 (schema 2, and this program reads 1): "
        "update the program, or build it again: python -m setup.ingest small.html --edition es2026"
    )


def test_the_remedy_for_an_outdated_edition_names_its_source(tmp_path: Path) -> None:
    store(tmp_path, small_edition(sample=True))
    connect(tmp_path).open_table(catalog.TABLE).update(values={"schema": SCHEMA - 1})
    with pytest.raises(
        StoreError, match=r"build it again: python -m setup.ingest --sample --edition es2026$"
    ):
        open_reader(settings_for(tmp_path))


def test_a_catalog_of_another_shape_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    connect(tmp_path).open_table(catalog.TABLE).drop_columns(["keeps"])
    with pytest.raises(StoreError, match=r"the catalog has no column keeps\): .*delete .* and ingest again"):
        open_reader(settings_for(tmp_path))


def test_a_record_keeps_the_whole_record_of_the_build_before_and_no_more(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    for text in (TEXT + "More.\n", TEXT + "Other.\n"):
        store(tmp_path, small_edition(text=text))
    (held,) = list_editions(tmp_path)
    assert held.previous is not None
    assert held.previous.previous is None
    assert held.previous.tables.keys() == first.tables.keys()
    assert read_catalog(tmp_path).tables == {*held.tables.values(), *held.previous.tables.values()}


def test_a_row_that_knows_only_the_tables_of_the_build_before_is_read_without_it(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    early = {**dataclasses.asdict(record), "previous": {"units": "units.es2026.old"}}
    connect(tmp_path).open_table(catalog.TABLE).update(values={"record": json.dumps(early)})
    assert list_editions(tmp_path) == [record]


def test_an_outdated_edition_does_not_stand_in_the_way_of_the_others(tmp_path: Path) -> None:
    store(tmp_path, small_edition("es2025"))
    store(tmp_path, small_edition("es2026"))
    outdate(tmp_path, "es2026")
    assert open_reader(settings_for(tmp_path)).record.edition == "es2025"
    with pytest.raises(StoreError, match=r"edition es2026 .* has schema 0"):
        open_reader(settings_for(tmp_path), "ES2026")


def test_an_outdated_edition_is_built_again_and_its_tables_stay_until_then(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    outdate(tmp_path, "es2026")
    assert len(read_catalog(tmp_path).tables) == 4
    store(tmp_path, small_edition())
    assert open_reader(settings_for(tmp_path)).record.edition == "es2026"


def test_a_damaged_catalog_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    for file in (tables_folder(tmp_path) / f"{catalog.TABLE}.lance" / "_versions").iterdir():
        file.write_bytes(b"torn")
    with pytest.raises(StoreError, match="cannot be used") as caught:
        open_reader(settings_for(tmp_path))
    assert "\n" not in str(caught.value)
    assert f"delete {tables_folder(tmp_path)} and ingest again" in str(caught.value)


def test_a_row_that_cannot_be_read_names_its_edition_and_the_remedy_works(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    connect(tmp_path).open_table(catalog.TABLE).update(values={"record": "{}"})
    with pytest.raises(StoreError, match=r"edition es2026 .* row .* cannot be read: .* --edition es2026"):
        open_reader(settings_for(tmp_path))
    store(tmp_path, small_edition())
    assert open_reader(settings_for(tmp_path)).record.edition == "es2026"
