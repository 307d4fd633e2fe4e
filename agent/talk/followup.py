"""Questions that only make sense after the one before: put so that they can be asked alone. Pure text.

A model is asked each question afresh, so that its evidence is this question's alone. What a follow-up leans
on is therefore said in it: the sections that the last answer stands on, and what was asked there.
"""

import re
from collections.abc import Sequence

from agent.answer import Answer, Verdict
from tools.clean import one_line, shortened

_LEANS = re.compile(
    r"^(?:and|but|so|then|or|also|what about|how about|why(?: not)?|what if|where else|which one|in which)\b"
    r"|\b(?:it|its|itself|this|that|these|those|they|them|their|there|the same|the former|the latter|above)\b"
    r"|\bthe (?:first|second|third|last|next|other) (?:step|one|case|section|algorithm|operation)\b",
    re.IGNORECASE,
)
"""Words that point back. Each may stand in a question that needs nothing before it (`this` is a keyword)."""

_OWN_NAME = re.compile(
    r"`[^`]+`|\[\[\w+\]\]|%[\w.]+%|\b(?:sec|prod|table)-\S+|\b[A-Z]\w*[a-z]\w*[A-Z]\w*|\w\.\w|\w\(\)"
)
"""A name of its own: an operation, a slot, an id, a method. Who names something does not point back."""

SECTIONS = 2
"""Sections of the last answer that a follow-up is told: one decides, one more is often called by it."""


def leans_back(question: str) -> bool:
    """Whether a question points to what went before."""
    return bool(_LEANS.search(question)) and not _OWN_NAME.search(question)


def understood(question: str, last: Answer | None) -> str:
    """The question as it is asked: as it stands, or with what it leans on."""
    if last is None or not leans_back(question):
        return question
    about = _titles(last)
    before = shortened(last.question, limit=200)
    return f"{question} (This follows “{before}”{f', about {about}' if about else ''}.)"


def _titles(last: Answer) -> str:
    """What the last answer's verified quotations stand in, else what it named as nearest."""
    cited = [one for one in last.citations if one.verdict is Verdict.VERIFIED]
    ids: Sequence[tuple[str, str]] = [(one.sectionid, one.title) for one in cited]
    named = list(dict(ids or [(place.sectionid, place.title) for place in last.nearest]).items())[:SECTIONS]
    return " and ".join(f"{one_line(title)} ({sectionid})" for sectionid, title in named)
