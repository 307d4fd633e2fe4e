"""BM25 over many texts in memory, as `tools.lexical` scores them and as fast as a study needs; pure.

The same words, numbers and ties as `tools.lexical.Index`; postings are arrays, so that a query over 25,000
blocks takes milliseconds.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tools.lexical import K1, B, words

Tokens = Callable[[str], list[str]]


class FastIndex:
    """Texts by key. Built once, searched as often as needed."""

    def __init__(self, texts: Iterable[tuple[str, str]], *, tokens: Tokens = words) -> None:
        import numpy as np

        self._tokens = tokens
        # In the order of keys, so that a stable sort by score breaks ties by key.
        held = sorted(texts)
        self.keys = [key for key, _ in held]
        postings: dict[str, tuple[list[int], list[int]]] = {}
        lengths = []
        for place, (_, text) in enumerate(held):
            counts = Counter(tokens(text))
            lengths.append(counts.total())
            for word, count in counts.items():
                places, times = postings.setdefault(word, ([], []))
                places.append(place)
                times.append(count)
        sizes = np.asarray(lengths, dtype=np.float64)
        damped = K1 * (1 - B + B * sizes / max(1.0, sizes.mean() if len(sizes) else 1.0))
        self._postings = {
            word: (np.asarray(places), self._given(np.asarray(times), damped[places], len(held)))
            for word, (places, times) in postings.items()
        }

    @staticmethod
    def _given(times: Any, damped: Any, texts: int) -> Any:
        """What a word gives each text that holds it."""
        rarity = math.log(1 + (texts - len(times) + 0.5) / (len(times) + 0.5))
        return rarity * times * (K1 + 1) / (times + damped)

    def scores(self, query: str) -> Any:
        """The score of every text, in the order of `keys`."""
        import numpy as np

        out = np.zeros(len(self.keys))
        for word in sorted(set(self._tokens(query))):
            if word in self._postings:
                places, given = self._postings[word]
                out[places] += given
        return out

    def search(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """The best keys with their scores; only those that share a word; equal scores by key."""
        return best(self.keys, self.scores(query), limit=limit)


def best(keys: Sequence[str], scores: Any, *, limit: int) -> list[tuple[str, float]]:
    """The keys of the highest scores above 0; equal ones in the order of `keys`."""
    import numpy as np

    order = np.argsort(-scores.round(9), kind="stable")[:limit]
    return [(keys[int(place)], float(scores[place])) for place in order if scores[place] > 0]
