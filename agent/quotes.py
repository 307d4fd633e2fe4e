"""Finding a quotation in a text: which differences do not matter, and which always do.

Pure text; knows no section and no store. White space, typographic variants (quotation marks, dashes, no-break
spaces, a soft hyphen), the escape before a `|` in a table and backticks are folded. Everything else counts:
letter case, every word, every symbol. A quotation is contiguous, begins and ends at a word boundary, and is
long enough to mean something.
"""

import re
from dataclasses import dataclass

LEAST_WORDS = 3
"""Words from which a quotation says something: `return true` stands everywhere and says nothing."""
LEAST_CHARACTERS = 12
"""Or characters: one long name (`[[ThisBindingStatus]]`) says as much as three words."""

_VARIANTS = {
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    "…": "...",
    **dict.fromkeys("`\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
}
_WRAPPING = re.compile(r"""^["'“”‘’«]+(?P<inside>.*)["'“”‘’»]+$""", re.DOTALL)
_ELLIPSES = re.compile(r"^(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*|\s*(?:\.\.\.|…|\[…\]|\[\.\.\.\])$")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `places[i]` is where its character `i` stands in the original."""

    text: str
    places: tuple[int, ...]


def fold(text: str) -> Folded:
    """The text with typographic variants made equal and runs of white space made one space.

    >>> fold("a “b”\\n  c").text
    'a "b" c'
    """
    out: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character == "\\" and text[place + 1 : place + 2] == "|":
            continue
        for folded in _VARIANTS.get(character, character):
            if folded.isspace():
                if out and out[-1] == " ":
                    continue
                folded = " "
            out.append(folded)
            places.append(place)
    return Folded("".join(out), tuple(places))


def is_meaningful(quote: str) -> bool:
    """Whether a quotation is long enough to mean something.

    >>> is_meaningful("return true"), is_meaningful("x is NaN"), is_meaningful("")
    (False, True, False)
    """
    words = _WORD.findall(quote)
    return bool(words) and (len(words) >= LEAST_WORDS or len(fold(quote).text.strip()) >= LEAST_CHARACTERS)


def spellings(quote: str) -> list[str]:
    """The quotation as given, then without the quotation marks and ellipses that models put around one."""
    forms = {quote.strip(): None}
    bare = quote.strip()
    if wrapped := _WRAPPING.match(bare):
        bare = wrapped["inside"].strip()
        forms[bare] = None
    forms[_ELLIPSES.sub("", bare).strip()] = None
    return [form for form in forms if form]


def find_all(quote: str, text: Folded) -> list[tuple[int, int]]:
    """Where the quotation stands, as character ranges of the original text; empty when it does not."""
    for form in spellings(quote):
        if is_meaningful(form) and (found := _occurrences(fold(form).text.strip(), text)):
            return found
    return []


def _occurrences(wanted: str, text: Folded) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    at = text.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _at_boundary(text.text, at) and _at_boundary(text.text, end):
            out.append((text.places[at], text.places[end - 1] + 1))
        at = text.text.find(wanted, at + 1)
    return out


def _at_boundary(text: str, at: int) -> bool:
    """Whether a word does not run across this place."""
    return at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())
