"""The longest common subsequence of two long sequences of words that are nearly the same. Pure.

Knows nothing of HTML. Within a window the alignment is exact, worked out for all places of one word at once
on the bits of an integer (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"); windows follow one
another from a place in the middle of each where both sequences agree.
"""

from collections.abc import Sequence

_WINDOW = 600
"""Words of the first sequence that are aligned at once: far more than any one difference is long."""

_SLACK = 2
"""The second sequence's window over the first's: marks and labels are about one word in three."""

_AGREEING = 8
"""Words in a row that must agree where one window ends and the next begins."""

_LARGEST = 8 * _WINDOW
"""A window grows up to this where it finds too little: a difference is then longer than the window."""

_ENOUGH = 0.9
"""Share of the first sequence's words that a window should find."""


def align(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places, rising in both, at which the two sequences have the same word.

    >>> align(["a", "b", "c"], ["1.", "a", "|", "c"])
    [(0, 1), (2, 3)]
    """
    pairs: list[tuple[int, int]] = []
    start, other, window = 0, 0, _WINDOW
    while start < len(first) and other < len(second):
        end, other_end = start + window, other + window * _SLACK
        found = _longest_common(first[start:end], second[other:other_end])
        last = end >= len(first) and other_end >= len(second)
        kept = len(found) if last else _seam(found, window)
        if not last and window < _LARGEST and (not kept or kept < _ENOUGH * found[kept - 1][0]):
            window *= 2
            continue
        pairs += ((start + a, other + b) for a, b in found[: kept or len(found)])
        if last or not found:
            break
        start, other, window = pairs[-1][0] + 1, pairs[-1][1] + 1, _WINDOW
    return _gathered(pairs, first, second)


def _gathered(
    pairs: list[tuple[int, int]], first: Sequence[str], second: Sequence[str]
) -> list[tuple[int, int]]:
    """Of equal alignments the one whose words stand together: a run that also stands right before the next
    pair is moved there.
    """
    end = len(pairs) - 1
    while end >= 0:
        start = end
        while start and pairs[start - 1] == (pairs[start][0] - 1, pairs[start][1] - 1):
            start -= 1
        a, b = pairs[start]
        size = end + 1 - start
        if end + 1 < len(pairs) and pairs[end + 1][0] == a + size:
            place = pairs[end + 1][1] - size
            if place > b and second[place : place + size] == first[a : a + size]:
                pairs[start : end + 1] = [(a + step, place + step) for step in range(size)]
        end = start - 1
    return pairs


def _seam(found: Sequence[tuple[int, int]], window: int) -> int:
    """How many pairs of a window can be relied on: up to a run that agrees in its second third, if any."""
    for index in range(len(found) - 1, _AGREEING - 1, -1):
        (a, b), (c, d) = found[index - _AGREEING], found[index]
        if c < window // 3:
            break
        if c <= window * 2 // 3 and c - a == d - b == _AGREEING:
            return index + 1
    return 0


def _longest_common(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    places: dict[str, int] = {}
    for index, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << index
    everywhere = (1 << len(first)) - 1
    state, states = everywhere, []
    for word in second:
        found = state & places.get(word, 0)
        state = (state + found | state - found) & everywhere
        states.append(state)
    return _traced(states, len(first))


def _traced(states: Sequence[int], length: int) -> list[tuple[int, int]]:
    """Read the pairs off the states, from the end.

    A bit that is not set says that the common subsequence grows at this place of the first sequence.
    """
    pairs = []
    a, b = length - 1, len(states) - 1
    while a >= 0 and b >= 0:
        bit = 1 << a
        if states[b] & bit:
            a -= 1
        elif b and not states[b - 1] & bit:
            b -= 1
        else:
            pairs.append((a, b))
            a, b = a - 1, b - 1
    return pairs[::-1]
