"""Which sections bear on a question: several searches fused by score, what the question names, one step on.

1. Windows of sections by vector; full text over sections and pieces, and over blocks.
2. Full text for what the specification calls the things that the question says (`glossary`).
3. Each ranking is reduced to sections, its scores brought to one scale, and all are added up.
4. Sections that the question names, or whose operations the glossary names, have a bonus.
5. What the best of these refer to has a share of their score: an algorithm is asked about in the words of the
   method that calls it.

Filters go to the store, which applies them before it cuts its lists. Nothing depends on the order of rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.model import Level, NameKind
from storage.names import fold
from storage.reading import Candidate
from tools.filters import passes
from tools.fusion import Ranking, SectionHits, best_first, group, referenced, section_scores
from tools.glossary import specification_words
from tools.ports import Condition, Embedder, Reader

DEPTH = 100
"""Candidates asked of each search: several are of one section, and further down little of use is left."""
SEEDS = 10
"""Sections whose references are followed: those that a reader would see."""
DECAY = 0.1
"""How much less the second and later names count: in a long question the first ones are the subject."""
MOST_DEFINITIONS = 3
"""Definitions of one name that have its bonus, the best-ranked: of `Evaluation` there are seventy."""

_NAMED_KINDS = frozenset({NameKind.OPERATION, NameKind.METHOD, NameKind.INTRINSIC, NameKind.SLOT})


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each search counts, and each bonus as a share of what the question's own searches can give.

    Round numbers in the middle of a range that measures alike; `python -m evaluation fit` shows the range.
    """

    vectors: float = 2.0
    sections: float = 1.0
    blocks: float = 1.0
    glossary: float = 1.0
    named: float = 0.5
    meant: float = 0.3
    """For sections whose operations the glossary names."""
    references: float = 0.25
    """Share of a section's score for what it refers to."""

    @property
    def full(self) -> float:
        """What the question's own searches give a section that is first in each."""
        return self.vectors + self.sections + self.blocks


WEIGHTS = Weights()


def rankings(
    query: str, reader: Reader, embedder: Embedder, *, where: Condition | None, weights: Weights = WEIGHTS
) -> list[Ranking]:
    """What each search finds, best first."""
    vector = embedder.embed_query(query)
    by_vector = reader.search_vectors(vector, limit=DEPTH, where=where)
    out = [_ranking("vector", weights.vectors, by_vector)]
    words = " ".join(specification_words(query))
    wide, narrow = (Level.SECTION, Level.PIECE), (Level.BLOCK,)
    searches = [("text", weights.sections, query, wide), ("text", weights.blocks, query, narrow)]
    searches += [("glossary", weights.glossary, words, wide)] if words else []
    for how, weight, text, levels in searches:
        found = reader.search_text(text, limit=DEPTH, where=where, levels=levels)
        out.append(_ranking(how, weight, found))
    return out


def _ranking(how: str, weight: float, found: Sequence[Candidate]) -> Ranking:
    return Ranking(how, weight, found, cut=len(found) == DEPTH)


def scored(
    found: Sequence[Ranking],
    *,
    named: Sequence[Sequence[str]],
    meant: Sequence[Sequence[str]],
    weights: Weights = WEIGHTS,
) -> dict[str, float]:
    """Each section's score: its rankings, and the bonus of the names that lead to it.

    `named` and `meant` hold the sections of one name each, in the order of the names.
    """
    scores = section_scores(found)
    for bonus, groups in ((weights.named, named), (weights.meant, meant)):
        place = {clauseid: rank for rank, clauseid in enumerate(best_first(scores))}
        for number, sections in enumerate(groups):
            ranked = sorted(dict.fromkeys(sections), key=lambda one: (place.get(one, len(place)), one))
            for clauseid in ranked[:MOST_DEFINITIONS]:
                given = bonus * weights.full / (1 + DECAY * number)
                scores[clauseid] = scores.get(clauseid, 0.0) + given
    return scores


def with_references(
    scores: Mapping[str, float], reader: Reader, *, where: Condition | None, weights: Weights = WEIGHTS
) -> dict[str, float]:
    """The scores, raised for what the best sections refer to, as far as the filters admit it."""
    seeds = [(unit, scores[unit.unitid]) for unit in reader.units(best_first(scores)[:SEEDS])]
    given = referenced(seeds, reader.referrers())
    out = dict(scores)
    for clauseid in _admitted(given, scores, reader, where=where):
        out[clauseid] = out.get(clauseid, 0.0) + weights.references * given[clauseid]
    return out


def meant_by_glossary(query: str, reader: Reader, *, where: Condition | None) -> list[list[str]]:
    """The sections of the operations that the glossary names, name by name, as far as the filters admit."""
    words = specification_words(query)
    found = reader.names().by_keys([fold(word) for word in words]) if words else []
    entries = [name for name in found if name.kind in _NAMED_KINDS and name.name in words]
    units = {unit.unitid: unit for unit in reader.units([name.sectionid for name in entries])}
    groups: dict[str, list[str]] = {word: [] for word in words}
    for name in entries:
        unit = units.get(name.sectionid)
        if unit and passes(unit, where):
            groups[name.name].append(unit.clauseid)
    return [group for group in groups.values() if group]


def in_order(
    found: Sequence[Ranking], scores: Mapping[str, float], *, meant: Sequence[Sequence[str]]
) -> dict[str, SectionHits]:
    """The sections with a score, best first, each with the units of it that were found, and how."""
    sections = group(found)
    for clauseid in {one for names in meant for one in names}:
        sections.setdefault(clauseid, SectionHits(clauseid)).how.add("glossary")
    return {clauseid: sections.get(clauseid) or SectionHits(clauseid) for clauseid in best_first(scores)}


def _admitted(
    ids: Mapping[str, float], found: Mapping[str, float], reader: Reader, *, where: Condition | None
) -> list[str]:
    if not where:
        return list(ids)
    passing = {unit.unitid for unit in reader.units(list(ids)) if passes(unit, where)}
    return [one for one in ids if one in found or one in passing]
