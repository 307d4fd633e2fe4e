"""What a section is, and what a question asks: how much a section's score is worth, whoever found it.

Every rule is about a kind of section or a way of asking. None knows an id or a number; the weights are in
`weights`. Pure.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.reading import Place
from tools.weights import Weights

POINTER_CHARACTERS = 60
"""Own text of a heading and `See 20.1.1.`: the properties of the global object are listed like that."""
ASIDE_CHARACTERS = 500
"""Own text of a method that checks its arguments and hands over to an operation."""
LONG_CHARACTERS = 2_000
"""From here on length says nothing more."""

_EVALUATION = "Semantics: Evaluation"
_EARLY = "Static Semantics: Early Errors"
_ASKS = re.compile(
    r"\?|^(?:why|how|what|which|when|where|who|does|do|is|are|can|may|should|explain)\b", re.IGNORECASE
)
"""A question. Anything else (`Map.prototype.get throws for`) names its subject, and means that section."""
_REFUSED = re.compile(
    r"syntax ?error|early error|parse error|\b(?:not|never) (?:a )?valid|\binvalid|\b(?:not|never) (?:be )?"
    r"(?:allow|permit)|may not|\bill?egal|reserved word|strict mode|cannot be|contain",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asking:
    """How a query is put."""

    asks: bool
    refused: bool
    """It speaks of what is refused before anything runs."""


def asking(query: str) -> Asking:
    """How a query is put."""
    return Asking(asks=bool(_ASKS.search(query)), refused=bool(_REFUSED.search(query)))


def evaluations(scores: Mapping[str, float], outline: Mapping[str, Place]) -> dict[str, float]:
    """For each section that tells how something is evaluated, the score of the section around it.

    `The typeof Operator` has the words of the question; what is asked for stands in its only subsection,
    whose heading is that of seventy others.
    """
    return {
        clauseid: scores[place.parent]
        for clauseid, place in outline.items()
        if place.parent and place.parent in scores and place.title.endswith(_EVALUATION)
    }


def worth(place: Place, asked: Asking, *, pointed: bool, weights: Weights) -> float:
    """What the score of a section is multiplied with; `pointed`: the query points at it."""
    factor = 1.0
    if asked.refused and place.title == _EARLY:
        factor *= 1 + weights.early
    if place.childless and place.characters < POINTER_CHARACTERS:
        factor *= 1 - weights.pointer
    if not place.normative:
        factor *= 1 - weights.informative
    if pointed and asked.asks and place.characters < ASIDE_CHARACTERS:
        factor *= 1 - weights.aside
    return factor * (1 - weights.short * _shortness(place.characters))


def weighed(
    scores: Mapping[str, float],
    query: str,
    outline: Mapping[str, Place],
    *,
    pointed: Sequence[Sequence[str]],
    weights: Weights,
) -> dict[str, float]:
    """The scores, each multiplied with what its section is worth."""
    asked, named = asking(query), {one for group in pointed for one in group}
    return {
        clauseid: score * worth(outline[clauseid], asked, pointed=clauseid in named, weights=weights)
        if clauseid in outline
        else score
        for clauseid, score in scores.items()
    }


def _shortness(characters: int) -> float:
    return 1 - min(1.0, math.log(characters + 1) / math.log(LONG_CHARACTERS))
