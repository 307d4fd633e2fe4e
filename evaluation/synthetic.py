"""Questions made from an edition, each with the block that answers it: what a packet must hold is known.

In three strata:

* `unique`: the section's title, which no other section has, and words of the target;
* `repeated`: a title that several sections share, and words of the target;
* `bare`: words of the target only, none of which stands in the section's heading path.

A target is a block of 40 to 500 characters that is no heading, whose text stands once in the edition (a
sentence that stands twice cannot be told from its twin) and which fits the budget together with its heading.
Words are drawn by chance from the target's until six are held and no other block that the question could
mean (of a section with that title; in `bare`, of the whole edition) holds them all; a target that takes more
than twelve is left out. So there is one right answer, and nobody picked telling words. Sections are drawn
first and blocks within them, so that long sections do not crowd out the rest. Seeded: the same edition gives
the same questions. They are made when they are asked and never stored.

Words taken from the target flatter every search by words; these questions measure the choice of evidence, and
say little about how well people's own words are understood.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.studies.corpus import Corpus
from storage.model import Kind, Level, Unit
from tools.lexical import words
from tools.packet import Selected

SEED = 262
SHORTEST, LONGEST = 40, 500
FEWEST_WORDS, MOST_WORDS = 6, 12


class Stratum(StrEnum):
    """What a question says of its target's section."""

    UNIQUE = "unique"
    REPEATED = "repeated"
    BARE = "bare"


@dataclass(frozen=True, slots=True)
class Synthetic:
    """A question, and the two blocks that its evidence must hold."""

    id: str
    stratum: Stratum
    query: str
    target: Unit
    heading: Unit
    """The line that prints the number and title of the target's section."""


@dataclass(frozen=True, slots=True)
class Covered:
    """What of a question's two blocks stands in a packet, wholly, by span."""

    heading: bool
    target: bool

    @property
    def both(self) -> bool:
        """What the question needs."""
        return self.heading and self.target


def covered(asked: Synthetic, selected: Sequence[Selected]) -> Covered:
    """Which of the two blocks lie inside one of the stretches of text that were selected.

    A heading counts where its own line is among the characters that the budget paid for. That a program knows
    the title of what it shows does not count.
    """
    spans = [(one.source, span) for one in selected for span in one.spans]

    def held(unit: Unit) -> bool:
        return any(source == unit.source and span.contains(unit.span) for source, span in spans)

    return Covered(held(asked.heading), held(asked.target))


class Maker:
    """Makes the questions of one edition."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        sections = corpus.level(Level.SECTION)
        self._title = {unit.unitid: unit.title for unit in sections}
        self._with_title: dict[str, set[str]] = {}
        for unit in sections:
            self._with_title.setdefault(unit.title, set()).add(unit.unitid)
        self._said = {block.unitid: _spoken(corpus.text(block)) for block in corpus.level(Level.BLOCK)}
        self._texts = Counter(map(tuple, self._said.values()))
        self._holding: dict[str, set[str]] = {}
        for unitid, said in self._said.items():
            for word in said:
                self._holding.setdefault(word, set()).add(unitid)

    def questions(self, stratum: Stratum, count: int, *, seed: int = SEED) -> list[Synthetic]:
        """`count` questions of a stratum, fewer where the edition has no more targets."""
        chance = random.Random(f"{seed} {stratum}")  # noqa: S311 - drawing, no secret
        out: list[Synthetic] = []
        for target in _drawn(self._targets(stratum), chance):
            heading = self._corpus.heading(target.clauseid)
            query = self._query(stratum, target, chance)
            if query and heading:
                out.append(Synthetic(f"{stratum}-{len(out) + 1}", stratum, query, target, heading))
            if len(out) == count:
                break
        return out

    def _targets(self, stratum: Stratum) -> dict[str, list[Unit]]:
        """What may be asked for, by section."""
        out: dict[str, list[Unit]] = {}
        for clauseid, title in self._title.items():
            shared = len(self._with_title[title]) > 1
            if stratum is not Stratum.BARE and shared is not (stratum is Stratum.REPEATED):
                continue
            if found := [block for block in self._corpus.blocks(clauseid) if self._asked_for(block)]:
                out[clauseid] = found
        return out

    def _asked_for(self, block: Unit) -> bool:
        once = self._texts[tuple(self._said[block.unitid])] == 1
        return block.kind is not Kind.HEADING and SHORTEST <= len(block.span) <= LONGEST and once

    def _query(self, stratum: Stratum, target: Unit, chance: random.Random) -> str:
        """The question's words; empty where no choice of them tells the target from every other block."""
        said = list(dict.fromkeys(self._said[target.unitid]))
        title = self._title[target.clauseid]
        if stratum is Stratum.BARE:
            known = set(words(self._corpus.by_id[target.clauseid].titlepath))
            said = [word for word in said if not known.intersection(words(word))]
        kept: list[int] = []
        for place in chance.sample(range(len(said)), len(said))[:MOST_WORDS]:
            kept.append(place)
            if len(kept) >= FEWEST_WORDS and self._alone(stratum, title, [said[one] for one in kept]):
                chosen = " ".join(said[one] for one in sorted(kept))
                return chosen if stratum is Stratum.BARE else f"{title} {chosen}"
        return ""

    def _alone(self, stratum: Stratum, title: str, said: list[str]) -> bool:
        """Whether one block only could be meant by these words."""
        holding = set.intersection(*(self._holding[word] for word in said))
        if stratum is not Stratum.BARE:
            holding = {one for one in holding if self._corpus.by_id[one].clauseid in self._with_title[title]}
        return len(holding) == 1


def _drawn(targets: dict[str, list[Unit]], chance: random.Random) -> Iterator[Unit]:
    """One target of each section, sections in an order drawn by chance; then another of each."""
    left = {section: chance.sample(targets[section], len(targets[section])) for section in sorted(targets)}
    while left:
        for section in chance.sample(sorted(left), len(left)):
            yield left[section].pop()
            if not left[section]:
                del left[section]


def _spoken(text: str) -> list[str]:
    """The words, lower case, of two letters or digits at least: labels and short variables say nothing."""
    stripped = (word.strip(".,;:()[]{}«»`|\"'?!").lower() for word in text.split())
    return [word for word in stripped if sum(map(str.isalnum, word)) > 1]
