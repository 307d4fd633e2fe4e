from dataclasses import replace

from storage.model import Level, Span, Unit
from storage.passages import embedded_windows
from tests.test_storage.small import TEXT, small_edition

UNITS = {unit.unitid: unit for unit in small_edition().units}


def spans(unit: Unit, text: str) -> list[str]:
    return [text[window.start : window.end] for window in embedded_windows(unit, text)]


def test_a_window_never_crosses_a_child() -> None:
    assert spans(UNITS["sec-types"], TEXT) == ["1 Types\nIf this is not an Object, return.\n", "Afterword.\n"]


def test_a_section_without_text_is_found_by_its_title() -> None:
    container = replace(UNITS["sec-types"], segments=(Span(0, 0),))
    (window,) = embedded_windows(container, TEXT)
    assert (window.text, window.start, window.end) == ("Types", container.start, container.start)


def test_a_page_without_text_has_no_window_and_one_with_text_has() -> None:
    page = UNITS["page-types"]
    assert embedded_windows(page, TEXT) == []
    assert spans(replace(page, segments=(Span(0, 7),)), TEXT) == ["1 Types"]


def test_rules_and_borders_are_not_embedded() -> None:
    text = "1 Types\n---|---\n\n"
    unit = replace(UNITS["sec-types"], segments=(Span(0, 8), Span(8, len(text))))
    assert spans(unit, text) == ["1 Types\n"]


def test_a_long_text_has_overlapping_windows_with_ids_of_their_own() -> None:
    text = "".join(f"{number}. Let value{number} be ? ToNumber(argument).\n" for number in range(1, 80))
    windows = embedded_windows(replace(UNITS["sec-key"], start=0, segments=(Span(0, len(text)),)), text)
    assert [window.windowid for window in windows] == [f"sec-key#{n}" for n in range(1, len(windows) + 1)]
    assert windows[0].start == 0
    assert windows[-1].end == len(text)
    assert all(window.text.startswith("Types > ToPropertyKey ( argument )\n") for window in windows)


def test_blocks_are_not_embedded() -> None:
    blocks = [unit for unit in UNITS.values() if unit.level is Level.BLOCK]
    assert blocks
    assert [window for unit in blocks for window in embedded_windows(unit, TEXT)] == []
