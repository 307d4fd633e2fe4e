"""What in the sections read points to others: markers, operations that steps call, internal methods.

Pure. A lead is worth following when its name shares words with the question, or when a short algorithm
hands its work over to it: `Return ? DoWait(...)`. The ordinary behaviour of an internal method `[[Set]]` is
told by the operation `OrdinarySet`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.offline_evidence import Evidence
from agent.offline_question import Question
from agent.offline_score import Rarity, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.offline_thresholds import Thresholds
from agent.offline_words import stems

HANDED_OVER = 0.6
"""What it is worth that a short algorithm returns what an operation returns."""
CHILD = 0.8
"""Part of a good section's title that counts for its children as well."""
LOOK_UP = "?"
"""In front of a method's name: several kinds of objects define it, so that it is searched for."""
FALL = 0.2
"""How a definition is worth less with its place among those of a name."""
SHORT = 8
"""Steps up to which an algorithm is short."""
_CALL = re.compile(r"(?<![\w.%])([A-Z][A-Za-z]+(?:::[a-z]\w+)?)\(")
_METHOD = re.compile(r"\.\[\[([A-Z]\w+)\]\]\(")
_ABSTRACT_METHOD = re.compile(r"(?<=\w\.)[A-Z]\w+(?=\()|(?<=\w\.)\[\[\w+\]\](?=\()")
_OWN = re.compile(r"^\[\[(\w+)\]\]")
_EVALUATION = re.compile(r"^Runtime Semantics: Evaluation")
_HANDS_OVER = re.compile(r"^(?:Return|Let (?:status|success|result)\b)")


@dataclass(frozen=True, slots=True)
class Called:
    """An operation that a step calls: its name, its id where that is known, else the name again."""

    step: Statement
    name: str
    lead: str
    handed_over: bool
    """Whether a short algorithm leaves its work to it."""


def leads(
    evidence: Evidence, question: Question, *, sections: Mapping[str, float], by: Thresholds
) -> dict[str, float]:
    """Ids and names to read, each with what it is worth; `sections` says how good each section found is."""
    calls = list(_calls(evidence))
    standing = _standing(evidence, calls, sections)
    weights = terms_by_rarity(evidence, question)
    found: dict[str, float] = {}
    for lead, worth in (
        *_from_steps(evidence, question, calls, standing, weights, by),
        *_from_markers(evidence, question, standing, weights, by),
        *_from_definitions(evidence, weights, by),
        *((one.sectionid, by.name * overlap(one.name, weights)) for one in evidence.references),
    ):
        found[lead] = max(worth, found.get(lead, 0.0))
    read = (passage for passage in evidence.passages if passage.clauseid in evidence.read)
    known = {passage.title.partition(" ")[0] for passage in read}
    return {lead: worth for lead, worth in found.items() if lead not in known}


def _calls(evidence: Evidence) -> Iterator[Called]:
    """What the steps of the sections read call."""
    ids = {one.name: one.sectionid for one in evidence.references if one.operation}
    steps = [
        statement
        for passage in evidence.passages
        if passage.clauseid in evidence.read
        for statement in statements(passage)
        if statement.shape is Shape.STEP
    ]
    counted = Counter(step.passage.clauseid for step in steps)
    for step in steps:
        names = _CALL.findall(step.text) + [f"Ordinary{name}" for name in _METHOD.findall(step.text)]
        for name in _ABSTRACT_METHOD.findall(step.text):
            yield Called(step, name, LOOK_UP + name, handed_over=False)
        hands_over = counted[step.passage.clauseid] <= SHORT and bool(_HANDS_OVER.match(step.text))
        for place, name in enumerate(names):
            yield Called(step, name, ids.get(name, name), hands_over and place == 0)


def _standing(evidence: Evidence, calls: Sequence[Called], sections: Mapping[str, float]) -> dict[str, float]:
    """How good each section read is: what a good one hands its work over to is nearly as good."""
    out = {one: sections.get(one, 0.0) for one in evidence.read}
    for one in calls:
        if one.handed_over and one.lead in out:
            out[one.lead] = max(out[one.lead], CHILD * out.get(one.step.passage.clauseid, 0.0))
    return out


def _from_steps(
    evidence: Evidence,
    question: Question,
    calls: Sequence[Called],
    standing: Mapping[str, float],
    weights: Mapping[str, float],
    by: Thresholds,
) -> Iterator[tuple[str, float]]:
    """Operations, worth more the more the step that calls them bears on the question."""
    steps = list(dict.fromkeys(one.step for one in calls))
    scored = score_all(steps, question, sections=standing, hits=list(evidence.hits), by=by)
    scores = {one.statement: one.score for one in scored}
    top = max(scores.values(), default=1.0) or 1.0
    for one in calls:
        section = standing.get(one.step.passage.clauseid, 0.0)
        yield (
            one.lead,
            by.called * scores[one.step] / top
            + by.name * overlap(one.name, weights)
            + by.handed * section * one.handed_over
            + by.looked_up * one.lead.startswith(LOOK_UP),
        )


def _from_definitions(
    evidence: Evidence, weights: Mapping[str, float], by: Thresholds
) -> Iterator[tuple[str, float]]:
    """The definitions of a method, that of the kind of object first that the question is about."""
    for name, hits in evidence.definitions:
        own = [hit for hit in hits if hit.title.startswith(name)]
        for place, hit in enumerate(own):
            of = " ".join(hit.titlepath.split(" > ")[-2:-1])
            yield hit.sectionid, by.defined / (1 + FALL * place) + by.name * overlap(of, weights)


def _from_markers(
    evidence: Evidence,
    question: Question,
    standing: Mapping[str, float],
    weights: Mapping[str, float],
    by: Thresholds,
) -> Iterator[tuple[str, float]]:
    """Parts that were cut out: by their titles, by what their parent is about, by what is called."""
    called = set(_METHOD.findall("\n".join(passage.text for passage in evidence.passages)))
    for marker in evidence.markers:
        worth = by.name * overlap(marker.title, weights)
        above = standing.get(marker.parent, 0.0)
        if _EVALUATION.search(marker.title):
            worth = max(worth, by.child * above)
        method = _OWN.match(marker.title)
        if method and (method[1] in called or method[0] in question.reworded):
            worth += by.method * above
        yield marker.sectionid, worth


def terms_by_rarity(evidence: Evidence, question: Question) -> dict[str, float]:
    """The question's words, those that stand in few of the statements shown more: at most 1."""
    counts: Counter[str] = Counter()
    total = 0
    for passage in evidence.passages:
        for statement in statements(passage):
            counts.update(set(stems(statement.text)))
            total += 1
    rare = Rarity(counts, total)
    most = max((rare.of(stem) for stem in question.terms), default=0.0) or 1.0
    return {stem: weight * rare.of(stem) / most for stem, weight in question.terms.items()}


def overlap(title: str, terms: Mapping[str, float]) -> float:
    """The weight of the question's words in a name or title, set against its length."""
    words = set(stems(title))
    return sum(terms.get(word, 0.0) for word in words) / (len(words) + 1) if words else 0.0
