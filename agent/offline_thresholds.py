"""The numbers that the offline model decides by, in one place, so that they can be fitted together.

`python -m evaluation fit-offline` tries others and checks its choice on questions that it was not made on.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Round numbers in the middle of a range that measures alike."""

    # What is read.
    reads: int = 6
    """Sections read because a search found them."""
    followed: int = 3
    """Sections read because something read pointed to them."""
    worth: float = 0.4
    """Part of the best section's score that makes another one worth reading."""
    lead: float = 0.3
    """Below this share of the question's words in its name, a lead is not worth a read."""

    # What a statement is worth.
    section: float = 6.0
    """What the best section adds to each of its statements."""
    shown_first: float = 0.5
    """What it adds that a search showed this very place, at rank 1."""
    cue: float = 2.0
    """What the kind of answer adds that the question asks for."""
    under: float = 0.7
    """What a word counts that stands in a step above instead of in the statement."""
    titled: float = 0.4
    """What a word counts that stands only in the section's title."""
    length: float = 0.15
    """By how much of itself each doubling beyond a usual step's words divides a statement's words."""

    # What is quoted.
    most: int = 6
    """Statements quoted at most: more is reading the section oneself."""
    most_of_long: int = 10
    """The same for a long question, which asks several things."""
    near: float = 0.55
    """Part of the best statement's score from which another is quoted too."""
    repeated: float = 0.2
    """Part of a word's weight that a statement loses when another one with it was chosen already."""
    same_section: float = 0.4
    """What a statement loses for each one chosen from its section: an answer often stands in two."""

    # Whether anything is.
    together: float = 0.45
    """Part of a question's words, weighed by rarity, that one section has to hold when nothing else speaks
    for it."""
    together_at_home: float = 0.25
    """The same when the question at least uses the language's own words."""


THRESHOLDS = Thresholds()
