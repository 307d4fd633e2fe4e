"""Which sections bear on a question: what was gathered, weighed, and one step along the references.

1. Each search is reduced to sections, its scores brought to one scale, and all are added up.
2. Sections that the question names, or whose operations the glossary names, have a bonus.
3. What the best of these refer to has a share of their score: an algorithm is asked about in the words of the
   method that calls it. So has the evaluation of what a section describes.
4. What a section is makes its score worth more or less (`prior`).

Nothing depends on the order of rows.
"""

from collections.abc import Mapping

from tools.filters import passes
from tools.fusion import SectionHits, best_first, group, referenced, section_scores
from tools.gathering import Gathered
from tools.ports import Condition, References
from tools.prior import evaluations, weighed
from tools.weights import WEIGHTS, Weights

SEEDS = 10
"""Sections whose references are followed: those that a reader would see."""
DECAY = 0.1
"""How much less the second and later names count: in a long question the first ones are the subject."""
MOST_DEFINITIONS = 3
"""Definitions of one name that have its bonus, the best-ranked: of `Evaluation` there are seventy."""


def ranked(gathered: Gathered, reader: References, *, where: Condition | None) -> dict[str, SectionHits]:
    """The sections, best first, each with the units of it that were found, and how."""
    scores = weighted(gathered, reader, where=where)
    sections = group(gathered.searches)
    for clauseid in {one for names in gathered.meant for one in names}:
        sections.setdefault(clauseid, SectionHits(clauseid)).how.add("glossary")
    return {clauseid: sections.get(clauseid) or SectionHits(clauseid) for clauseid in best_first(scores)}


def weighted(
    gathered: Gathered, reader: References, *, where: Condition | None, weights: Weights = WEIGHTS
) -> dict[str, float]:
    """Each section's score after all steps."""
    scores = with_references(scored(gathered, weights=weights), reader, where=where, weights=weights)
    return weighed(
        scores, gathered.query, reader.outline(), pointed=gathered.by_name(pointed=True), weights=weights
    )


def scored(gathered: Gathered, *, weights: Weights = WEIGHTS) -> dict[str, float]:
    """Each section's score: its rankings, and the bonus of the names that lead to it."""
    scores = section_scores(gathered.searches)
    for bonus, groups in (
        (weights.pointed, gathered.by_name(pointed=True)),
        (weights.named, gathered.by_name(pointed=False)),
        (weights.meant, gathered.meant),
    ):
        place = {clauseid: rank for rank, clauseid in enumerate(best_first(scores))}
        for number, sections in enumerate(groups):
            nearest = sorted(dict.fromkeys(sections), key=lambda one: (place.get(one, len(place)), one))
            for clauseid in nearest[:MOST_DEFINITIONS]:
                given = bonus * weights.full / (1 + DECAY * number)
                scores[clauseid] = scores.get(clauseid, 0.0) + given
    return scores


def with_references(
    scores: Mapping[str, float], reader: References, *, where: Condition | None, weights: Weights = WEIGHTS
) -> dict[str, float]:
    """The scores, raised for what the best sections refer to and for what their subjects evaluate to, as far
    as the filters admit it."""
    seeds = [(unit, scores[unit.unitid]) for unit in reader.units(best_first(scores)[:SEEDS])]
    out = dict(scores)
    for share, given in (
        (weights.references, referenced(seeds, reader.referrers())),
        (weights.evaluation, evaluations(scores, reader.outline())),
    ):
        for clauseid in _admitted(given, scores, reader, where=where):
            out[clauseid] = out.get(clauseid, 0.0) + share * given[clauseid]
    return out


def _admitted(
    ids: Mapping[str, float], found: Mapping[str, float], reader: References, *, where: Condition | None
) -> list[str]:
    if not where:
        return list(ids)
    passing = {unit.unitid for unit in reader.units(list(ids)) if passes(unit, where)}
    return [one for one in ids if one in found or one in passing]
