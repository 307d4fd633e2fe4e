"""Addresses of servers: which can be asked at all, and how one is named in a message.

A name and a password before the host, and what stands behind a `?`, are often secrets: a message has neither.
"""

from urllib.parse import SplitResult, urlsplit


def checked_address(address: str) -> str:
    """The address without a slash at its end.

    Raises ValueError for what no client can ask. A query is refused too: clients add their own path behind
    it, so that it never reaches the server as it was meant.
    """
    if not address.isprintable() or " " in address:
        raise ValueError("must have no blanks and no characters that cannot be seen")
    parts = _split(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address that begins with http:// or https://")
    if not _can_exist(parts.hostname):
        raise ValueError("must name a host that can exist")
    if "?" in address or "#" in address:
        raise ValueError("must end with its path, without ? or #: a key has a setting of its own")
    return address.rstrip("/")


def shown_address(address: str) -> str:
    """Scheme, host, port and path of an address that was checked.

    >>> shown_address("http://me:secret@host:8080/v1")
    'http://host:8080/v1'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def password_of(address: str) -> str | None:
    """The password that an address carries."""
    return urlsplit(address).password


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise ValueError("must be an address such as http://127.0.0.1:8080/v1") from error
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError("must have a port between 1 and 65535 behind its colon")
    return parts


def _can_exist(host: str) -> bool:
    """By the rules of the client, which for other letters than ASCII's are narrower than Python's own."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    if host.isascii():
        return True
    import httpx

    try:
        httpx.URL(f"http://{host}/")
    except httpx.InvalidURL:
        return False
    return True
