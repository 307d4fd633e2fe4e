import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import NoStoreError, StoreError
from storage.model import Kind, Level
from storage.names import fold
from storage.reader import MARGIN, LanceReader, best, open_reader
from storage.reading import Candidate, Reader
from storage.settings import ROOT
from tests.test_storage.small import ODD_ID, TEXT, LetterEmbedder, settings_for, small_edition, store
from tests.test_storage.test_filters import HOSTILE

UNITS = {unit.unitid: unit for unit in small_edition().units}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("store")
    store(made, small_edition())
    return made


@pytest.fixture(scope="module")
def reader(folder: Path) -> LanceReader:
    return open_reader(settings_for(folder))


def test_it_has_the_shape_that_readers_have(reader: LanceReader) -> None:
    narrow: Reader = reader
    assert narrow.record.edition == "es2026"


def test_a_search_never_creates_a_store(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    with pytest.raises(NoStoreError, match=r'`python -m setup.ingest SOURCE`, .*`ask262 --sample "..."`'):
        open_reader(settings_for(folder))
    with pytest.raises(NoStoreError):
        open_reader(settings_for(folder), "es2026")
    assert not folder.exists()


def test_reading_changes_no_file(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    reader = open_reader(settings_for(folder))
    reader.search_text("return", limit=3)
    reader.search_vectors(LetterEmbedder().embed_query("return"), limit=3)
    reader.names().by_key("sec-types")
    reader.page("types.html")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_unit_comes_back_exactly_as_it_was_stored(reader: LanceReader) -> None:
    for unitid, unit in UNITS.items():
        assert reader.unit(unitid) == unit


def test_the_units_that_a_condition_matches_come_in_document_order(reader: LanceReader) -> None:
    sections = [unit for unit in UNITS.values() if unit.level is Level.SECTION]
    found = reader.matching({"level": Level.SECTION.value})
    assert found == sorted(sections, key=lambda unit: (unit.source, unit.start, unit.end))
    blocks = reader.matching({"clauseid": [sections[0].unitid], "level": Level.BLOCK.value})
    assert blocks == reader.blocks(sections[0].unitid) != []
    assert reader.matching({"clauseid": "sec-nowhere"}) == []


@pytest.mark.parametrize("unitid", HOSTILE, ids=lambda value: ascii(value[:20]))
def test_an_id_that_is_not_there_is_none_whatever_it_holds(reader: LanceReader, unitid: str) -> None:
    assert reader.unit(unitid) is None


def test_an_id_with_every_odd_character_is_found_and_its_children_too(tmp_path: Path) -> None:
    store(tmp_path, small_edition())
    reader = open_reader(settings_for(tmp_path))
    assert reader.units([ODD_ID]) == [UNITS[ODD_ID]]
    assert reader.children(ODD_ID) == []


def test_units_keep_the_order_asked_for_and_leave_out_what_is_missing(reader: LanceReader) -> None:
    found = reader.units(["sec-key", "absent", ODD_ID, "sec-key", "page-types"])
    assert [unit.unitid for unit in found] == ["sec-key", ODD_ID, "sec-key", "page-types"]
    assert reader.units([]) == []


def test_more_ids_than_one_filter_takes(reader: LanceReader) -> None:
    found = reader.units([f"absent-{number}" for number in range(1_200)] + ["sec-key"])
    assert [unit.unitid for unit in found] == ["sec-key"]


def test_children_are_the_immediate_sections_and_pieces_in_document_order(reader: LanceReader) -> None:
    assert [unit.unitid for unit in reader.children("page-types")] == ["sec-types"]
    assert [unit.unitid for unit in reader.children("sec-types")] == ["sec-key", ODD_ID]
    assert [unit.unitid for unit in reader.children("sec-key")] == ["sec-key-p-1"]


def test_blocks_are_those_of_the_own_text_in_document_order(reader: LanceReader) -> None:
    assert [unit.unitid for unit in reader.blocks("sec-types")] == ["sec-types~1", "sec-types~2"]
    assert [unit.unitid for unit in reader.blocks("sec-key")] == []


def test_a_slice_is_exact(reader: LanceReader) -> None:
    assert reader.page("types.html") == small_edition().pages[0]
    unit = UNITS[ODD_ID]
    assert reader.slice("types.html", unit.start, unit.end) == TEXT[unit.start : unit.end]


def test_a_page_that_is_not_there_is_a_store_error(reader: LanceReader) -> None:
    with pytest.raises(StoreError, match=r"edition es2026 has no page 'x.html'"):
        reader.page("x.html")


def test_counts_are_by_level(reader: LanceReader) -> None:
    assert {level: reader.count(level) for level in Level} == {
        Level.PAGE: 1,
        Level.SECTION: 3,
        Level.PIECE: 1,
        Level.BLOCK: 3,
    }


def test_a_name_is_found_by_its_key_the_preferred_kind_first(reader: LanceReader) -> None:
    kinds = [name.kind.value for name in reader.names().by_key(fold("ToPropertyKey"))]
    assert kinds == ["operation", "title"]


def test_anchors_are_looked_up_but_not_listed(reader: LanceReader) -> None:
    assert [name.sectionid for name in reader.names().by_key("step-return")] == ["sec-key-p-1"]
    assert "step-return" not in {name.name for name in reader.names()}
    assert len(reader.names()) == 3


def test_several_keys_are_one_look_up(reader: LanceReader) -> None:
    found = reader.names().by_keys(["sec-types", "step-return", "absent"])
    assert [name.name for name in found] == ["sec-types", "step-return"]
    assert reader.names().by_keys([]) == []


@pytest.mark.parametrize(
    "query", ["this", "if", "for in", "not", "ToPropertyKey", "property key", "topropertykey"]
)
def test_the_words_javascript_is_made_of_are_found(reader: LanceReader, query: str) -> None:
    assert reader.search_text(query, limit=5)


def test_parts_of_an_identifier_lead_to_it(reader: LanceReader) -> None:
    assert reader.search_text("property key", limit=1)[0].clauseid == "sec-key"


def test_people_and_specification_may_inflect_differently(reader: LanceReader) -> None:
    assert "sec-types~1" in {found.unitid for found in reader.search_text("returned objects", limit=9)}


@pytest.mark.parametrize(
    "query",
    [
        *HOSTILE,
        "[[Get]]",
        "%Array.prototype%",
        '"unbalanced',
        "a AND (OR",
        "* ? ~ ^",
        "\ud800",
        "return " * 20_000,
    ],
    ids=lambda value: ascii(value[:20]),
)
def test_no_query_raises(reader: LanceReader, query: str) -> None:
    assert len(reader.search_text(query, limit=3)) <= 3


@pytest.mark.parametrize("query", ["", "  ", "[[]]", "%", "''"])
def test_a_query_without_a_word_finds_nothing(reader: LanceReader, query: str) -> None:
    assert reader.search_text(query, limit=3) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_no_limit_means_no_result(reader: LanceReader, limit: int) -> None:
    assert reader.search_text("return", limit=limit) == []
    assert reader.search_vectors([1.0] * 26, limit=limit) == []


def test_text_is_searched_at_the_levels_asked_for(reader: LanceReader) -> None:
    for level in Level:
        found = reader.search_text("return", limit=9, levels=[level])
        assert {candidate.level for candidate in found} <= {level}
    assert reader.search_text("return", limit=9, levels=[Level.BLOCK])
    assert reader.search_text("return", limit=9, levels=[]) == []


def test_filters_apply_before_the_cut(reader: LanceReader) -> None:
    only = reader.search_text("types odd", limit=1, where={"kind": "annex"})
    assert [candidate.unitid for candidate in only] == [ODD_ID]
    vector = LetterEmbedder().embed_query("ToPropertyKey")
    assert [c.unitid for c in reader.search_vectors(vector, limit=1, where={"annex": True})] == [ODD_ID]
    assert reader.search_vectors(vector, limit=1, where={"chapter": "x' OR '1'='1"}) == []


def test_markers_are_not_searched(reader: LanceReader) -> None:
    assert reader.search_text("Subsection available", limit=5) == []


def test_vectors_find_the_nearest_first_and_the_score_is_the_cosine(reader: LanceReader) -> None:
    embedder = LetterEmbedder()
    text = "Types > Odd\n1.2 Odd\nIt's an odd % section."
    found = reader.search_vectors(embedder.embed_query(text), limit=10)
    assert found[0].unitid == ODD_ID
    assert found[0].score == pytest.approx(1.0, abs=1e-5)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert TEXT[found[0].start : found[0].end] == "1.2 Odd\nIt's an odd % section.\n"
    assert found[0].kind is Kind.ANNEX


def test_a_unit_with_several_windows_is_found_once(reader: LanceReader) -> None:
    found = [one.unitid for one in reader.search_vectors([1.0] * 26, limit=10)]
    assert "sec-types" in found
    assert len(found) == len(set(found))


def test_the_same_query_gives_the_same_answer(reader: LanceReader) -> None:
    once = [reader.search_text("return the types", limit=3) for _ in range(5)]
    assert all(again == once[0] for again in once)


def test_twins_are_cut_by_unit_id_in_a_real_store(tmp_path: Path) -> None:
    built = small_edition()
    block = UNITS["sec-types~1"]
    twins = [replace(block, unitid=f"twin~{(number * 37) % 100:02}") for number in range(100)]
    store(tmp_path, replace(built, units=(*built.units, *twins)))
    found = open_reader(settings_for(tmp_path)).search_text("Object", limit=5, levels=[Level.BLOCK])
    assert [one.unitid for one in found] == ["sec-types~1", "twin~00", "twin~01", "twin~02", "twin~03"]


def candidate(unitid: str, score: float, *, start: int = 0) -> Candidate:
    return Candidate(unitid, unitid, Level.BLOCK, Kind.PARAGRAPH, start, start + 1, score)


def ranked(candidates: Sequence[Candidate]) -> Callable[[int], list[Candidate]]:
    """A store that gives equal scores in the order of its rows."""
    return lambda count: sorted(candidates, key=lambda one: -one.score)[:count]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from([0.1, 0.5, 0.9])), max_size=200),
    st.integers(1, 8),
    st.randoms(use_true_random=False),
)
def test_the_best_units_do_not_depend_on_the_order_of_rows(
    rows: list[tuple[int, float]], limit: int, random: "st.DrawFn"
) -> None:
    candidates = [candidate(f"u{unit:02}", score, start=place) for place, (unit, score) in enumerate(rows)]
    mixed = list(candidates)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    expected = best(ranked(candidates), limit=limit)
    assert best(ranked(mixed), limit=limit) == expected
    assert len(expected) == min(limit, len({unit for unit, _ in rows}))
    assert [one.score for one in expected] == sorted((one.score for one in expected), reverse=True)


def test_one_search_is_enough_where_nothing_ties_at_the_cut() -> None:
    asked: list[int] = []

    def search(count: int) -> list[Candidate]:
        asked.append(count)
        return [candidate(f"u{place:03}", 1.0 - place / 1_000) for place in range(count)]

    assert [one.unitid for one in best(search, limit=3)] == ["u000", "u001", "u002"]
    assert asked == [3 + MARGIN]


def run(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)


WRITE_AND_READ = """
import sys
from pathlib import Path
from tests.test_storage.small import TEXT, LetterEmbedder, settings_for, small_edition, store
from storage.reader import open_reader
folder = Path(sys.argv[1])
store(folder, small_edition())
store(folder, small_edition(text="Preface. " + TEXT))
reader = open_reader(settings_for(folder))
reader.search_text("return", limit=3)
reader.search_vectors(LetterEmbedder().embed_query("x"), limit=3)
"""


def test_writing_and_reading_leave_standard_error_empty(tmp_path: Path) -> None:
    assert run(WRITE_AND_READ, str(tmp_path)).stderr == ""


READ = """
import sys
from pathlib import Path
from storage.reader import open_reader
from storage.settings import load_settings
settings = load_settings(None).model_copy(update={"storage_dir": Path(sys.argv[1]), "edition": None})
open_reader(settings).search_text("return", limit=3)
print(*{"onnxruntime", "tokenizers", "langchain", "langchain_core"} & set(sys.modules))
"""


def test_opening_and_searching_load_neither_langchain_nor_the_model(folder: Path) -> None:
    assert run(READ, str(folder)).stdout.strip() == ""


IMPORT = """
import importlib, sys
importlib.import_module(sys.argv[1])
print(*{"lancedb", "pyarrow", "numpy", "onnxruntime", "tokenizers", "langchain_core"} & set(sys.modules))
"""


@pytest.mark.parametrize("module", ["settings", "reader", "writer", "embedder", "documents", "catalog"])
def test_importing_a_module_of_the_store_loads_nothing_heavy(module: str) -> None:
    assert run(IMPORT, f"storage.{module}").stdout.strip() == ""


def test_a_reader_keeps_the_last_units_and_reads_the_others_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path, small_edition())
    reader = open_reader(settings_for(tmp_path))
    ids = [unit.unitid for unit in reader.matching({})]
    before = reader.units(ids)
    monkeypatch.setattr("storage.reader.UNITS_KEPT", 2)
    for unitid in ids:
        assert [unit.unitid for unit in reader.units([unitid])] == [unitid]
    assert len(reader._units) == 2
    assert reader.units(ids) == before
