"""Keys and passwords: which can be sent at all, and how they are kept out of messages."""

import re

from pydantic import SecretStr

SHORTEST = 6
"""Characters from which on a key is looked for in a text: a shorter one, such as `none`, is no secret, and
would be found in ordinary words."""

MASK = "[key left out]"

_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|hf|xai|nvapi|ghp)[-_][\w*.…-]{4,}"  # as providers begin them, cut short or whole
    r"|\bAIza[\w-]{10,}"
    r"|(?<=://)[^/\s@]+(?=@)"  # name and password in an address
    r"|(?<=\bBearer )[\w.*~+/=-]{6,}"
)


def checked_key(key: SecretStr) -> SecretStr:
    """The key without white space around it, as copying leaves it there.

    Raises ValueError for what cannot be sent in a header.
    """
    text = key.get_secret_value().strip()
    if not text:
        raise ValueError("must not be blank; leave it out where no key is wanted")
    if not all(" " <= character <= "~" for character in text):
        raise ValueError(
            "must hold ASCII characters alone; look for curly quotation marks or line breaks copied along"
        )
    return SecretStr(text)


def masked(text: str, *secrets: str) -> str:
    """The text of somebody else, a server's or a library's, without the secrets and what looks like a key.

    >>> masked("Incorrect API key provided: sk-abcdefgh12345", "hunter2")
    'Incorrect API key provided: [key left out]'
    """
    for secret in secrets:
        if len(secret) >= SHORTEST:
            text = text.replace(secret, MASK)
    return _LOOKS_LIKE_A_KEY.sub(MASK, text)
