"""Which stretch is shown, and where it is cut."""

from hypothesis import given
from hypothesis import strategies as st

from storage.model import Kind, Level
from storage.reading import Candidate
from tests.test_tools.fake import small
from tools.snippets import best_stretch, clip, snippet_span


@given(st.text(alphabet="ab \n.", max_size=200), st.integers(1, 50))
def test_a_clip_is_within_the_limit_and_ends_no_word_unless_it_must(text: str, limit: int) -> None:
    text = text.strip()
    end = clip(text, 0, limit=limit)
    assert 0 <= end <= min(len(text), limit)
    if end < len(text) and any(character.isspace() for character in text[: limit + 1]):
        assert text[:end] == text[:end].rstrip()
        assert text[end].isspace()


@given(st.text(alphabet="ab \n.", max_size=200), st.text(alphabet="ab ", max_size=20))
def test_a_stretch_lies_in_its_text_and_is_not_blank_unless_the_text_is(text: str, query: str) -> None:
    start, end = best_stretch(text, query, limit=20)
    assert 0 <= start <= end <= len(text)
    assert bool(text[start:end].strip()) == bool(text.strip())


def test_the_stretch_starts_at_the_line_that_holds_the_words_asked_for() -> None:
    text = "1. Let x be 0.\n  a. Nothing here.\n  b. Throw a RangeError exception."
    start, end = best_stretch(text, "when is a RangeError thrown", limit=40)
    assert text[start:end] == "b. Throw a RangeError exception."


def test_a_window_is_shown_without_the_heading_and_without_a_subsections_text() -> None:
    store = small()
    plant = store.unit("sec-plant")
    assert plant is not None
    window = Candidate("sec-plant", "sec-plant", Level.SECTION, Kind.CLAUSE, plant.start, plant.end, 1.0)
    span = snippet_span(plant, "", store, match=None, units=[window])
    shown = store.text[span.start : span.end]
    assert shown.startswith("The abstract operation")
    assert "Seeds are counted" not in shown


def test_a_block_that_is_more_than_a_heading_is_preferred() -> None:
    store = small()
    plant = store.unit("sec-plant")
    assert plant is not None
    heading, step = (store.unit(f"sec-plant~{n}") for n in (1, 3))
    assert heading is not None
    assert step is not None
    candidates = [
        Candidate(u.unitid, "sec-plant", u.level, u.kind, u.start, u.end, 1.0) for u in (heading, step)
    ]
    span = snippet_span(plant, "", store, match=None, units=candidates)
    assert (span.start, span.end) == (step.start, step.end)
