"""What a refusal says besides its reason: which of the three kinds it is, what is nearest, what defines it.

Decided from the store, not from the model's memory. In this order:

1. another edition of the same specification has a name that the question stands on: `not_in_edition`;
2. another specification in the store has it, or the table of what is defined elsewhere: `not_defined`;
3. the model's own word, but that another edition has it, which only the store can say;
4. a name that the question stands on and that this edition lacks: `not_defined`; otherwise `not_found`.

Of the sections that a model gives as nearest only those count that exist. Then come names that are like the
one asked for, then what was found.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from agent.answer import Place, RefusalKind
from agent.draft import AnswerDraft
from agent.elsewhere import named
from agent.ledger import Ledger
from agent.own_words import SENTENCE, own_words
from agent.verify import Sections
from storage.model import EditionRecord
from storage.names import fold
from storage.reading import NameTable
from tools import spelling
from tools.clean import one_line, shortened
from tools.lookup import nearest

NEAREST = 3
"""Sections that a refusal points to."""
LIKE = 0.5
"""Part of its letter pairs that a name shares with the one asked for to be near it: `flatten` and `flat`."""
UNCHECKED = "What it is defined by is the model's own word and was not checked."

NAMES = 4
"""Names of a question that are looked up: each miss is compared with every name of the edition."""

_EDITION = re.compile(r"(?:es|ecma|ecmascript)-?\d+", re.IGNORECASE)
_CODE = re.compile(r"`([^`\s]{2,60})`")
_FAMILY = re.compile(r"ecma-?402|es(?=20\d\d)|[a-z]+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is known about a question that was not answered."""

    kind: RefusalKind
    nearest: tuple[Place, ...] = ()
    defined_by: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one edition."""

    record: EditionRecord
    table: NameTable

    def has(self, name: str) -> bool:
        """Whether the edition defines a name, however it is spelled."""
        return bool(self.table.by_keys([fold(form) for form in spelling.spellings(spelling.bare(name))]))


def no_others() -> Iterator[Names]:
    """For a store of one edition."""
    return iter(())


@dataclass(frozen=True)
class Refusals:
    """Completes refusals of questions to one edition; `others` opens the store's other ones when asked."""

    own: Names
    sections: Sections
    others: Callable[[], Iterable[Names]] = field(default=no_others)

    def complete(self, question: str, draft: AnswerDraft, ledger: Ledger) -> Refusal:
        """Kind, nearest sections and what defines it; see the module's text."""
        question = own_words(question, least=SENTENCE)
        absent = [name for name in stands_on(question) if not self.own.has(name)]
        elsewhere = next((one for one in named(question) if not self.own.has(one.name)), None)
        nearby = self._nearest(draft, absent if elsewhere is None else [], ledger)
        same, foreign = self._editions_with(absent)
        if same:
            return Refusal(RefusalKind.NOT_IN_EDITION, nearby, ", ".join(same))
        if foreign or elsewhere:
            return Refusal(RefusalKind.NOT_DEFINED, nearby, foreign or (elsewhere.where if elsewhere else ""))
        kind = _kind(draft, absent=bool(absent and ledger.searched))
        told = shortened(draft.defined_by or "") if kind is RefusalKind.NOT_DEFINED else ""
        return Refusal(kind, nearby, told, (UNCHECKED,) if told else ())

    def _editions_with(self, absent: Sequence[str]) -> tuple[list[str], str]:
        """Other editions of this specification that have one of the names, and the title of another one."""
        same: list[str] = []
        foreign = ""
        for other in self.others() if absent else ():
            if any(other.has(name) for name in absent):
                if _family(other.record) == _family(self.own.record):
                    same.append(other.record.edition)
                else:
                    foreign = foreign or f"{one_line(other.record.title)} ({other.record.edition})"
        return same, foreign

    def _nearest(self, draft: AnswerDraft, absent: Sequence[str], ledger: Ledger) -> tuple[Place, ...]:
        given = [one_line(sectionid) for sectionid in draft.nearest]
        like = [sectionid for name in absent for sectionid in _like(name, self.own.table)]
        units = (self.sections.section(one) for one in (*given, *like, *ledger.found))
        places = dict.fromkeys(Place(unit.clauseid, unit.secnum, unit.title) for unit in units if unit)
        return tuple(places)[:NEAREST]


def stands_on(question: str) -> list[str]:
    """The names in a question: what is written like one, and what is marked as code."""
    mentioned = [text for _, text in spelling.mentions(question)]
    names = dict.fromkeys([*_CODE.findall(question), *mentioned])
    return [name for name in names if not _EDITION.fullmatch(name)][:NAMES]


def _like(name: str, table: NameTable) -> Iterator[str]:
    pairs = spelling.letter_pairs(fold(name))
    for near in nearest(name, table, limit=NEAREST - 1):
        if spelling.likeness(pairs, spelling.letter_pairs(near.key)) >= LIKE:
            yield near.sectionid


def _kind(draft: AnswerDraft, *, absent: bool) -> RefusalKind:
    refuses, said = bool((draft.refusal or "").strip()), draft.refusal_kind
    defined = said == "not_found" or not (said or absent)
    return RefusalKind.NOT_DEFINED if refuses and not defined else RefusalKind.NOT_FOUND


def _family(record: EditionRecord) -> str:
    """What an edition is one of: `es`, `ecma402`, or its name's first word."""
    found = _FAMILY.match(record.edition)
    return found.group().replace("-", "") if found else record.edition
