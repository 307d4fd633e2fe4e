"""Near-duplicates must not crowd the first places: 69 sections are called `Runtime Semantics: Evaluation`.

Pure. Moves sections back and leaves none out; two that stay keep their order, and so do two that are moved.
"""

from collections import Counter
from collections.abc import Callable, Sequence

FIRST_PLACES = 10
"""What a person or a model looks through."""
MOST_OF_A_HEADING = 3
"""Sections of one heading among them. Over es2026 one list in twenty had more. With three, three answers came
among the first ten and two left them, of 1,716; with two, four came and seven left."""


def spread(
    order: Sequence[str],
    heading: Callable[[str], str],
    *,
    most: int = MOST_OF_A_HEADING,
    places: int = FIRST_PLACES,
) -> list[str]:
    """The same ids; among the first `places` at most `most` of one heading, as far as others are there.

    >>> spread(["a1", "a2", "a3", "b1"], lambda one: one[0], most=1, places=2)
    ['a1', 'b1', 'a2', 'a3']
    """
    held: Counter[str] = Counter()
    first: list[str] = []
    for one in order:
        if len(first) == places:
            break
        if held[heading(one)] < most:
            held[heading(one)] += 1
            first.append(one)
    chosen = set(first)
    return [*first, *(one for one in order if one not in chosen)]
