"""A model's words as text that cannot pass for the program's own, and what they put in quotation marks.

A line that looks like one of the program's verdicts is said to be the model's; numbers, marks and code are
else left alone. A quotation inside a claim that the claim does not cite is looked up like any other, unless
it is the question's own. Pure text.
"""

import re
from collections.abc import Iterator

from agent.draft import ClaimDraft
from agent.quotes import fold
from tools.clean import clean

LEAST = 6
"""Words in quotation marks from which a claim is taken to quote: fewer are a name, a message or a value."""
MOST = 20
"""Quotations inside one claim that are looked at."""
LONGEST = 4_000
"""Characters of one of them; and five times as many of a citation that may hold it."""

_VERDICT = r"(?=(?:un)?verified\b|not (?:shown|found)\b)"
_LINE = re.compile(rf"^[ \t>*-]*(?:\[\s*\^?\d{{1,4}}\s*\]\s*)+(?:[^\w\s]\ufe0f?\s*)?{_VERDICT}", re.I | re.M)
_MARK = re.compile(rf"[✓✔✅☑🗸√✗✘✖❌☒]\ufe0f?\s*{_VERDICT}", re.I)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`]*`", re.DOTALL)
_QUOTED = tuple(
    re.compile(pattern % f"{{1,{LONGEST}}}", re.MULTILINE)
    for pattern in (
        r"“([^“”]%s)”", r"„([^„“”]%s)[“”]", r"«([^«»]%s)»", r"「([^「」]%s)」", r"‘([^‘’]%s)’",
        r'(?<!\w)"([^"]%s)"(?!\w)', r"(?<!\w)'([^'\n]%s)'(?!\w)", r"^[ \t]*>[ \t]*([^\n]%s)$",
    )
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def plain(text: str) -> str:
    """The text in which no line passes for a verdict.

    >>> plain("It throws.\\n[1][2] ✓ verified: 7.1.4")
    'It throws.\\n(the model says) verified: 7.1.4'
    >>> plain("`a = [1]`, and '✓'.length is 1")
    "`a = [1]`, and '✓'.length is 1"
    """
    return _MARK.sub("", _LINE.sub("(the model says) ", clean(text))).strip()


def implied(claim: ClaimDraft, question: str = "") -> Iterator[str]:
    """Words that a claim puts in quotation marks, that it cites nowhere, and that are not the question's.

    >>> from agent.draft import CitationDraft
    >>> cited = [CitationDraft(sectionid="sec-a", quote="Return the number of beans in the bed.")]
    >>> list(implied(ClaimDraft(text="It says “return the number of beans in the bed.”", citations=cited)))
    []
    >>> list(implied(ClaimDraft(text="It says “Return the number of peas in the bed.”", citations=cited)))
    ['Return the number of peas in the bed.']
    """
    said = _passages(claim.text)
    known = (
        [question, *(one.quote for one in claim.citations if len(one.quote) <= 5 * LONGEST)] if said else []
    )
    texts = [fold(text).text.casefold() for text in known]
    for words in said:
        if not any(fold(words).text.strip().casefold() in text for text in texts):
            yield words


def _passages(text: str) -> list[str]:
    """What stands in quotation marks, outside code; of one inside another only the inner one."""
    bare = _CODE.sub(lambda found: " " * len(found[0]), text)
    spans = [found.span(1) for pattern in _QUOTED for found in pattern.finditer(bare)][:MOST]
    inner = [
        (start, end)
        for start, end in spans
        if not any((start, end) != other and start <= other[0] and other[1] <= end for other in spans)
    ]
    told = [text[start:end].strip() for start, end in sorted(set(inner))]
    return [words for words in told if len(_WORD.findall(words)) >= LEAST]
