"""What people say, and what the specification says for it: reads `glossary.tsv`; knows no edition.

A question in the words of programmers (`==`, "hoisting", "microtask") shares few words with the clauses that
answer it. A row of the glossary has a pattern, the specification's words, and the reason why the one means
the other. Rows are about the language as a whole: operators, statements, kinds of functions and objects,
common terms. None is about one question, and none holds a section id, since ids differ between editions.
Where people say what the specification says (`BigInt`, `Proxy`) a row would only drown the question.

The words are searched for beside the question, never instead of it. They are never shown or quoted.
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

MOST_SAYINGS = 6
"""Rows used for one question, those first that match earliest in it: a long question says many things."""
READ = 2_000
"""Characters of a question that are looked through: some patterns take time that grows with the square."""

_FILE = Path(__file__).with_name("glossary.tsv")


@dataclass(frozen=True, slots=True)
class Saying:
    """One way of speaking."""

    pattern: re.Pattern[str]
    """Matched anywhere, without regard to case."""
    words: str
    """What the specification calls it: names of operations, titles, terms."""
    why: str


@functools.cache
def glossary() -> tuple[Saying, ...]:
    """All rows, in the order of the file."""
    rows = _FILE.read_text(encoding="utf-8").splitlines()
    fields = [row.split("\t") for row in rows if row and not row.startswith("# ")]
    return tuple(Saying(re.compile(pattern, re.IGNORECASE), words, why) for pattern, words, why in fields)


def sayings(question: str) -> list[Saying]:
    """The rows that the question matches, in the order in which it says them; at most `MOST_SAYINGS`.

    >>> [saying.words for saying in sayings("Is [] == 0 true?")]
    ['IsLooselyEqual']
    """
    return list(_sayings(question[:READ]))


@functools.lru_cache(maxsize=64)
def _sayings(question: str) -> tuple[Saying, ...]:
    found = [
        (match.start(), number, saying)
        for number, saying in enumerate(glossary())
        if (match := saying.pattern.search(question))
    ]
    return tuple(saying for _, _, saying in sorted(found, key=lambda entry: entry[:2])[:MOST_SAYINGS])


def specification_words(question: str) -> list[str]:
    """The specification's words for what the question says, each once; empty where no row matches."""
    return list(dict.fromkeys(word for saying in sayings(question) for word in saying.words.split()))
