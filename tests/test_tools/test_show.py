"""What a model reads, as golden files: a change of wording is seen, and wanted."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.golden import matches_golden
from tests.test_tools.fake import FakeEmbedder, reader, section, small
from tools.results import ToolResult
from tools.toolbox import Toolbox

TOOLBOX = Toolbox(small(), FakeEmbedder())
CALLS: dict[str, Callable[[], ToolResult]] = {
    "search-question.txt": lambda: TOOLBOX.search_spec("Does PlantSeed throw when the bed is full?", limit=3),
    "search-name.txt": lambda: TOOLBOX.search_spec("Evaluation", limit=2),
    "search-slip.txt": lambda: TOOLBOX.search_spec("PlantSede", limit=1),
    "search-unknown-name.txt": lambda: TOOLBOX.search_spec("sec-raining", limit=1),
    "fetch-parent.txt": lambda: TOOLBOX.fetch_section_chunks("sec-plant"),
    "fetch-recursive.txt": lambda: TOOLBOX.fetch_section_chunks("1", recursive=True),
    "fetch-miss.txt": lambda: TOOLBOX.fetch_section_chunks("sec-rains-here"),
    "fetch-several.txt": lambda: TOOLBOX.fetch_section_chunks("Evaluation"),
    "subsections.txt": lambda: TOOLBOX.check_subsections("sec-garden", read=["sec-plant"]),
    "subsections-leaf.txt": lambda: TOOLBOX.check_subsections("sec-rain"),
}


@pytest.mark.parametrize("file", CALLS)
def test_the_text_for_the_model_is_the_golden_one(file: str) -> None:
    assert matches_golden(f"test_tools/golden/{file}", CALLS[file]().text)


def test_the_cursor_stands_at_the_end_of_a_cut_answer() -> None:
    store = reader(section("sec-long", "1", "Long", "One line of it.\n" * 60))
    text = Toolbox(store, FakeEmbedder()).fetch_section_chunks("sec-long", limit=500).text
    assert matches_golden("test_tools/golden/fetch-cut.txt", text)


def test_control_characters_of_a_specification_are_not_shown_and_stay_in_the_data() -> None:
    store = reader(section("sec-a", "1", "A", "bell \x07 and \x1b[31mred\x1b[0m and \u202eback"))
    box = Toolbox(store, FakeEmbedder())
    for result in (box.fetch_section_chunks("sec-a"), box.search_spec("bell red")):
        assert not set(result.text) & {"\x07", "\x1b", "\u202e"}
        assert any("\x1b[31mred" in passage.text for passage in result.passages)


def test_a_title_with_a_line_break_stays_on_its_line() -> None:
    store = small()
    store.all_units = [
        replace(unit, title="Two\nlines") if unit.unitid == "sec-rain" else unit for unit in store.all_units
    ]
    text = Toolbox(store, FakeEmbedder()).check_subsections("sec-weather").text
    assert "Two lines" in text


def test_a_search_without_hits_says_so() -> None:
    assert "Nothing found for `zzz`" in Toolbox(small(), FakeEmbedder()).search_spec("zzz", kind="table").text
