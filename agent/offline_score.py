"""How much a statement bears on a question: shared words, rare ones more; where it stands; the kind of
answer.

Pure. Everything is counted over what was shown, nothing over the whole specification: the model has no store.
A statement's score is the weight of the question's words in it, in the steps above it and in its section's
title, less for long ones; then what its section, its place in a search result and the kind of answer add.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.offline_evidence import Hit
from agent.offline_question import Cue, Question
from agent.offline_statements import Shape, Statement
from agent.offline_thresholds import Thresholds
from agent.offline_words import stems

USUAL = 12
"""Words of a usual step."""
RANK, PLACE = 0.3, 0.5
"""How what a search found counts less with the rank of its section, and with its own in the section."""
EMPTY = 0.3
"""Part of its words that a statement without content of its own keeps."""

_FAVOURED = {
    Cue.THROWS: re.compile(r"\bthrow an?\b|Syntax Error|ThrowCompletion|\breturn false\b"),
    Cue.RETURNS: re.compile(r"\breturn\b", re.IGNORECASE),
    Cue.CONDITION: re.compile(r"^(?:If|When|Unless|Whenever)\b|\bwhen\b|\bonly if\b"),
}
_SIGNATURE = re.compile(
    r"^(?:The|This) (?:.{0,60} )?(?:operation|method|function)s? .{0,200}\btakes?\b.*\breturns?\b"
)
_EMPTY = re.compile(r"performs the following steps|^Syntax$|^Assert:|^(?:The )?following")


@dataclass(frozen=True, slots=True)
class Scored:
    """A statement, its score, and what each of the question's words adds that it holds itself."""

    statement: Statement
    score: float
    words: float
    """Its score for the question's words and the kind of answer alone, wherever it was found."""
    held: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare a stem is among the statements shown."""

    counts: Mapping[str, int]
    statements: int

    def of(self, stem: str) -> float:
        """Inverse document frequency; an unseen stem is the rarest."""
        return math.log(1 + self.statements / (1 + self.counts.get(stem, 0)))


def score_all(
    found: Sequence[Statement],
    question: Question,
    *,
    sections: Mapping[str, float],
    hits: Sequence[Hit],
    by: Thresholds,
) -> list[Scored]:
    """Every statement with its score; `sections` says how good each section is, 1 for the best."""
    words = [frozenset(stems(statement.text)) for statement in found]
    rare = Rarity(Counter(stem for held in words for stem in held), len(words))
    weights = {stem: weight * rare.of(stem) for stem, weight in question.terms.items()}
    said = [
        _words_score(statement, held, weights, by) + by.cue * _favour(statement, question)
        for statement, held in zip(found, words, strict=True)
    ]
    return [
        Scored(
            statement=statement,
            score=own
            + by.section * sections.get(statement.passage.clauseid, 0.0)
            + by.shown_first * _shown(statement, hits),
            words=own,
            held={stem: weights[stem] for stem in held & weights.keys()},
        )
        for statement, held, own in zip(found, words, said, strict=True)
    ]


def is_empty(statement: Statement) -> bool:
    """Whether a statement has no content of its own: an assertion, what only leads over to the steps."""
    return bool(_EMPTY.search(statement.text))


def is_announcement(statement: Statement) -> bool:
    """Whether a statement tells of an algorithm only its arguments and that it has steps."""
    return is_empty(statement) or bool(_SIGNATURE.match(statement.text))


def _words_score(
    statement: Statement, held: frozenset[str], weights: Mapping[str, float], by: Thresholds
) -> float:
    above = frozenset(stem for step in statement.parents for stem in stems(step.text))
    title = frozenset(stems(statement.passage.title))
    total = 0.0
    for stem, weight in weights.items():
        total += weight * (
            1.0 if stem in held else by.under if stem in above else by.titled if stem in title else 0.0
        )
    if is_empty(statement):
        total *= EMPTY
    doublings = math.log2(max(1.0, len(statement.text.split()) / USUAL))
    return total / (1 + by.length * doublings)


def _shown(statement: Statement, hits: Sequence[Hit]) -> float:
    """1 where a search found this very place first, less with the rank of its section and its own in it."""
    _, start = statement.place
    end = start + len(statement.text)
    return max(
        (
            1 / (1 + RANK * (hit.rank - 1)) / (1 + PLACE * place)
            for hit in hits
            if hit.sectionid == statement.passage.clauseid
            for place, (begins, ends) in enumerate(hit.matched or ((hit.start, hit.end),))
            if begins < end and start < ends
        ),
        default=0.0,
    )


def _favour(statement: Statement, question: Question) -> float:
    text = statement.text
    favour = float(sum(bool(_FAVOURED[cue].search(text)) for cue in question.cues if cue in _FAVOURED))
    if Cue.REASON in question.cues and statement.shape is Shape.NOTE:
        favour += 1
    return favour
