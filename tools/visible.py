"""Whether a text shows anything: one that a person sees as empty is not searched for. Pure text."""

import unicodedata

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as nothing: fillers of Hangul, the empty pattern of Braille."""


def shows_something(text: str) -> bool:
    """Whether a letter, a number, a mark of punctuation or a symbol stands in it that can be seen.

    >>> shows_something("\\u200b\\u00ad\\ufe0f \\u3164"), shows_something("?")
    (False, True)
    """
    return any(unicodedata.category(one)[0] in "LNPS" and one not in _BLANKS for one in text)
