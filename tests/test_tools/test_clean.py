"""What is shown cannot act on a terminal; what is data is not changed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.clean import clean, encodable, one_line, shortened, to_json


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain\n\ttext 𝔽 é", "plain\n\ttext 𝔽 é"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jx", "x"),
        ("a\x00\x08\x7fb", "ab"),
        ("a\r\nb", "a\nb"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("\x1b", ""),
    ],
)
def test_control_sequences_and_overrides_are_dropped_and_the_rest_stays(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@given(st.text())
def test_cleaned_text_holds_no_control_and_can_be_encoded(raw: str) -> None:
    shown = clean(raw)
    shown.encode()
    assert not any(ord(character) < 32 and character not in "\n\t" for character in shown)
    assert clean(shown) == shown


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\tb \x1b[1mc ") == "a b c"


def test_a_shortened_text_is_recognisable_and_says_that_it_goes_on() -> None:
    assert shortened("short") == "short"
    assert shortened("x" * 100_000) == "x" * 59 + "…"


@given(st.dictionaries(st.text(), st.text(alphabet=st.characters(categories=("L", "Cc", "Cf")))))
def test_json_keeps_every_character_and_lets_none_act(data: dict[str, str]) -> None:
    written = to_json(data)
    assert json.loads(written) == data
    assert not any(character in written for character in "\x1b\x9b\x7f\u202e\u2066")


def test_json_can_be_encoded_whatever_it_holds() -> None:
    assert json.loads(to_json({"key": "lone \ud800"}).encode()) == {"key": "lone \ud800"}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_can_be_encoded_stays_as_it_is_also_in_halves(text: str) -> None:
    assert encodable(text) == text
    units = text.encode("utf-16-le")
    halves = "".join(chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2))
    assert encodable(halves) == text


@given(st.text(st.characters()))
def test_whatever_half_a_character_stands_in_is_encoded(text: str) -> None:
    encodable(f"a{text}\ud800b").encode()


def test_a_number_that_json_has_no_form_of_is_null() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    data = json.loads('{"limit": NaN, "x": 1e999, "at": [-Infinity, 0.5, {"y": [NaN]}], "n": 3}')
    read = json.loads(to_json({**data, "pair": (1e999, 1)}), parse_constant=refuse)
    assert read == {"limit": None, "x": None, "at": [None, 0.5, {"y": [None]}], "n": 3, "pair": [None, 1]}
