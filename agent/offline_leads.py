"""What in the sections read points to others: markers, operations that steps call, internal methods.

Pure. A lead is worth following when its name shares words with the question, or when a short algorithm
hands its work over to it: `Return ? DoWait(...)`. The ordinary behaviour of an internal method `[[Set]]` is
told by the operation `OrdinarySet`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from agent.offline_evidence import Evidence
from agent.offline_question import Question
from agent.offline_statements import Shape, statements
from agent.offline_words import stems

HANDED_OVER = 0.6
"""What it is worth that a short algorithm returns what an operation returns."""
CHILD = 0.8
"""Part of a good section's title that counts for its children as well."""
SHORT = 8
"""Steps up to which an algorithm is short."""
TRUSTED = 2
"""So many of the best sections are followed where they hand over."""

_CALL = re.compile(r"(?<![\w.%])([A-Z][A-Za-z]+(?:::[a-z]\w+)?)\(")
_METHOD = re.compile(r"\.\[\[([A-Z]\w+)\]\]\(")
_HANDS_OVER = re.compile(r"^(?:Return|Let (?:status|success|result)\b)")


def leads(evidence: Evidence, question: Question, *, worth: Sequence[str], least: float) -> list[str]:
    """Ids and names to read that are worth at least so much, the best first; `worth` are the sections read on
    their own account."""
    found: dict[str, float] = {}
    titles = {passage.sectionid: passage.title for passage in evidence.passages}
    for marker in evidence.markers:
        own = overlap(marker.title, question.terms)
        # A child called `Runtime Semantics: Evaluation` is about what its parent is about.
        inherited = CHILD * overlap(titles.get(marker.parent, ""), question.terms)
        _note(found, marker.sectionid, max(own, inherited if marker.parent in worth[:TRUSTED] else 0.0))
    for sectionid in evidence.read:
        for name, handed_over in _called(evidence, sectionid):
            trusted = handed_over and sectionid in worth[:TRUSTED]
            _note(found, name, overlap(name, question.terms) + HANDED_OVER * trusted)
    read = (passage for passage in evidence.passages if passage.clauseid in evidence.read)
    known = {passage.title.partition(" ")[0] for passage in read}
    order = sorted(found, key=lambda lead: (-found[lead], lead))
    return [lead for lead in order if found[lead] >= least and lead not in known]


def _called(evidence: Evidence, sectionid: str) -> Iterator[tuple[str, bool]]:
    """Operations that a section's steps call, and whether a short algorithm hands its work over to one."""
    steps = [
        statement
        for passage in evidence.passages
        if passage.sectionid == sectionid
        for statement in statements(passage)
        if statement.shape is Shape.STEP
    ]
    for step in steps:
        names = _CALL.findall(step.text) + [f"Ordinary{name}" for name in _METHOD.findall(step.text)]
        hands_over = len(steps) <= SHORT and bool(_HANDS_OVER.match(step.text))
        for place, name in enumerate(names):
            yield name, hands_over and place == 0


def _note(found: dict[str, float], lead: str, worth: float) -> None:
    found[lead] = max(worth, found.get(lead, 0.0))


def overlap(title: str, terms: Mapping[str, float]) -> float:
    """The weight of the question's words in a name or title, set against its length."""
    words = set(stems(title))
    return sum(terms.get(word, 0.0) for word in words) / (len(words) + 1) if words else 0.0
