from dataclasses import replace
from pathlib import Path

import pytest

from storage import staging
from storage.catalog import TABLE, list_editions, read_catalog
from storage.lance import connect, tables_folder
from storage.model import BreakdownRules, Level
from storage.reader import open_reader
from storage.schema import ROLES, WINDOWS
from storage.writer import STAGES, Stored, build_digest, up_to_date, write_edition
from tests.test_storage.small import (
    BUILT_AT,
    TEXT,
    LetterEmbedder,
    Told,
    settings_for,
    shuffled,
    small_edition,
    store,
)

CHANGED = TEXT.replace("odd % section", "changed section")


def files(folder: Path) -> dict[str, int]:
    """Every file of a store with its time of change."""
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def tables(folder: Path) -> set[str]:
    return set(staging.table_names(connect(folder))) - {TABLE}


def answers(folder: Path) -> str:
    """What a reader sees of the section that the tests change."""
    unit = open_reader(settings_for(folder)).unit("sec-types")
    assert unit is not None
    return open_reader(settings_for(folder)).slice(unit.source, unit.start, unit.end)


def test_the_record_says_what_the_edition_is_made_of(tmp_path: Path) -> None:
    built = small_edition()
    record = store(tmp_path, built)
    assert (record.edition, record.title, record.origin) == ("es2026", "Small Specification", "small.html")
    assert record.built == BUILT_AT.isoformat() == "2026-01-02T03:04:05+00:00"
    assert record.embedder == LetterEmbedder().identity
    assert set(record.tables) == set(ROLES)
    assert record.counts["units"] == len(built.units) == sum(record.counts[level] for level in Level)
    assert record.counts["section"] == 3
    assert record.previous is None


def test_every_unit_page_and_name_is_a_row_and_every_row_is_indexed(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    database = connect(tmp_path)
    for role, name in record.tables.items():
        table = database.open_table(name)
        staging.check_table(table, role, rows=record.counts[role])
        for index in table.list_indices():
            assert table.index_stats(index.name).num_unindexed_rows == 0


def test_sections_and_pieces_have_vectors_and_blocks_have_none(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    rows = connect(tmp_path).open_table(record.tables[WINDOWS]).to_arrow().to_pylist()
    assert {row["level"] for row in rows} == {"section", "piece"}
    assert {row["unitid"] for row in rows} == {
        unit.unitid for unit in small_edition().units if unit.level in (Level.SECTION, Level.PIECE)
    }


def test_a_window_is_embedded_behind_its_heading_path_and_stands_where_it_says(tmp_path: Path) -> None:
    embedder = LetterEmbedder()
    record = store(tmp_path, small_edition(), embedder)
    rows = connect(tmp_path).open_table(record.tables[WINDOWS]).to_arrow().to_pylist()
    slices = {TEXT[row["start"] : row["end"]].rstrip() for row in rows}
    assert {text.partition("\n")[2] for text in embedder.seen} == slices
    assert "Types > Odd\n1.2 Odd\nIt's an odd % section." in embedder.seen


def test_an_unchanged_edition_is_not_embedded_and_not_written(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    before = files(tables_folder(tmp_path))
    embedder, told = LetterEmbedder(), Told()
    again = write_edition(tmp_path, small_edition(), embedder, progress=told)
    assert again == Stored(first, written=False, changes=None, embedded=0)
    assert embedder.seen == []
    assert files(tables_folder(tmp_path)) == before
    assert told.stages == []


def test_a_changed_section_embeds_only_what_changed(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    embedder = LetterEmbedder()
    store(tmp_path, small_edition(text=CHANGED), embedder)
    assert embedder.seen == ["Types > Odd\n1.2 Odd\nIt's an changed section."]


def test_a_section_that_is_gone_is_gone_from_the_store(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    built = small_edition()
    store(tmp_path, replace(built, units=tuple(u for u in built.units if u.unitid != "sec-key-p-1")))
    reader = open_reader(settings_for(tmp_path))
    assert reader.unit("sec-key-p-1") is None
    assert "sec-key-p-1" not in {found.unitid for found in reader.search_text("Return result", limit=10)}


@pytest.mark.parametrize("change", ["rules", "embedder", "text", "title", "names"])
def test_everything_that_tables_are_made_of_makes_another_build(change: str) -> None:
    built, identity = small_edition(), LetterEmbedder().identity
    other, other_identity = {
        "rules": (replace(built, rules=BreakdownRules(threshold=999)), identity),
        "embedder": (built, LetterEmbedder("other").identity),
        "text": (small_edition(text=CHANGED), identity),
        "title": (replace(built, title="Other"), identity),
        "names": (replace(built, names=built.names[1:]), identity),
    }[change]
    assert build_digest(built, identity) != build_digest(other, other_identity)


def test_a_source_that_was_moved_is_the_same_build() -> None:
    built, identity = small_edition(), LetterEmbedder().identity
    assert build_digest(replace(built, origin="/elsewhere"), identity) == build_digest(built, identity)


def test_the_switch_keeps_the_build_before_and_drops_older_ones(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    second = store(tmp_path, small_edition(text=CHANGED))
    assert second.previous == first
    assert tables(tmp_path) == {*first.tables.values(), *second.tables.values()}
    third = store(tmp_path, small_edition())
    assert third.previous == replace(second, previous=None)
    assert tables(tmp_path) == {*second.tables.values(), *third.tables.values()}
    assert list_editions(tmp_path) == [third]


def test_a_reader_of_the_build_before_still_answers_after_a_switch(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    reader = open_reader(settings_for(tmp_path))
    store(tmp_path, small_edition(text=CHANGED))
    assert "odd % section" in reader.page("types.html").text
    assert "changed section" in answers(tmp_path)


def test_two_editions_stand_side_by_side_and_do_not_mix(tmp_path: Path) -> None:
    store(tmp_path, small_edition("es2026"))
    store(tmp_path, small_edition("es2025", text=CHANGED))
    old, new = (open_reader(settings_for(tmp_path), name) for name in ("es2025", "es2026"))
    assert {unit.edition for unit in old.units([u.unitid for u in small_edition().units])} == {"es2025"}
    assert "changed section" in old.page("types.html").text
    assert "changed section" not in new.page("types.html").text
    assert old.search_text("changed", limit=5)
    assert new.search_text("changed", limit=5) == []


@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupt_before_the_switch_leaves_the_old_edition_answering(tmp_path: Path, stage: str) -> None:
    first = store(tmp_path, small_edition())
    with pytest.raises(KeyboardInterrupt):
        write_edition(
            tmp_path, small_edition(text=CHANGED), LetterEmbedder(), progress=Told(interrupt_at=stage)
        )
    assert list_editions(tmp_path) == [first]
    assert "odd % section" in answers(tmp_path)
    second = store(tmp_path, small_edition(text=CHANGED))
    assert "changed section" in answers(tmp_path)
    assert tables(tmp_path) == {*first.tables.values(), *second.tables.values()}


def test_an_interrupted_build_is_not_embedded_twice(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_edition(tmp_path, small_edition(), LetterEmbedder(), progress=Told(interrupt_at="index"))
    embedder = LetterEmbedder()
    store(tmp_path, small_edition(), embedder)
    assert embedder.seen == []


def test_a_store_is_the_same_however_the_rows_were_ordered_and_batched(tmp_path: Path) -> None:
    store(tmp_path / "one", small_edition())
    write_edition(tmp_path / "three", shuffled(small_edition(), 7), LetterEmbedder(), batch_rows=3)
    one, three = (open_reader(settings_for(tmp_path / name)) for name in ("one", "three"))
    ids = [unit.unitid for unit in small_edition().units]
    assert one.units(ids) == three.units(ids)
    for query in ("return", "property key", "If this"):
        assert one.search_text(query, limit=4) == three.search_text(query, limit=4)


def test_what_was_built_of_the_same_inputs_is_found_without_parsing_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    record = write_edition(tmp_path, small_edition(), LetterEmbedder(), inputs="these").record
    before = files(tmp_path)
    assert up_to_date(tmp_path, "these") == record
    assert up_to_date(tmp_path, "others") is None
    assert up_to_date(tmp_path, "") is None
    assert up_to_date(tmp_path / "none", "these") is None
    assert files(tmp_path) == before


def test_a_damaged_edition_is_not_up_to_date(tmp_path: Path) -> None:
    record = write_edition(tmp_path, small_edition(), LetterEmbedder(), inputs="these").record
    (tables_folder(tmp_path) / f"{record.tables['windows']}.lance" / "new-file").write_text("")
    assert up_to_date(tmp_path, "these") is None


def test_other_inputs_that_make_the_same_rows_are_noted_and_write_no_table(tmp_path: Path) -> None:
    first = write_edition(tmp_path, small_edition(), LetterEmbedder(), inputs="these").record
    moved = replace(small_edition(), origin="/elsewhere/small.html")
    again = write_edition(tmp_path, moved, LetterEmbedder(), inputs="others")
    assert again.record == replace(first, origin="/elsewhere/small.html", inputs="others")
    assert (again.written, list_editions(tmp_path)) == (False, [again.record])
    assert tables(tmp_path) == set(first.tables.values())


def test_an_edition_without_names_or_text_can_be_stored(tmp_path: Path) -> None:
    built = small_edition()
    bare = replace(built, names=(), units=tuple(unit for unit in built.units if unit.level is Level.PAGE))
    record = store(tmp_path, bare)
    assert (record.counts["names"], record.counts["windows"]) == (0, 0)
    reader = open_reader(settings_for(tmp_path))
    assert reader.search_vectors([1.0] * 26, limit=3) == []
    assert list(reader.names()) == []


def test_the_catalog_names_every_table_that_is_kept(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    assert read_catalog(tmp_path).tables == tables(tmp_path)


def test_the_store_can_be_moved(tmp_path: Path) -> None:
    store(tmp_path / "here", small_edition())
    (tmp_path / "here").rename(tmp_path / "there")
    assert "odd % section" in answers(tmp_path / "there")
