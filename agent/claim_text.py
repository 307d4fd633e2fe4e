"""A model's claim as text that cannot pass for the program's own: no marks of a verdict, no numbers of
quotations, and what it puts in quotation marks is looked up like any other quotation. Pure text.
"""

import re
from collections.abc import Iterator

from agent.draft import ClaimDraft
from agent.quotes import fold
from tools.clean import clean

LEAST = 6
"""Words in quotation marks from which a claim is taken to quote: fewer are a name, a message or a value."""

_MARKS = re.compile(r"[✓✔✅☑✗✘✖❌☒]\ufe0f?[ \t]*")
_NUMBER = re.compile(r"(?<![\w\])`\[])\[(\d{1,4})\](?=[\s.,;:!?)]|$)")
_QUOTED = re.compile(r'“([^“”]{1,4000})”|«([^«»]{1,4000})»|(?<!\w)"([^"]{1,4000})"(?!\w)')
_WORD = re.compile(r"[^\W_]+")


def own_text(claim: ClaimDraft) -> str:
    """The text of a claim without what only the program says; what it quotes and cites stays as it is.

    >>> own_text(ClaimDraft(text="It throws [2].\\n\\n[1] ✓ verified: a[1]"))
    'It throws (2).\\n\\n(1) verified: a[1]'
    """
    text, out, end = clean(claim.text), "", 0
    for found, words in _quoted(text):
        if _is_cited(words, claim):
            out += _unmarked(text[end : found.start()]) + found[0]
            end = found.end()
    return (out + _unmarked(text[end:])).strip()


def _unmarked(text: str) -> str:
    return _NUMBER.sub(r"(\1)", _MARKS.sub("", text))


def _quoted(text: str) -> Iterator[tuple[re.Match[str], str]]:
    for found in _QUOTED.finditer(text):
        yield found, next(filter(None, found.groups()))


def _is_cited(words: str, claim: ClaimDraft) -> bool:
    inside = fold(words).text.strip()
    return any(inside in fold(one.quote).text for one in claim.citations)


def implied(claim: ClaimDraft) -> Iterator[str]:
    """Words that a claim puts in quotation marks and cites nowhere.

    >>> from agent.draft import CitationDraft
    >>> cited = [CitationDraft(sectionid="sec-a", quote="Return the number of beans in the bed.")]
    >>> list(implied(ClaimDraft(text="It says “Return the number of beans in the bed.”", citations=cited)))
    []
    >>> list(implied(ClaimDraft(text="It says “Return the number of peas in the bed.”", citations=cited)))
    ['Return the number of peas in the bed.']
    """
    for _, words in _quoted(claim.text):
        if len(_WORD.findall(words)) >= LEAST and not _is_cited(words, claim):
            yield words
