"""What a step is quoted with so that it says something: what follows from a condition, the condition that it
stands under, the other branch. Pure.

A step that opens a branch (`If x is true, then`) is quoted through the steps under it, with the `Else` that
follows. A step under `Else,` is quoted from there on, behind the condition that decides. A slice is
contiguous, and never reaches over a marker.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.offline_statements import Shape, Statement
from agent.quotes import is_meaningful
from storage.markers import MARKER

LONGEST = 400
"""Characters of a branch that are quoted: a longer one is quoted as far as its steps fit."""

_BRANCH = re.compile(r"^(?:If|Else)\b")
_ELSE = re.compile(r"^Else\b")


def quoted_with(statement: Statement, around: Sequence[Statement]) -> list[Statement]:
    """The slices to quote for a statement, in document order; `around` are all statements of its passage."""
    if statement.shape is not Shape.STEP:
        return [statement]
    if _ELSE.match(statement.text):
        return _meaningful([_before(statement, around), _branch(statement, around)])
    if _BRANCH.match(statement.text) and _opens(statement, around):
        other = _after(statement, around)
        return _meaningful([_branch(statement, around), other and _branch(other, around)])
    return _meaningful([*_above(statement, around), statement])


def _above(statement: Statement, around: Sequence[Statement]) -> Iterator[Statement | None]:
    """The step that it stands under; under an `Else` what decides, and the way from there."""
    if not statement.parents:
        return
    parent = statement.parents[-1]
    if not _ELSE.match(parent.text):
        yield parent
        return
    yield _before(parent, around)
    through = replace(parent, end=statement.end)
    yield through if len(through.text) <= LONGEST and not MARKER.search(through.text) else parent


def _meaningful(found: Sequence[Statement | None]) -> list[Statement]:
    """What can be quoted, without what stands inside the slice before it."""
    out: list[Statement] = []
    for one in found:
        if one and is_meaningful(one.text) and not (out and one.end <= out[-1].end):
            out.append(one)
    return out


def _branch(step: Statement, around: Sequence[Statement]) -> Statement:
    """The step through as many of the steps under it as fit, at least one that says what is done."""
    ends = [one.end for one in around if step in one.parents and not _opens(one, around)]
    slices = [
        replace(step, end=end) for end in ends if not MARKER.search(step.passage.text[step.start : end])
    ]
    fitting = [one for one in slices if len(one.text) <= LONGEST]
    return fitting[-1] if fitting else slices[0] if slices else step


def _opens(step: Statement, around: Sequence[Statement]) -> bool:
    return any(one.parents[-1:] == (step,) for one in around)


def _siblings(step: Statement, around: Sequence[Statement]) -> list[Statement]:
    return [one for one in around if one.shape is Shape.STEP and one.parents == step.parents]


def _before(step: Statement, around: Sequence[Statement]) -> Statement | None:
    """The condition that an `Else` belongs to."""
    earlier = [one for one in _siblings(step, around) if one.start < step.start]
    return earlier[-1] if earlier and _BRANCH.match(earlier[-1].text) else None


def _after(step: Statement, around: Sequence[Statement]) -> Statement | None:
    """The `Else` that follows a branch."""
    later = [one for one in _siblings(step, around) if one.start > step.start]
    return later[0] if later and _ELSE.match(later[0].text) else None
