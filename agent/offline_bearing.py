"""Whether what was found bears on the question at all. Pure.

Two signs that it does not: names that the question stands on occur nowhere, or too few of its words stand
together in any one section while nothing else ties it to the language.
"""

import math
import re
from collections import Counter

from agent.offline_evidence import Evidence
from agent.offline_glossary import in_the_words_of_the_specification
from agent.offline_question import Question
from agent.offline_words import stems

TOGETHER = 0.45
"""Part of a question's words, weighed by rarity, that one section has to hold when nothing else speaks for
it."""

_PATH = re.compile(r"[.#]|::")
_MADE_UP = re.compile(
    r"\b(?:I|we|you|they|someone) (?:define|add|patch|override|overwrite|install|set)\b|polyfill"
)


def absent_names(evidence: Evidence, question: Question) -> tuple[str, ...]:
    """Names in the question that what was shown does not hold."""
    shown = evidence.shown_text()
    words = evidence.identifiers()
    own = bool(_MADE_UP.search(question.text))
    return tuple(name for name in question.names if not _is_shown(name, shown, words, own=own))


def _is_shown(name: str, shown: str, words: frozenset[str], *, own: bool) -> bool:
    """A method of a prototype as a whole, unless the question says that it made it; of others their last
    part."""
    folded = name.casefold().removesuffix("()")
    if folded[0] in "[%":
        return folded in shown
    parts = _PATH.split(folded)
    if "prototype" in parts[:-1] and not own:
        return folded.replace("#", ".prototype.") in shown
    needed = parts if name[0].isupper() else parts[-1:]
    return all(_is_word(part, words) for part in needed)


def _is_word(part: str, words: frozenset[str]) -> bool:
    return any(form in words for form in (part, part.removesuffix("s"), part.removesuffix("es")))


def together(evidence: Evidence, question: Question) -> float:
    """The largest part of the question's own words, rare ones more, that one section shown holds."""
    own = [stem for stem, weight in question.terms.items() if weight == 1]
    sections: dict[str, set[str]] = {}
    for passage in evidence.passages:
        held = sections.setdefault(passage.clauseid, set(stems(passage.title)))
        held.update(stems(passage.text))
    counts = Counter(stem for held in sections.values() for stem in held)
    weights = {stem: math.log(1 + (1 + len(sections)) / (1 + counts[stem])) for stem in own}
    total = sum(weights.values())
    best = max(
        (sum(weights[stem] for stem in own if stem in held) for held in sections.values()), default=0.0
    )
    return best / total if total else 0.0


def bears(evidence: Evidence, question: Question) -> bool:
    """Whether to answer. A name that was found, or words that the glossary knows, tie a question to the
    language."""
    absent = absent_names(evidence, question)
    if question.names and len(absent) == len(question.names):
        return False
    if question.names or in_the_words_of_the_specification(question.text):
        return True
    return together(evidence, question) >= TOGETHER
