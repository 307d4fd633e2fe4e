"""How much a statement bears on a question: shared words, rare ones more; what it stands under; the kind of
answer.

Pure. Everything is counted over what was shown, nothing over the whole specification: the model has no store.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.offline_question import Cue, Question
from agent.offline_statements import Shape, Statement
from agent.offline_words import stems

UNDER = 0.45
"""What a word counts that stands in a step above instead of in the statement."""
TITLED = 0.3
"""What a word counts that stands only in the section's title."""
SECTION = 2.5
"""What the best section adds to each of its statements."""
CUE = 1.5
"""What the kind of answer adds that the question asks for."""

_FAVOURED = {
    Cue.THROWS: re.compile(r"\bthrow an?\b|Syntax Error|ThrowCompletion|\breturn false\b"),
    Cue.RETURNS: re.compile(r"\breturn\b", re.IGNORECASE),
    Cue.CONDITION: re.compile(r"^(?:If|When|Unless|Whenever)\b|\bwhen\b|\bonly if\b"),
}
_EMPTY = re.compile(r"performs the following steps|^Syntax$|^Assert:|^(?:The )?following")


@dataclass(frozen=True, slots=True)
class Scored:
    """A statement, its score, and the question's words that it holds itself."""

    statement: Statement
    score: float
    held: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare a stem is among the statements shown."""

    counts: Mapping[str, int]
    statements: int

    def of(self, stem: str) -> float:
        """Inverse document frequency; an unseen stem is the rarest."""
        return math.log(1 + self.statements / (1 + self.counts.get(stem, 0)))


def rarity(words: Sequence[frozenset[str]]) -> Rarity:
    """Counted over the stems of each statement."""
    return Rarity(Counter(stem for held in words for stem in held), len(words))


def score_all(
    found: Sequence[Statement], question: Question, *, sections: Mapping[str, float]
) -> list[Scored]:
    """Every statement with its score; `sections` says how good each section is, 1 for the best."""
    words = [frozenset(stems(statement.text)) for statement in found]
    rare = rarity(words)
    return [
        _score(statement, held, question, rare, sections.get(statement.passage.clauseid, 0.0))
        for statement, held in zip(found, words, strict=True)
    ]


def _score(
    statement: Statement, words: frozenset[str], question: Question, rare: Rarity, section: float
) -> Scored:
    above = frozenset(stem for step in statement.parents for stem in stems(step.text))
    title = frozenset(stems(statement.passage.title))
    total = 0.0
    for stem, weight in question.terms.items():
        place = 1.0 if stem in words else UNDER if stem in above else TITLED if stem in title else 0.0
        total += place * weight * rare.of(stem)
    if _EMPTY.search(statement.text):
        total *= 0.3
    total += SECTION * section + CUE * _favour(statement, question)
    return Scored(statement, total, words & question.terms.keys())


def _favour(statement: Statement, question: Question) -> float:
    text = statement.text
    favour = float(sum(bool(_FAVOURED[cue].search(text)) for cue in question.cues if cue in _FAVOURED))
    if Cue.REASON in question.cues and statement.shape is Shape.NOTE:
        favour += 1
    return favour
