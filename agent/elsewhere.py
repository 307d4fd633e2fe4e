"""What is defined elsewhere: names that people ask about, and the specification or host that has them.

A small table beside the code, each line with its reason. Pure.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "data" / "elsewhere.tsv"

_ORDINARY = re.compile(r"[A-Za-z][a-z]+")
_PRINTS = re.compile(
    r"(?<![\w$.])(?:console\.\w+|alert|document\.write(?:ln)?|process\.stdout\.write)"
    r"(?=\(\s*[^\s)])"
)
"""What examples print with: called around something, it is that which the question is about."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A name, what defines it, and why it is not defined by the language."""

    name: str
    where: str
    reason: str

    def occurs_in(self, question: str) -> bool:
        """Whether the question names it; one that reads as an ordinary word has to be written as code."""
        name = re.escape(self.name)
        if _ORDINARY.fullmatch(self.name) and question.strip() != self.name:
            return bool(re.search(rf"`{name}\b|(?<![\w$.]){name}(?=\.\w|\((?!e?s\)))", question))
        return bool(re.search(rf"(?<![\w$]){name}(?![\w$])", question))


@cache
def table() -> tuple[Elsewhere, ...]:
    """The table's lines, in order."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return tuple(Elsewhere(*line.split("\t")) for line in lines if line and not line.startswith("#"))


def named(question: str) -> tuple[Elsewhere, ...]:
    """What the question names of it, in the order of the table."""
    asked = unprinted(question)
    return tuple(one for one in table() if one.occurs_in(asked))


def unprinted(question: str) -> str:
    """The question without the functions that its examples print with.

    >>> unprinted("Why is console.log(typeof null) an object, and is console.log() required?")
    'Why is (typeof null) an object, and is console.log() required?'
    """
    return _PRINTS.sub("", question)
