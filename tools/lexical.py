"""BM25 over exactly the texts that are handed in: their number, their lengths, their words and no others'.

For a second search inside chosen parents, where the statistics of the whole edition would say which words are
rare elsewhere, and for small libraries in memory. Pure.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from storage.names import identifier_parts

K1, B = 1.2, 0.75
"""Robertson's and most engines' defaults: how soon repetition stops to count, how much length counts."""

_WORD = re.compile(r"\w+(?:-\w+)*")


def words(text: str) -> list[str]:
    """The words of a text, lower case, and the parts of compound identifiers beside them.

    >>> words("The ZX-68 calls ToNumber.")
    ['the', 'zx-68', 'calls', 'tonumber', 'to', 'number']
    """
    return [word.lower() for word in _WORD.findall(text)] + identifier_parts(text)


class Searchable(Protocol):
    """Texts that can be ranked."""

    def search(self, query: str, *, limit: int) -> list[tuple[str, float]]: ...


class Index:
    """Texts by key. Built once, searched as often as needed."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._lengths: dict[str, int] = {}
        self._postings: dict[str, dict[str, int]] = {}
        for key, text in texts:
            counts = Counter(words(text))
            self._lengths[key] = counts.total()
            for word, count in counts.items():
                self._postings.setdefault(word, {})[key] = count
        self._mean = sum(self._lengths.values()) / len(self._lengths) if self._lengths else 1.0

    def search(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """The best keys with their scores; only those that share a word; equal scores by key."""
        scores: dict[str, float] = {}
        for word in sorted(set(words(query))):
            held = self._postings.get(word, {})
            rarity = math.log(1 + (len(self._lengths) - len(held) + 0.5) / (len(held) + 0.5))
            for key, count in held.items():
                damped = K1 * (1 - B + B * self._lengths[key] / self._mean)
                scores[key] = scores.get(key, 0.0) + rarity * count * (K1 + 1) / (count + damped)
        # Rounded, so that the order of addition cannot tell two equal texts apart.
        best = sorted(scores.items(), key=lambda entry: (-round(entry[1], 9), entry[0]))
        return best[:limit]


def rank(query: str, texts: Iterable[tuple[str, str]], *, limit: int) -> list[tuple[str, float]]:
    """One search over the texts alone."""
    return Index(texts).search(query, limit=limit)
