"""Generated texts in the store: optional tables, sealed, restored, pruned and dropped like the others."""

from dataclasses import replace
from pathlib import Path

import pytest

from storage import staging
from storage.catalog import list_editions
from storage.editions import rebuild_command
from storage.errors import StoreError
from storage.generated import CONTEXTS, GENERATED, SUMMARIES, TOP, Context, Generated, Summary
from storage.inspection import bad_vectors, opened, table_faults
from storage.lance import connect
from storage.model import EditionRecord, Level, Span
from storage.reader import LanceReader, open_reader
from storage.upkeep import prune, remove_edition, restore_edition
from storage.vector_cache import cache_state
from storage.writer import write_edition
from tests.test_storage.small import LetterEmbedder, settings_for, small_edition

BUILT = small_edition()
UNITS = {unit.unitid: unit for unit in BUILT.units}
TYPES, KEY = UNITS["sec-types"], UNITS["sec-key"]
MADE = Generated(
    summaries=(
        Summary(KEY, "sec-types", 1, ("sec-key",), (Span(KEY.start, KEY.start + 5),), "keys", "extractive"),
        Summary(TYPES, TOP, 2, ("sec-types",), (), "all about zzzz", "extractive"),
    ),
    contexts=tuple(
        Context(unit, f"of {unit.titlepath} xylophone", "headings")
        for unit in BUILT.units
        if unit.level is Level.BLOCK
    ),
)


def stored(folder: Path, generated: Generated = MADE) -> EditionRecord:
    return write_edition(folder, BUILT, LetterEmbedder(), generated=generated).record


def reader(folder: Path) -> LanceReader:
    return open_reader(settings_for(folder))


def vector(text: str) -> list[float]:
    return LetterEmbedder().embed_query(text)


def test_the_record_says_which_texts_were_generated_and_by_whom(tmp_path: Path) -> None:
    record = stored(tmp_path)
    assert record.generated == {SUMMARIES: "extractive", CONTEXTS: "headings"}
    assert (record.counts[SUMMARIES], record.counts[CONTEXTS]) == (2, 3)
    assert rebuild_command(record).endswith("--edition es2026 --summaries extractive --contexts headings")
    by_model = replace(record, generated={SUMMARIES: "model:openai:some-name"})
    assert rebuild_command(by_model).endswith("--summaries model")


def test_every_row_is_marked_as_generated_and_none_is_a_unit(tmp_path: Path) -> None:
    record = stored(tmp_path)
    for role, maker in record.generated.items():
        rows = connect(tmp_path).open_table(record.tables[role]).to_arrow().to_pylist()
        assert {row["type"] for row in rows} == {GENERATED}
        assert {row["maker"] for row in rows} == {maker}
    assert {unit.unitid for unit in reader(tmp_path).matching({})} == set(UNITS)
    assert reader(tmp_path).search_text("xylophone zzzz", limit=9) == []


def test_a_summary_leads_to_its_section_and_to_what_it_stands_for(tmp_path: Path) -> None:
    stored(tmp_path)
    generated = reader(tmp_path).generated
    found = generated.search_summaries(vector("zzzz"), limit=5)
    assert [one.unitid for one in found] == ["sec-types", "sec-key"]
    assert (found[0].start, found[0].end, found[0].level) == (TYPES.start, TYPES.end, Level.SECTION)
    assert [one.unitid for one in generated.search_summaries(vector("zzzz"), limit=5, above=[TOP])] == [
        "sec-types"
    ]
    below = generated.search_summaries(vector("zzzz"), limit=5, above=["sec-types", "x' OR '1'='1"])
    assert [one.unitid for one in below] == ["sec-key"]
    (key,) = generated.standing(["nothing", "sec-key"])
    assert (key.members, key.spans) == (("sec-key",), (Span(KEY.start, KEY.start + 5),))
    assert (key.source, key.digest) == (KEY.source, KEY.digest)


def test_a_block_is_found_by_the_words_of_its_context(tmp_path: Path) -> None:
    stored(tmp_path)
    generated = reader(tmp_path).generated
    found = generated.search_context_words("xylophone", limit=5)
    assert {one.unitid for one in found} == {text.unit.unitid for text in MADE.contexts or ()}
    assert {one.level for one in generated.search_contexts(vector("Return"), limit=9)} == {Level.BLOCK}
    assert generated.search_context_words("'); \ud800 --", limit=5) == []


def test_an_edition_without_them_names_the_command_and_has_no_more_tables_than_before(tmp_path: Path) -> None:
    record = stored(tmp_path, Generated())
    assert set(record.tables) == {"units", "pages", "names", "windows"}
    assert record.generated == {}
    generated = reader(tmp_path).generated
    command = r"built without {}: make them with python -m setup\.ingest small\.html --edition es2026 --{}$"
    with pytest.raises(StoreError, match=command.format(SUMMARIES, SUMMARIES)):
        generated.search_summaries(vector("x"), limit=1)
    with pytest.raises(StoreError, match=command.format(CONTEXTS, CONTEXTS)):
        generated.search_context_words("x", limit=1)


def test_asking_for_them_is_another_build_and_asking_again_is_none(tmp_path: Path) -> None:
    def written(generated: Generated) -> bool:
        return write_edition(tmp_path, BUILT, LetterEmbedder(), generated=generated).written

    other = replace(MADE, summaries=tuple(replace(one, text="other") for one in MADE.summaries or ()))
    empty = Generated(summaries=())
    steps = [Generated(), Generated(), MADE, MADE, other, empty, empty, Generated()]
    assert [written(one) for one in steps] == [True, False, True, False, True, True, False, True]


def test_going_back_goes_back_to_the_texts_of_that_build(tmp_path: Path) -> None:
    stored(tmp_path)
    stored(tmp_path, Generated())
    assert restore_edition(tmp_path, "es2026", say=print).generated
    assert reader(tmp_path).generated.search_summaries(vector("zzzz"), limit=1)


def test_removing_an_edition_drops_them(tmp_path: Path) -> None:
    stored(tmp_path)
    _, freed = remove_edition(tmp_path, "es2026", say=print)
    assert freed.tables == 6
    assert list_editions(tmp_path) == []


def test_pruning_keeps_their_embeddings(tmp_path: Path) -> None:
    stored(tmp_path)
    vectors = cache_state(tmp_path).vectors
    assert prune(tmp_path, say=print).vectors == 0
    assert cache_state(tmp_path).vectors == vectors
    stored(tmp_path, Generated())
    stored(tmp_path, Generated(summaries=()))
    assert prune(tmp_path, say=print).vectors == len(MADE.summaries or ()) + len(MADE.contexts or ())


@pytest.mark.parametrize("role", [SUMMARIES, CONTEXTS])
def test_a_torn_table_is_seen_and_mended_by_the_next_build(role: str, tmp_path: Path) -> None:
    record = stored(tmp_path)
    assert table_faults(tmp_path, record) == []
    torn = next((tmp_path / "lance" / f"{record.tables[role]}.lance").rglob("*.lance"))
    torn.write_bytes(torn.read_bytes()[:-9])
    assert any(record.tables[role] in fault for fault in table_faults(tmp_path, record))
    assert staging.unsealed(tmp_path, record) == [record.tables[role]]
    assert table_faults(tmp_path, stored(tmp_path)) == []


def test_a_worthless_vector_of_a_generated_text_is_found(tmp_path: Path) -> None:
    record = stored(tmp_path)
    assert bad_vectors(opened(tmp_path, record)) == []
    table = connect(tmp_path).open_table(record.tables[SUMMARIES])
    table.update(where="unitid = 'sec-key'", values={"vector": [0.0] * 26})
    assert bad_vectors(opened(tmp_path, record)) == ["sec-key"]
