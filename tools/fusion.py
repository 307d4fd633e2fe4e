"""Several rankings into one: reciprocal rank fusion, and one hit a section.

Pure; knows no store. The same rankings give the same order whatever order their rows were inserted in:
equal scores are ordered by id.
"""

from collections.abc import Iterable, Sequence
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


def by_section(rankings: Sequence[Ranking]) -> list[tuple[float, list[str]]]:
    """Each ranking as (weight, section ids): a section stands where its best unit does."""
    return [(ranking.weight, [one.clauseid for one in ranking.found]) for ranking in rankings]


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


def referenced(seeds: Sequence[Unit]) -> list[str]:
    """The sections that the seeds refer to, those first that the first or the most seeds refer to."""
    return [
        one for one, _ in fuse((1 / (RRF_K + rank), unit.references) for rank, unit in enumerate(seeds, 1))
    ]
