import pytest

from storage.address import checked_address, password_of, shown_address


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8080/v1",
        "https://models.example/v1",
        "http://[::1]:8080/v1",
        "http://me:secret@host/v1",
        "http://bücher.example/v1",
    ],
)
def test_an_address_that_a_client_can_ask_is_taken_without_its_last_slash(address: str) -> None:
    assert checked_address(address) == checked_address(f"{address}/") == address


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:abc/v1", "must be an address such as"),
        ("http://127.0.0.1:99999/v1", "must be an address such as"),
        ("http://[::1/v1", "must be an address such as"),
        ("http://host:0/v1", "between 1 and 65535"),
        ("http://host:/v1", "between 1 and 65535"),
        ("ftp://host/v1", "begins with http://"),
        ("host:8080", "begins with http://"),
        ("http:///v1", "begins with http://"),
        ("http://ho\nst/v1", "cannot be seen"),
        ("http://host/v1\t", "cannot be seen"),
        ("http://host/\x1b[31m", "cannot be seen"),
        ("http://host/\u202ev1", "cannot be seen"),
        ("http://host/v 1", "no blanks"),
        ("http://a..b/v1", "a host that can exist"),
        (f"http://{'a' * 64}/v1", "a host that can exist"),
        ("http://☃\u0640.example/v1", "a host that can exist"),
        ("http://host/v1?key=hunter2", "must end with its path"),
        ("http://host/v1#part", "must end with its path"),
    ],
)
def test_what_no_client_can_ask_is_refused_with_the_reason(address: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        checked_address(address)
    assert str(caught.value).isprintable()
    assert "hunter2" not in str(caught.value)


def test_an_address_is_shown_without_its_password() -> None:
    assert shown_address("https://me:hunter2@[::1]:8080/v1") == "https://[::1]:8080/v1"
    assert shown_address("http://hunter2@host") == "http://host"
    assert password_of("http://me:hunter2@host/v1") == "hunter2"
    assert password_of("http://host/v1") is None
