"""A near miss: the text's nearest words, and where a quotation differs from them."""

import pytest

from agent.answer import Difference
from agent.near import LONGEST, nearest

TEXT = """6. If argument is a String, return StringToNumber(argument).
2. If argument is either a Symbol or a BigInt, throw a TypeError exception.
7. Assert: argument is an Object."""
STEP = "If argument is either a Symbol or a BigInt, throw a TypeError exception."


@pytest.mark.parametrize(
    ("quote", "words", "differences"),
    [
        (STEP.replace("TypeError", "RangeError"), STEP, [("RangeError", "TypeError")]),
        (STEP.replace("either ", ""), STEP, [("", "either")]),
        (
            "If argument is not a String, return StringToNumber(argument).",
            "If argument is a String, return StringToNumber(argument).",
            [("not", "")],
        ),
        (STEP.replace("If", "When"), STEP, [("When", "If")]),
        (STEP.replace("exception.", "error."), STEP, [("error", "exception")]),
    ],
)
def test_the_differing_words_are_told_and_nothing_else(
    quote: str, words: str, differences: list[tuple[str, str]]
) -> None:
    near = nearest(quote, [TEXT])
    assert near is not None
    assert near.words == words
    assert list(near.differences) == [Difference(*pair) for pair in differences]


def test_the_words_are_the_text_s_own_whatever_its_spacing_and_typography() -> None:
    near = nearest("returns “the empty” String twice", ["It\nreturns  the empty\u00a0String once."])
    assert near is not None
    assert near.words == "returns  the empty\u00a0String once"


@pytest.mark.parametrize("quote", ["The moon is made of green cheese.", "", "…", "word " * (LONGEST + 1)])
def test_what_is_far_away_is_no_near_miss(quote: str) -> None:
    assert nearest(quote, [TEXT]) is None


def test_the_nearest_of_several_texts_is_taken() -> None:
    near = nearest(STEP.replace("either ", ""), [STEP.replace("Symbol", "String"), TEXT])
    assert near is not None
    assert near.words == STEP


def test_what_the_near_words_begin_with_and_end_in_stays_on_their_line() -> None:
    near = nearest("Well then, if argument is a String, return StringToNumber(argument). Quite so.", [TEXT])
    assert near is None or "\n" not in near.words
