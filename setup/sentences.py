"""The sentences of a section that say most of what it says: chosen by the words that it repeats. Pure.

SumBasic (Nenkova and Vanderwende, 2005) over tf.idf, as in centroid-based summaries (Radev et al., 2004): a
sentence is worth the mean weight of its words, and words that were said once count less from then on. Nothing
is written: what is chosen are spans of the page.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from storage.model import Kind, Span, Unit

SUMMARY_CHARACTERS = 500
"""About a hundred tokens, the length of RAPTOR's summaries."""

SHORTEST, LONGEST = 12, 320
"""Characters of a sentence that may be chosen: a label says nothing, a table's long row is no summary."""

DAMPING = 4
"""Words added to a sentence's length, so that a heading of two rare words does not beat every sentence."""

_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z\[*`(])")
_WORD = re.compile(r"[^\W\d]\w+")
_SPLIT = frozenset({Kind.PARAGRAPH, Kind.NOTE, Kind.EXAMPLE, Kind.ITEM})
"""Kinds that hold sentences; a step, a row or a production is one as it stands."""
_SILENT = frozenset({Kind.CODE, Kind.EQUATION, Kind.FIGURE})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of a page and its distinct words."""

    span: Span
    words: frozenset[str]


def words(text: str) -> list[str]:
    """The words of a text, lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def sentences(block: Unit, page: str) -> Iterator[Sentence]:
    """The sentences of a block that are neither too short nor too long to be chosen."""
    if block.kind in _SILENT:
        return
    text = page[block.start : block.end]
    ends = [found.span() for found in _END.finditer(text)] if block.kind in _SPLIT else []
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    for start, stop in zip(starts, stops, strict=True):
        said = frozenset(words(text[start:stop]))
        if said and SHORTEST <= stop - start <= LONGEST:
            yield Sentence(Span(block.start + start, block.start + stop), said)


def rarity(texts: Iterable[str]) -> Mapping[str, float]:
    """How much each word tells one text from the others: the logarithm of one in how many texts has it."""
    held = [frozenset(words(text)) for text in texts]
    counts = Counter(word for one in held for word in one)
    return {word: math.log(1 + len(held) / count) for word, count in counts.items()}


def chosen(
    candidates: Sequence[Sentence], rare: Mapping[str, float], *, limit: int = SUMMARY_CHARACTERS
) -> tuple[Span, ...]:
    """The sentences worth most, up to `limit` characters together, in document order; equal ones by place."""
    counts = Counter(word for one in candidates for word in one.words)
    weights = {word: count * rare.get(word, 1.0) for word, count in counts.items()}
    total = sum(weights.values())
    # Shares of one, so that a square is a far smaller weight, of the commonest word too.
    weights = {word: weight / total for word, weight in weights.items()}
    left = {one.span: one for one in candidates}
    taken: list[Span] = []
    room = limit
    while fitting := [one for one in left.values() if len(one.span) <= room]:
        best = min(fitting, key=lambda one: (-round(_worth(one, weights), 12), one.span))
        taken.append(best.span)
        room -= len(best.span)
        del left[best.span]
        weights |= {word: weights[word] ** 2 for word in best.words}
    return tuple(sorted(taken))


def _worth(sentence: Sentence, weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in sentence.words) / (len(sentence.words) + DAMPING)
