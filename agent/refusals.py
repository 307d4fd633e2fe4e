"""What a refusal says besides its reason: which of the three kinds it is, what is nearest, what defines it.

Decided from the store, not from the model's memory. In this order:

1. another edition of the same specification has a name that the question stands on: `not_in_edition`;
2. another specification in the store has it, or the table of what is defined elsewhere: `not_defined`;
3. all names that the question stands on, or one of which the model says so, stand nowhere in this edition,
   not even in its text: `not_defined`. Code that is no name, a variable of the question and what is read
   from one prove nothing;
4. the model's own `not_defined`, where the question has no name that could be looked up: with a note;
5. otherwise `not_found`, with a note where the model claimed more. That another edition has it only the store
   can say.

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
from agent.variables import is_name, is_own_path, is_variable
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
OWN_WORD = (
    "That this specification does not define it is the model's own word: the question has no name to look up."
)
NOT_PROVED = "The model says that this specification does not define it; that was not borne out."
NO_OTHER = "The model says that another edition has it; no other one in this store does."

NAMES = 4
"""Names of a question that are looked up: each miss is compared with every name of the edition."""

_EDITION = re.compile(r"(?:es|ecma|ecmascript)-?\d+", re.IGNORECASE)
_CODE = re.compile(r"`([^`\s]{2,60})`")
_ID = re.compile(r"(?:sec|prod|table|step|term|figure|eqn|alg)-")
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


def nowhere(name: str, /) -> bool:  # noqa: ARG001
    """For an edition whose names are all that is known of it."""
    return False


@dataclass(frozen=True)
class Refusals:
    """Completes refusals of questions to one edition.

    `others` opens the store's other editions when asked; `stands` says whether a name occurs in the text.
    """

    own: Names
    sections: Sections
    others: Callable[[], Iterable[Names]] = field(default=no_others)
    stands: Callable[[str], bool] = field(default=nowhere)

    def complete(self, question: str, draft: AnswerDraft, ledger: Ledger) -> Refusal:
        """Kind, nearest sections and what defines it; see the module's text."""
        question = own_words(question, least=SENTENCE)
        names = stands_on(question)
        absent = [name for name in names if not self.own.has(name) and not is_variable(name, question)]
        elsewhere = next((one for one in named(question) if not self.own.has(one.name)), None)
        nearby = self._nearest(draft, absent if elsewhere is None else [], ledger)
        same, foreign = self._editions_with(absent)
        if same:
            return Refusal(RefusalKind.NOT_IN_EDITION, nearby, ", ".join(same))
        # Beside a name that is defined here, what stands elsewhere does not outweigh a model that looked.
        aside = draft.refusal_kind == "not_found" and len(absent) < len(names)
        if foreign or (elsewhere and not aside):
            return Refusal(RefusalKind.NOT_DEFINED, nearby, foreign or (elsewhere.where if elsewhere else ""))
        lookable = [name for name in absent if is_name(name) and not is_own_path(name)]
        nowhere = [name for name in lookable if ledger.searched and not self.stands(name)]
        return _by_the_model(draft, nearby, nowhere=nowhere, names=names)

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
    """The names in a question: what is written like one, and what is marked as code. A number is none, nor is
    a word with a hyphen."""
    found = spelling.mentions(question)
    mentioned = [text for shape, text in found if shape != "number" and (shape != "id" or _ID.match(text))]
    names = dict.fromkeys([*_CODE.findall(question), *mentioned])
    return [name for name in names if not _EDITION.fullmatch(name)][:NAMES]


def _like(name: str, table: NameTable) -> Iterator[str]:
    pairs = spelling.letter_pairs(fold(name))
    for near in nearest(name, table, limit=NEAREST - 1):
        if spelling.likeness(pairs, spelling.letter_pairs(near.key)) >= LIKE:
            yield near.sectionid


def _by_the_model(
    draft: AnswerDraft, nearby: tuple[Place, ...], *, nowhere: Sequence[str], names: Sequence[str]
) -> Refusal:
    """What the model's own word amounts to, beside the names that stand nowhere."""
    said = draft.refusal_kind if (draft.refusal or "").strip() else "not_found"
    proved = bool(nowhere) and (said in ("not_defined", "not_in_edition") or len(nowhere) == len(names))
    other = (NO_OTHER,) if said == "not_in_edition" else ()
    if said != "not_found" and (proved or (said == "not_defined" and not names)):
        told = shortened(draft.defined_by or "") if said == "not_defined" else ""
        word = (UNCHECKED,) if told else () if proved else (OWN_WORD,)
        return Refusal(RefusalKind.NOT_DEFINED, nearby, told, (*word, *other))
    return Refusal(RefusalKind.NOT_FOUND, nearby, "", (NOT_PROVED,) if said == "not_defined" else other)


def _family(record: EditionRecord) -> str:
    """What an edition is one of: `es`, `ecma402`, or its name's first word."""
    found = _FAMILY.match(record.edition)
    return found.group().replace("-", "") if found else record.edition
