"""Whether a quotation stands in what a model was shown: a second opinion on `agent.verify`.

Shares no code with it. It has no passages, offsets or sections: only the text of the tool messages, as they
were sent to the model. Pure.
"""

import re
import unicodedata
from collections.abc import Iterable

_BAR = re.compile(r"^   \| ", re.MULTILINE)
"""What a search puts before each line of a snippet."""
_SPACE = re.compile(r"\s+")


def spelled(text: str) -> str:
    """A text without what a tool puts in front of its lines, white space made single.

    >>> spelled("   | 1. Let\\n   |   x  be 0.")
    '1. Let x be 0.'
    """
    return _SPACE.sub(" ", _BAR.sub("", unicodedata.normalize("NFC", text))).strip()


def missing(quotes: Iterable[str], shown: Iterable[str]) -> list[str]:
    """The quotations that no shown text holds, letter for letter but for white space."""
    texts = [spelled(text) for text in shown]
    return [quote for quote in quotes if not any(spelled(quote) in text for text in texts)]
