"""How often exact look-up finds what was named: every name of an edition, however spelled, and with a slip.

    python -m evaluation lookup [--edition NAME] [--slips N] [--seed N] [--misses N]

Names are read from the headings, `aoid`s, ids and numbers of the sections, not from the table that the
look-up searches; only legacy ids, slots, symbols and nonterminals have no other source here. A name is
*found* when all the sections that it names are among the meanings and one of them comes first; a name with a
slip in it is *first* when the section that it named is the one that is read, and *offered* when it is that
or among the nearest names of the message.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluation.held import HeldEdition
from evaluation.names import ONE_IS_ENOUGH, Case, cases, spellings
from storage.model import Level
from storage.names import fold
from tools.ports import Named
from tools.resolve import seek

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Row:
    """How the look-up did on one sort of names."""

    sort: str
    asked: int
    first: int
    """Found: for a slip, the section named is the one that would be read."""
    offered: int
    """That, or among the nearest names that the message offers."""
    misses: tuple[str, ...] = ()
    """What was asked in vain."""

    @property
    def share(self) -> float:
        """Of the names asked, those found."""
        return self.first / self.asked if self.asked else 1.0

    @property
    def offered_share(self) -> float:
        """Of the names asked, those found or offered."""
        return self.offered / self.asked if self.asked else 1.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--edition", help="an edition in the store, such as es2026")
    parser.add_argument(
        "--slips", type=int, default=1, metavar="N", help="slips of each kind a name (default 1)"
    )
    parser.add_argument("--seed", type=int, default=262, help="of the slips (default 262)")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="of each row, shown (default 0)")


def run(arguments: argparse.Namespace) -> int:
    """Ask for everything and print what was found."""
    from storage.inspection import opened, stored_edition
    from storage.reader import open_reader
    from storage.settings import load_settings

    settings = load_settings()
    record = open_reader(settings, arguments.edition).record
    built = stored_edition(opened(settings.storage_dir, record))
    reader = HeldEdition(built)
    sections = [unit for unit in built.units if unit.level is Level.SECTION]
    asked = cases(sections, built.names)
    sys.stdout.write(f"{record.edition}, {len(sections):,} sections\n")
    for title, rows in (
        ("as written", exact(asked, reader)),
        ("as people write it", spelled(asked, reader)),
        (f"with one slip, seed {arguments.seed}", slipped(asked, reader, arguments.slips, arguments.seed)),
    ):
        sys.stdout.write(told(title, rows, misses=arguments.misses))
        sys.stdout.flush()
    return 0


def exact(asked: Sequence[Case], reader: Named) -> list[Row]:
    """Every name as the specification writes it."""
    return _rows(((case.sort, case.name, case) for case in asked), reader, complete=True)


def spelled(asked: Sequence[Case], reader: Named) -> list[Row]:
    """Every name in the other ways that people write it, a row for each way. What is another name too is left
    out: without its `get`, a getter is the property."""
    known = {fold(case.name) for case in asked}
    others = (
        (way, text, case)
        for case in asked
        for way, text in spellings(case)
        if fold(text) == fold(case.name) or fold(text) not in known
    )
    return _rows(others, reader, complete=True)


def slipped(asked: Sequence[Case], reader: Named, count: int, seed: int) -> list[Row]:
    """Every name with one slip, `count` of each kind. A name and slip that make another name are left out, as
    are numbers: a slip in a number makes another number."""
    made = random.Random(seed)  # noqa: S311 - not for secrets
    known = {fold(case.name) for case in asked}
    sought = (
        (f"{case.sort}, {kind}", text, case)
        for case in asked
        if case.sort != "numbers"
        for kind, slip in SLIPS.items()
        for text in (slip(case.name, made) for _ in range(count))
        if fold(text) not in known
    )
    return _rows(sought, reader, complete=False)


def _rows(sought: Iterable[tuple[str, str, Case]], reader: Named, *, complete: bool) -> list[Row]:
    found: dict[str, list[tuple[str, bool, bool]]] = {}
    for row, text, case in sought:
        first, offered = judged(text, case, reader, complete=complete)
        found.setdefault(row, []).append((text, first, offered))
    return [
        Row(
            row,
            asked=len(tried),
            first=sum(first for _, first, _ in tried),
            offered=sum(offered for _, _, offered in tried),
            misses=tuple(text for text, first, offered in tried if not (first if complete else offered)),
        )
        for row, tried in found.items()
    ]


def judged(text: str, case: Case, reader: Named, *, complete: bool) -> tuple[bool, bool]:
    """Whether `text` leads to what the case names, and whether that is at least told. `complete` asks for
    all the sections of the name, where it is not a sort of which one place is enough."""
    sought = seek(text, reader)
    meant = [unit.unitid for unit in sought.units]
    told_of = {
        *meant,
        *(one.unit.unitid for one in sought.found),
        *(name.sectionid for name in sought.nearest),
    }
    first = bool(meant) and meant[0] in case.sections
    if complete and case.sort not in ONE_IS_ENOUGH:
        first = first and case.sections.issubset(told_of)
    return first, not case.sections.isdisjoint(told_of)


def _places(name: str) -> list[int]:
    """Where a slip may be: at letters. Dots, brackets and digits are not mistyped into another name's."""
    return [at for at, letter in enumerate(name) if letter.isalpha()]


def _dropped(name: str, made: random.Random) -> str:
    at = made.choice(_places(name))
    return name[:at] + name[at + 1 :]


def _added(name: str, made: random.Random) -> str:
    at = made.choice(_places(name))
    return name[:at] + made.choice(LETTERS) + name[at:]


def _replaced(name: str, made: random.Random) -> str:
    at = made.choice(_places(name))
    other = made.choice([letter for letter in LETTERS if letter != name[at].casefold()])
    return name[:at] + other + name[at + 1 :]


def _swapped(name: str, made: random.Random) -> str:
    places = [at for at in _places(name) if name[at + 1 : at + 2].casefold() not in ("", name[at].casefold())]
    if not places:
        return _dropped(name, made)
    at = made.choice(places)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


SLIPS: dict[str, Callable[[str, random.Random], str]] = {
    "a letter dropped": _dropped,
    "a letter added": _added,
    "a letter replaced": _replaced,
    "two letters swapped": _swapped,
}


def told(title: str, rows: Sequence[Row], *, misses: int) -> str:
    """The rows as a table, with their sum."""
    return "\n".join(_lines(title, rows, misses)) + "\n"


def _lines(title: str, rows: Sequence[Row], misses: int) -> Iterator[str]:
    total = Row("all", sum(r.asked for r in rows), sum(r.first for r in rows), sum(r.offered for r in rows))
    yield f"\n{title:<46}{'asked':>8}{'found':>8}{'share':>9}{'or offered':>12}"
    for row in (*rows, total):
        yield f"{row.sort:<46}{row.asked:>8,}{row.first:>8,}{row.share:>9.2%}{row.offered_share:>12.2%}"
        for miss in row.misses[:misses]:
            yield f"    in vain: {miss}"
