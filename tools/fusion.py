"""Several rankings into one: reciprocal rank fusion, and one hit a section.

Pure; knows no store. The same rankings give the same order whatever order their rows were inserted in:
equal scores are ordered by id.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from storage.reading import Candidate

RRF_K = 60
"""Damps the first ranks (Cormack, Clarke and Büttcher, SIGIR 2009: 60, and little depends on it)."""


@dataclass(slots=True)
class SectionHits:
    """A section, the units of it that were found, in rank order (`units[0]` is the hit), and by which
    rankings."""

    clauseid: str
    units: list[Candidate] = field(default_factory=list)
    rankings: set[str] = field(default_factory=set)

    @property
    def why(self) -> str:
        """`text+vector`, `text` or `vector`."""
        kinds = {"vector" if label == "vector" else "text" for label in self.rankings}
        return "+".join(sorted(kinds))


def group(found: Mapping[str, Sequence[Candidate]], *, order: Iterable[str]) -> dict[str, SectionHits]:
    """Candidates by section, within a section in the given order of unit ids, each unit once.

    Of a unit that several rankings found, the shortest candidate stays: a window says more than its section.
    """
    best: dict[str, Candidate] = {}
    sections: dict[str, SectionHits] = {}
    for label, ranking in found.items():
        for one in ranking:
            sections.setdefault(one.clauseid, SectionHits(one.clauseid)).rankings.add(label)
            held = best.get(one.unitid)
            if held is None or one.end - one.start < held.end - held.start:
                best[one.unitid] = one
    for unitid in order:
        sections[best[unitid].clauseid].units.append(best[unitid])
    return sections


def fuse(
    rankings: Mapping[str, Sequence[str]], *, weights: Mapping[str, float], k: int = RRF_K
) -> list[tuple[str, float]]:
    """Reciprocal rank fusion: `sum(weight / (k + rank))` over the named rankings, rank from 1.

    Best first, equal scores by id. An id counts once in a ranking, at its best place.

    >>> [id for id, _ in fuse({"text": ["b", "a"], "vector": ["a", "b"]}, weights={"text": 1, "vector": 1})]
    ['a', 'b']
    """
    scores: dict[str, float] = {}
    for label, ranking in rankings.items():
        for rank, unitid in enumerate(dict.fromkeys(ranking), start=1):
            scores[unitid] = scores.get(unitid, 0.0) + weights[label] / (k + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
