import pytest

from tools.visible import shows_something


@pytest.mark.parametrize("text", ["?", "a", "ToNumber", "⟨", "𝔽", "७", "\u200b-", "日本"])
def test_what_can_be_seen_is_something(text: str) -> None:
    assert shows_something(text)


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\u200b\u200b", "\u00ad", "\ufeff", "\u2060\ufe0f", "\u3164\u2800", "\u0301", "\x00"],
)
def test_what_is_drawn_as_nothing_is_nothing(text: str) -> None:
    assert not shows_something(text)
