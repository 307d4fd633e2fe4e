"""The numbers that the offline model decides by, in one place, so that they can be fitted together.

`python -m evaluation fit-offline` tries others and checks its choice on questions that it was not made on.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Round numbers in the middle of a range that measures alike."""

    # What is read.
    calls: int = 15
    """Calls made at most, searches too: one less than are usually allowed, so that it is the model that
    stops."""
    reads: int = 14
    """Sections read at most."""
    worth: float = 0.4
    """Part of the best section's score that makes another one worth reading."""
    lead: float = 0.2
    """From which worth something is read that was pointed to."""
    called: float = 0.4
    """What an operation is worth that the step calls that bears most on the question."""
    name: float = 0.4
    """What a lead is worth whose name consists of the question's words."""
    handed: float = 0.5
    """What it adds that the best section leaves its work to an operation."""
    child: float = 0.6
    """What the evaluation under the best section's heading is worth."""
    method: float = 0.3
    """What it adds to an internal method under the best section's heading that it is called somewhere."""
    looked_up: float = 0.1
    """What it adds that a step calls a method which several kinds of objects define."""
    methods: int = 1
    """Such methods searched for at most."""
    defined: float = 0.7
    """What the first definition is worth that was found for one."""

    # What a statement is worth.
    inherited: float = 0.5
    """Part of a lead's worth that counts as its section's own."""
    section: float = 9.0
    """What the best section adds to each of its statements."""
    shown_first: float = 5.0
    """What it adds that a search showed this very place, at rank 1."""
    cue: float = 2.0
    """What the kind of answer adds that the question asks for."""
    under: float = 0.7
    """What a word counts that stands in a step above instead of in the statement."""
    titled: float = 0.6
    """What a word counts that stands only in the section's title."""
    length: float = 0.3
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
    same_section: float = 1.0
    """What a statement loses for each one chosen from its section: an answer often stands in two."""

    whole: int = 900
    """Characters of an algorithm or a paragraph up to which it is quoted whole."""
    excerpt: int = 400
    """Characters up to which a statement is quoted with its neighbours."""
    characters: int = 3_000
    """Quoted at most, after the first excerpt."""
    sparse: int = 1_000
    """Characters up to which other sections that stand well are quoted as well."""
    stands: float = 0.6
    """Part of the best section's score from which one stands well."""
    room: int = 2_500
    """Characters up to which excerpts grow."""
    grown_whole: int = 2_000
    """What `whole` is for an excerpt that grows."""
    grown: int = 1_200
    """The same for `excerpt`."""
    short_section: int = 800
    """Characters up to which a section is quoted whole."""

    # Whether anything is.
    together: float = 0.45
    """Part of a question's words, weighed by rarity, that one section has to hold when nothing else speaks
    for it."""
    together_near_home: float = 0.3
    """The same when one of its words is the language's own, or the glossary knows what it speaks of."""
    together_at_home: float = 0.12
    """The same when several are, or a title that was found holds several of the question's words."""


THRESHOLDS = Thresholds()
