"""The words that a failed quotation comes nearest to, and where the two differ.

Pure text. Words are compared folded, as `agent.quotes` folds them, punctuation apart from letters, so a
missing `not` or another number shows as just that. What is too far away is no near miss: then there is
nothing to show.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher

from agent.answer import Difference
from agent.quotes import fold

NEAR = 0.6
"""Part of the words that two texts must share, in order, to be a near miss. Half is shared by any two steps
of one algorithm."""
LONGEST = 300
"""Words of a quotation that are compared: the work grows with the square."""

_TOKEN = re.compile(r"[\w$%@]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest words of a text. `likeness` is 1 for the same words."""

    words: str
    differences: tuple[Difference, ...]
    likeness: float


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The words of a text, folded, and where each stands in the original."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def slice(self, start: int, end: int) -> str:
        """The original text of words `[start, end)`."""
        return self.text[self.spans[start][0] : self.spans[end - 1][1]] if start < end else ""

    def further(self, place: int, words: int) -> int:
        """So many words before (negative) or behind a place between two words, in the same line.

        What a quotation has beyond the words that are shared has its counterpart there.
        """
        way = 1 if words > 0 else -1
        for _ in range(abs(words)):
            near = place + way
            if not 0 <= near <= len(self.words) or "\n" in self._gap(place):
                break
            place = near
        return place

    def _gap(self, place: int) -> str:
        """What stands between the two words around a place."""
        inside = 0 < place < len(self.spans)
        return self.text[self.spans[place - 1][1] : self.spans[place][0]] if inside else ""


def nearest(quote: str, texts: Sequence[str]) -> Near | None:
    """The nearest words in any of the texts, the first of equals; None when nothing is near."""
    wanted = _tokens(quote)
    if not 0 < len(wanted.words) <= LONGEST:
        return None
    found = [near for text in texts if (near := _nearest_in(wanted, _tokens(text)))]
    return max(found, key=lambda near: near.likeness, default=None)


def _tokens(text: str) -> _Tokens:
    folded = fold(text)
    found = list(_TOKEN.finditer(folded.text))
    spans = tuple((folded.places[one.start()], folded.places[one.end() - 1] + 1) for one in found)
    return _Tokens(text, tuple(one.group() for one in found), spans)


def _nearest_in(wanted: _Tokens, text: _Tokens) -> Near | None:
    """What of the text stands where the words are that it shares with the quotation."""
    blocks = _shared(wanted.words, text.words)
    if not blocks:
        return None
    size = len(wanted.words)
    before, after = blocks[0].a, size - blocks[-1].a - blocks[-1].size
    first = text.further(blocks[0].b, -before)
    last = text.further(blocks[-1].b + blocks[-1].size, after)
    likeness = 2 * sum(block.size for block in blocks) / (size + last - first)
    if likeness < NEAR:
        return None
    return Near(text.slice(first, last), tuple(_differences(wanted, text, first, last)), likeness)


def _shared(wanted: Sequence[str], words: Sequence[str]) -> list[Match]:
    """Runs of shared words, in order: in the stretch that shares most, and half as much around it."""
    size = len(wanted)
    at = _densest(Counter(wanted), words, size)
    start, end = max(0, at - size // 2), at + size + size // 2
    matcher = SequenceMatcher(None, wanted, words[start:end], autojunk=False)
    blocks = [Match(one.a, start + one.b, one.size) for one in matcher.get_matching_blocks() if one.size]
    # A full stop alone, before or behind the words that are shared, belongs to another sentence.
    for place in (0, -1):
        while blocks and not any(map(str.isalnum, "".join(wanted[_range(blocks[place])]))):
            blocks.pop(place)
    return blocks


def _range(block: Match) -> slice:
    return slice(block.a, block.a + block.size)


def _densest(wanted: Counter[str], words: Sequence[str], size: int) -> int:
    """Where the run of `size` words begins that shares most with those wanted, the first of equals."""
    inside: Counter[str] = Counter()
    shared = best = place = 0
    for at, word in enumerate(words):
        inside[word] += 1
        shared += inside[word] <= wanted[word]
        if at >= size:
            gone = words[at - size]
            shared -= inside[gone] <= wanted[gone]
            inside[gone] -= 1
        if shared > best:
            best, place = shared, max(0, at - size + 1)
    return place


def _differences(wanted: _Tokens, text: _Tokens, first: int, last: int) -> Iterator[Difference]:
    matcher = SequenceMatcher(None, wanted.words, text.words[first:last], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield Difference(written=wanted.slice(a, b), stands=text.slice(first + c, first + d))
