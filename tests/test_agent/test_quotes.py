"""Which differences between a quotation and a text do not matter, and which always do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.quotes import find_all, fold, is_meaningful

TEXT = "1. If x is “a”, throw a TypeError exception.\n  a. Return x – 1, or `y \\| z`."


def found(quote: str, text: str = TEXT) -> list[str]:
    return [text[start:end] for start, end in find_all(quote, fold(text))]


@pytest.mark.parametrize(
    "quote",
    [
        'If x is "a", throw a TypeError exception.',
        "If  x is\n“a”, throw\u00a0a TypeError exception.",
        '"If x is “a”, throw a TypeError exception."',
        "…throw a TypeError exception…",
    ],
)
def test_white_space_typography_and_wrapping_quotation_marks_are_folded(quote: str) -> None:
    assert found(quote)[0].endswith("throw a TypeError exception.") or found(quote)[0].endswith("exception")


@pytest.mark.parametrize("quote", ["Return x - 1, or y | z.", "Return x — 1, or `y | z`."])
def test_dashes_backticks_and_escaped_pipes_are_folded(quote: str) -> None:
    assert found(quote) == ["Return x – 1, or `y \\| z`."]


@pytest.mark.parametrize(
    "quote",
    [
        "if x is “a”, throw a TypeError exception",
        "If x is “a”, throw a RangeError exception.",
        "throw TypeError exception",
        "throw a TypeError exception. Return x",
        "f x is “a”, throw a TypeErr",
    ],
    ids=["letter case", "another word", "a word left out", "not contiguous", "inside a word"],
)
def test_every_other_difference_counts(quote: str) -> None:
    assert found(quote) == []


@pytest.mark.parametrize(("quote", "meaningful"), [
    ("", False), ("...", False), ("return true", False), ("x is NaN", True), ("[[ThisBindingStatus]]", True),
])  # fmt: skip
def test_a_quotation_is_long_enough_to_mean_something(quote: str, meaningful: bool) -> None:
    assert is_meaningful(quote) is meaningful


def test_a_short_quotation_is_not_found_even_where_it_stands() -> None:
    assert found("return x", "a return x b") == []


def test_every_place_is_found() -> None:
    assert len(find_all("a b c", fold("a b c, a b c"))) == 2


@given(st.text(alphabet="ab“”`-– \n\\|", max_size=60))
def test_places_lead_back_to_the_original(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.places)
    assert list(folded.places) == sorted(folded.places)
    assert all(
        fold(text[place]).text.strip() in ("", letter)
        for letter, place in zip(folded.text, folded.places, strict=True)
    )


@given(st.text(alphabet="abc xyz.,", min_size=1, max_size=80), st.data())
def test_what_is_found_folds_to_the_quotation(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, len(text)))
    for begin, stop in find_all(text[start:end], fold(text)):
        assert fold(text[begin:stop]).text.strip() == fold(text[start:end]).text.strip()
