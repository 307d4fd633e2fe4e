import pytest
from pydantic import SecretStr

from storage.keys import MASK, checked_key, masked


@pytest.mark.parametrize("given", ["sk-x", "sk-x\n", "\r\nsk-x\r", "  sk-x\t"])
def test_white_space_around_a_key_is_left_out(given: str) -> None:
    assert checked_key(SecretStr(given)).get_secret_value() == "sk-x"


@pytest.mark.parametrize("given", [" ", "\n", "“sk-x”", "sk-\x00x", "sk-x\nsk-y", "sk-\x7f", "schlüssel"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(ValueError, match="must") as caught:
        checked_key(SecretStr(given))
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-abcdefgh12345.",
        "Incorrect API key provided: sk-ab********2345.",
        "bad key gsk_abcdefgh",
        "sent Bearer abcdefgh12345",
        "no answer from http://me:abcdefgh12345@host/v1",
        "rejected my-own-key-7",
    ],
)
def test_what_looks_like_a_key_and_the_key_itself_are_left_out(text: str) -> None:
    out = masked(text, "my-own-key-7")
    assert MASK in out
    assert not any(part in out for part in ("abcdefgh", "2345", "my-own-key"))


@pytest.mark.parametrize("text", ["skip_this: ask-me-anything", "pick none of them", "http://host:80/v1@2"])
def test_ordinary_words_stay_as_they_are(text: str) -> None:
    assert masked(text, "none") == text
