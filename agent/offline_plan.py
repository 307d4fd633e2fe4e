"""What the offline model does next: search, read, follow, or answer. Decided from the evidence alone.

1. Search with the question; then, where the glossary has the specification's words for it, with those.
2. Search for a name that the question stands on and that nothing shown so far holds.
3. Read the best sections: found high, by more than one search, by name, with the question's words in the
   title.
4. Among them what was read points to: markers, operations that its steps call, worth more the more the step
   bears on the question; a method that several kinds of objects define is searched for.
5. Answer when nothing left is worth a read, or only an answer is possible.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.offline_bearing import absent_names, all_absent
from agent.offline_evidence import FETCH, SEARCH, Evidence, Hit
from agent.offline_leads import LOOK_UP, leads, overlap
from agent.offline_question import Question
from agent.offline_thresholds import THRESHOLDS, Thresholds
from tools.clean import QUERY_LIMIT

READS_IN_DOUBT = 2
"""Sections read before a question is refused because a name in it was not found."""
REWORDED = 0.8
"""What a rank in the search with the specification's words counts beside one with the question's own."""
NAMES = 2
"""Names looked for on their own."""

_FALL, _AGAIN, _EXACT, _TITLE, _CALLED = 0.3, 0.4, 0.3, 0.5, 0.4
"""How a score falls with the rank; what a second search, an exact name, the title's words, and a title
that is called in the question add."""
_LAST = re.compile(r"^.*[.:]")


@dataclass(frozen=True, slots=True)
class Search:
    """Search with these words."""

    query: str


@dataclass(frozen=True, slots=True)
class Read:
    """Fetch this section."""

    sectionid: str


Step = Search | Read | None
"""None: answer now."""


def next_step(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> Step:
    """The next call, or None when it is time to answer."""
    if query := next(_queries(evidence, question), None):
        return Search(query)
    return next(_follow(evidence, question, by), None)


def _queries(evidence: Evidence, question: Question) -> Iterator[str]:
    wanted = [question.text[:QUERY_LIMIT].strip()]
    if not question.alone:
        wanted.append(question.reworded)
        if len(evidence.searches) >= len([query for query in wanted if query]):
            wanted += absent_names(evidence, question)[:NAMES]
    yield from (query for query in wanted if query and (SEARCH, query) not in evidence.tried)


def section_scores(evidence: Evidence, question: Question) -> dict[str, float]:
    """How good each section found looks, 1 for the best."""
    found: dict[str, list[tuple[Hit, float]]] = {}
    for query, hits in evidence.searches:
        weight = REWORDED if query == question.reworded else 1.0
        for hit in hits:
            found.setdefault(hit.sectionid, []).append((hit, weight))
    scores = {sectionid: _section_score(hits, question) for sectionid, hits in found.items()}
    best = max(scores.values(), default=1.0)
    return {sectionid: score / best for sectionid, score in scores.items()}


def _section_score(hits: list[tuple[Hit, float]], question: Question) -> float:
    gains = sorted((weight / (1 + _FALL * (hit.rank - 1)) for hit, weight in hits), reverse=True)
    exact = max(_EXACT * weight if hit.named else 0.0 for hit, weight in hits)
    title = hits[0][0].title
    called = _CALLED * (_LAST.sub("", title.partition(" ")[0]) in question.called)
    return gains[0] + _AGAIN * sum(gains[1:]) + exact + called + _TITLE * overlap(title, question.terms)


def _follow(evidence: Evidence, question: Question, by: Thresholds) -> Iterator[Step]:
    scores = section_scores(evidence, question)
    doubted = all_absent(evidence, question)
    most = 1 if question.alone else READS_IN_DOUBT if doubted else by.reads
    if sum(tool == FETCH for tool, _ in evidence.tried) >= most or len(evidence.tried) >= by.calls:
        return
    found = {one: score for one, score in scores.items() if score >= by.worth}
    if not question.alone and not doubted:
        for lead, worth in leads(evidence, question, sections=scores, by=by).items():
            if worth + scores.get(lead, 0.0) >= by.lead:
                found[lead] = worth + scores.get(lead, 0.0)
    for one in sorted(found, key=lambda one: (-found[one], one)):
        if one.startswith(LOOK_UP):
            if len(evidence.definitions) < by.methods and (SEARCH, one[1:]) not in evidence.tried:
                yield Search(one[1:])
        elif _untried(one, evidence):
            yield Read(one)


def _untried(sectionid: str, evidence: Evidence) -> bool:
    return sectionid not in evidence.read and (FETCH, sectionid) not in evidence.tried
