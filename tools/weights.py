"""How much each search and each bonus counts in the ranking of sections: numbers, and their origin."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each search counts, and each bonus as a share of what the question's own searches can give.

    Round numbers in the middle of a range that measures alike; `python -m evaluation fit` shows the range.
    """

    vectors: float = 2.0
    sections: float = 1.0
    blocks: float = 1.0
    glossary: float = 1.0
    pointed: float = 1.0
    """For sections that the question points at: a method's whole path, an intrinsic, an id, a number."""
    named: float = 0.5
    """For other names in the question: operations, slots and terms, which are often said in passing."""
    meant: float = 0.3
    """For sections whose operations the glossary names."""
    references: float = 0.25
    """Share of a section's score for what it refers to."""
    evaluation: float = 0.3
    """Share of a section's score for the evaluation of what it describes."""
    early: float = 0.4
    """More for early errors, where the question speaks of what is refused."""
    pointer: float = 0.8
    """Less for a section that only says where to read on."""
    informative: float = 0.3
    """Less for what is not normative."""
    short: float = 0.2
    """Less for the shortest section, nothing less for a long one, in between by the logarithm."""
    aside: float = 0.6
    """Less for a short section that a question points at: it asks about what is done behind it."""

    @property
    def full(self) -> float:
        """What the question's own searches give a section that is first in each."""
        return self.vectors + self.sections + self.blocks


WEIGHTS = Weights()
