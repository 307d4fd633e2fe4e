"""Which sections bear on a question: several searches, fused by rank, and one step along the references.

1. Windows of sections by vector: for the whole question, and for each sentence of a long one.
2. Full text over sections and pieces, and over blocks.
3. Each ranking is reduced to sections, and all are fused (`fusion.fuse`).
4. What the best of these refer to joins as one more, lighter ranking: an algorithm is asked about in the
   words of the method that calls it.

Filters go to the store, which applies them before it cuts its lists. Nothing depends on the order of rows.
"""

import re
from collections.abc import Iterable, Mapping

from storage.model import Level
from tools.filters import passes
from tools.fusion import Ranking, SectionHits, by_section, fuse, group, referenced
from tools.ports import Condition, Embedder, Reader

DEPTH = 100
"""Candidates asked of each search: several are of one section, and further down little of use is left."""
VECTOR, SENTENCE, TEXT, REFERENCE = 2.0, 1.0, 1.0, 0.5
"""How much each ranking counts. The vector of the whole question weighs as much as both text searches.
Chosen on the development questions among round numbers, in the middle of a range that measures alike."""
SEEDS = 5
"""Sections whose references are followed: those that an answer is likely to quote."""

_SENTENCE_ENDS = re.compile(r"(?<=[?.;:!])\s+|\s+[—–]\s+")
_LEAST_WORDS, _MOST_SENTENCES = 4, 4


def rankings(query: str, reader: Reader, embedder: Embedder, *, where: Condition | None) -> list[Ranking]:
    """What each search finds, best first."""
    texts = [(VECTOR, query), *((SENTENCE, sentence) for sentence in sentences(query))]
    by_vector = [
        Ranking("vector", weight, reader.search_vectors(embedder.embed_query(text), limit=DEPTH, where=where))
        for weight, text in texts
    ]
    by_text = [
        Ranking("text", TEXT, reader.search_text(query, limit=DEPTH, where=where, levels=levels))
        for levels in ((Level.SECTION, Level.PIECE), (Level.BLOCK,))
    ]
    return [*by_vector, *by_text]


def sentences(question: str) -> list[str]:
    """The sentences of a question that has several; [] otherwise. Fragments of a few words are left out.

    >>> sentences("My callback returns NaN now. Does the standard throw here?")
    ['My callback returns NaN now.', 'Does the standard throw here?']
    """
    parts = [part for part in _SENTENCE_ENDS.split(question) if len(part.split()) >= _LEAST_WORDS]
    return parts[:_MOST_SENTENCES] if len(parts) > 1 else []


def ranked(found: list[Ranking]) -> dict[str, SectionHits]:
    """The sections of all rankings, best first."""
    sections = group(found)
    return {clauseid: sections[clauseid] for clauseid, _ in fuse(by_section(found))}


def ranked_with_references(
    found: list[Ranking], seeds: Iterable[str], reader: Reader, *, where: Condition | None
) -> dict[str, SectionHits]:
    """As `ranked`, with the sections that the seeds refer to, as far as the filters admit them."""
    sections = group(found)
    units = reader.units(list(seeds)[:SEEDS])
    near = _admitted(referenced(units), sections, reader, where=where)
    order = fuse([*by_section(found), (REFERENCE, near)])
    return {clauseid: sections.get(clauseid) or SectionHits(clauseid) for clauseid, _ in order}


def _admitted(
    ids: list[str], found: Mapping[str, SectionHits], reader: Reader, *, where: Condition | None
) -> list[str]:
    if not where:
        return ids
    passing = {unit.unitid for unit in reader.units(ids) if passes(unit, where)}
    return [one for one in ids if one in found or one in passing]
