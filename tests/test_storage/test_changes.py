from dataclasses import replace
from pathlib import Path

from storage.changes import Changes, compare, words_of_units
from storage.lance import tables_folder
from storage.writer import Stored, write_edition
from tests.test_storage.small import TEXT, LetterEmbedder, small_edition, store
from tests.test_storage.test_writer import CHANGED


def changes(before: str, after: str) -> Changes:
    return compare(
        words_of_units(small_edition(text=before).units), words_of_units(small_edition(text=after).units)
    )


def written(folder: Path, text: str) -> Stored:
    return write_edition(folder, small_edition(text=text), LetterEmbedder())


def test_a_changed_word_changes_the_section_that_says_it_and_no_other() -> None:
    assert changes(TEXT, CHANGED) == Changes(changed=1, new=0, removed=0)


def test_text_in_front_moves_every_section_and_changes_none_behind_it() -> None:
    assert changes(TEXT, f"Preface.\n{TEXT}") == Changes(changed=1, new=0, removed=0)


def test_what_an_ingest_did_is_counted_against_the_build_before(tmp_path: Path) -> None:
    first = written(tmp_path, TEXT)
    assert (first.written, first.changes, first.embedded) == (True, None, 5)
    second = written(tmp_path, CHANGED)
    assert (second.written, second.changes, second.embedded) == (True, Changes(1, 0, 0), 1)
    built = small_edition(text=CHANGED)
    fewer = replace(built, units=tuple(unit for unit in built.units if unit.unitid != "sec-key-p-1"))
    third = write_edition(tmp_path, fewer, LetterEmbedder())
    assert (third.changes, third.embedded) == (Changes(0, 0, 1), 0)
    assert write_edition(tmp_path, built, LetterEmbedder()).changes == Changes(0, 1, 0)


def test_a_build_before_that_cannot_be_read_is_no_obstacle(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    for file in (tables_folder(tmp_path) / f"{record.tables['units']}.lance" / "data").iterdir():
        file.write_bytes(b"")
    assert written(tmp_path, CHANGED).changes is None
