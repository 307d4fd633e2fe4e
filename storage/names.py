"""How names are folded before they are compared: when they are stored and when they are sought. Pure text."""

import re

_SPACES = re.compile(r"\s+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def fold(name: str) -> str:
    """Case, spacing and a trailing full stop do not tell two names apart.

    >>> fold("  ToNumber ( argument ) ")
    'tonumber(argument)'
    """
    return _SPACES.sub("", name).casefold().rstrip(".")


def identifier_parts(text: str) -> list[str]:
    """The words inside the compound identifiers of a text, lower case, each identifier's in order.

    `ToPropertyKey` gives `to property key`: full-text search sees CamelCase as one token.
    """
    parts: list[str] = []
    for word in re.findall(r"[A-Za-z0-9]+", text):
        pieces = _CAMEL.findall(word)
        if len(pieces) > 1:
            parts += (piece.lower() for piece in pieces)
    return parts
