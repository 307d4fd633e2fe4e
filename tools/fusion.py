"""Several rankings into one: by score for sections, by reciprocal rank for units; one hit a section.

Pure; knows no store. The same rankings give the same order whatever order their rows were inserted in:
equal scores are ordered by id.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from storage.model import Unit
from storage.reading import Candidate

RRF_K = 20
"""Damps the first ranks. Cormack, Clarke and Büttcher (SIGIR 2009) took 60, for rankings a thousand long.
With ours of a hundred, it lets two mediocre ranks beat an excellent one; 10 to 30 measure alike, better."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one search found, best first, and how much it counts."""

    how: str
    """`text` or `vector`, for people."""
    weight: float
    found: Sequence[Candidate]
    cut: bool = False
    """There may be more: the last one found is the last of many, else even the last is a match."""


@dataclass(slots=True)
class SectionHits:
    """A section, the units of it that were found in rank order (`units[0]` is the hit), and how."""

    clauseid: str
    units: list[Candidate] = field(default_factory=list)
    how: set[str] = field(default_factory=set)

    @property
    def why(self) -> str:
        """`text+vector`, `text`, `vector`; `reference` where only another hit led here."""
        return "+".join(sorted(self.how)) or "reference"


def fuse(rankings: Iterable[tuple[float, Sequence[str]]], *, k: int = RRF_K) -> list[tuple[str, float]]:
    """Reciprocal rank fusion: `sum(weight / (k + rank))` over (weight, ids), rank from 1.

    Best first, equal scores by id. An id counts once in a ranking, at its best place.

    >>> [id for id, _ in fuse([(1, ["b", "a"]), (1, ["a", "b"])])]
    ['a', 'b']
    """
    scores: dict[str, float] = {}
    for weight, ranking in rankings:
        for rank, unitid in enumerate(dict.fromkeys(ranking), start=1):
            scores[unitid] = scores.get(unitid, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))


def section_scores(rankings: Iterable[Ranking]) -> dict[str, float]:
    """The weighted sum of each section's scores, by id.

    In each ranking a section has the score of its best unit, brought to [0, 1] between the last of a ranking
    that was cut (else 0) and the first: scores of different searches have no common scale, but the gaps
    between them mean something.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for clauseid, score in _normalised(ranking).items():
            scores[clauseid] = scores.get(clauseid, 0.0) + ranking.weight * score
    return scores


def best_first(scores: Mapping[str, float]) -> list[str]:
    """The ids by score, equal ones by id. Rounded, since the order of a sum must not tell two apart."""
    return sorted(scores, key=lambda one: (-round(scores[one], 9), one))


def _normalised(ranking: Ranking) -> dict[str, float]:
    best: dict[str, float] = {}
    for one in ranking.found:
        best[one.clauseid] = max(best.get(one.clauseid, one.score), one.score)
    high, last = max(best.values(), default=0.0), min(best.values(), default=0.0)
    low = last if ranking.cut else min(0.0, last)
    return {one: (score - low) / (high - low) if high > low else 1.0 for one, score in best.items()}


def group(rankings: Sequence[Ranking]) -> dict[str, SectionHits]:
    """All that was found, by section; a section's units in the order of their own fused rank, each once.

    Of a unit that several rankings found, the shortest candidate stays: a window says more than its section.
    """
    best: dict[str, Candidate] = {}
    sections: dict[str, SectionHits] = {}
    for ranking in rankings:
        for one in ranking.found:
            sections.setdefault(one.clauseid, SectionHits(one.clauseid)).how.add(ranking.how)
            held = best.get(one.unitid)
            if held is None or one.end - one.start < held.end - held.start:
                best[one.unitid] = one
    for unitid, _ in fuse((ranking.weight, [one.unitid for one in ranking.found]) for ranking in rankings):
        sections[best[unitid].clauseid].units.append(best[unitid])
    return sections


def referenced(seeds: Sequence[tuple[Unit, float]], referrers: Mapping[str, int]) -> dict[str, float]:
    """The sections that the seeds refer to, each with the most that one seed's score gives it.

    What everything refers to (`Call`, `Completion Records`) says little about the question: a reference gives
    the less the more sections make it.
    """
    out: dict[str, float] = {}
    for unit, score in seeds:
        for target in unit.references:
            given = score / (1 + math.log(max(1, referrers.get(target, 1))))
            out[target] = max(out.get(target, 0.0), given)
    return out
