"""Search terms from a chat model, for a question that does not say what the specification says.

What the model answers is data: a few short terms that are searched for beside the question. They look no
name up, reach no filter, and are never shown as text of the specification. Where the model fails, or says
nothing that can be used, the search goes on without it and says so.
"""

import re
from dataclasses import dataclass
from typing import Any, Protocol

from storage.keys import masked
from storage.prompts import render
from tools.clean import one_line, shortened
from tools.spelling import bare, one_name

MOST_TERMS = 12
"""Terms that are used; the prompt asks for eight, and more would drown the question."""
LONGEST_TERM, MOST_WORDS = 60, 8
"""Characters and words. What is longer is a sentence, not a name."""

_ASIDE = re.compile(r"<think>.*?(?:</think>|\Z)|```\w*", re.DOTALL | re.IGNORECASE)
_LEAD = re.compile(r"^(?:[-*•>#]+|\(?\d{1,2}[.):])\s+")
_BETWEEN = re.compile(r"\n|;|,(?![^(]*\))")
_AROUND = "`'\"“”‘’*_ \t.:"


class ChatModel(Protocol):
    """What is needed of LangChain's chat models."""

    def invoke(self, prompt: str, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What came of asking."""

    terms: tuple[str, ...] = ()
    note: str = ""
    """What the reader should know: the terms, or why there are none."""


def rewriting(question: str, model: ChatModel) -> Rewriting:
    """The model's search terms for a question; none for a name alone, which is found exactly.

    Whatever the model raises is a note.
    """
    if one_name(bare(question)):
        return Rewriting()
    try:
        terms = search_terms(str(model.invoke(render("search/terms", question=question)).text))
    except Exception as error:  # each provider's client has exceptions of its own
        why = shortened(f"{type(error).__name__}: {masked(str(error))}", limit=120)
        return Rewriting(note=f"The chat model gave no search terms ({why}); searched without them.")
    if not terms:
        return Rewriting(note="The chat model gave no usable search terms; searched without them.")
    return Rewriting(terms, note=f"Also searched for the chat model's terms: {'; '.join(terms)}.")


def search_terms(answer: str) -> tuple[str, ...]:
    """The terms in a model's answer: one a line or between commas, without marks of a list, each once.

    >>> search_terms("1. ToPropertyKey\\n2. `[[Get]]`\\nHere is why I think that these terms will help.")
    ('ToPropertyKey', '[[Get]]')
    """
    parts = (one_line(part) for part in _BETWEEN.split(_ASIDE.sub("\n", answer)))
    terms = (_LEAD.sub("", part).strip(_AROUND) for part in parts)
    return tuple(dict.fromkeys(filter(_usable, terms)))[:MOST_TERMS]


def _usable(term: str) -> bool:
    short = 1 < len(term) <= LONGEST_TERM and len(term.split()) <= MOST_WORDS
    return short and any(map(str.isalpha, term))
