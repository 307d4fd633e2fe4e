"""What the offline model does next: search, read, follow, or answer. Decided from the evidence alone.

1. Search with the question; then, where the glossary has the specification's words for it, with those.
2. Search for a name that the question stands on and that nothing shown so far holds.
3. Read the best sections: found high, by more than one search, by name, with the question's words in the
   title.
4. Follow markers, and operations that the best statements call, whose names share words with the question.
5. Answer when nothing left is worth a read, or only an answer is possible.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agent.offline_bearing import absent_names
from agent.offline_evidence import FETCH, SEARCH, Evidence, Hit
from agent.offline_question import Question
from agent.offline_words import stems
from tools.clean import QUERY_LIMIT

READS = 5
"""Sections read because a search found them."""
FOLLOWED = 3
"""Sections read because something pointed to them."""
WORTH = 0.35
"""Part of the best section's score that makes another one worth reading."""
NAMES = 2
"""Names looked for on their own."""
_RANK = 4.0
_EXACT, _TITLE = 0.35, 0.5

_CALL = re.compile(r"(?<![\w.%])([A-Z][A-Za-z]+(?:::[A-Za-z]+)?)\(")


@dataclass(frozen=True, slots=True)
class Search:
    query: str


@dataclass(frozen=True, slots=True)
class Read:
    sectionid: str
    cursor: str = ""


Step = Search | Read | None
"""None: answer now."""


def next_step(evidence: Evidence, question: Question) -> Step:
    """The next call, or None when it is time to answer."""
    if query := next(_queries(evidence, question), None):
        return Search(query)
    if question.names and len(absent_names(evidence, question)) == len(question.names):
        return None
    return next(_reads(evidence, question), None)


def _queries(evidence: Evidence, question: Question) -> Iterator[str]:
    wanted = [question.text[:QUERY_LIMIT].strip()]
    if not question.alone:
        wanted.append(question.reworded)
    for query in wanted:
        if query and (SEARCH, query) not in evidence.tried:
            yield query
    if not question.alone:
        yield from (
            name for name in absent_names(evidence, question)[:NAMES] if (SEARCH, name) not in evidence.tried
        )


def section_scores(evidence: Evidence, question: Question) -> dict[str, float]:
    """How good each section found looks, 1 for the best."""
    scores: dict[str, float] = {}
    titles: dict[str, Hit] = {}
    for place, (_, hits) in enumerate(evidence.searches):
        for hit in hits:
            titles.setdefault(hit.sectionid, hit)
            weight = 1.0 if place == 0 else 0.8
            gain = weight * _RANK / (_RANK + hit.rank - 1) + (_EXACT if hit.exact and place == 0 else 0.0)
            scores[hit.sectionid] = scores.get(hit.sectionid, 0.0) + gain
    for sectionid, hit in titles.items():
        scores[sectionid] += _TITLE * _shared(hit.title, question.terms)
    best = max(scores.values(), default=1.0)
    return {sectionid: score / best for sectionid, score in scores.items()}


def _shared(title: str, terms: Mapping[str, float]) -> float:
    words = set(stems(title))
    return sum(terms.get(word, 0.0) for word in words) / (len(words) + 1) if words else 0.0


def _reads(evidence: Evidence, question: Question) -> Iterator[Read]:
    found = section_scores(evidence, question)
    order = sorted(found, key=lambda sectionid: (-found[sectionid], sectionid))
    worth = order[:1] if question.alone else [one for one in order[:READS] if found[one] >= WORTH]
    for sectionid in worth:
        if _unread(sectionid, evidence):
            yield Read(sectionid)
    if not question.alone:
        yield from _followed(evidence, question, known=frozenset(worth))


def _unread(sectionid: str, evidence: Evidence) -> bool:
    return sectionid not in evidence.read and (FETCH, sectionid) not in evidence.tried


def _followed(evidence: Evidence, question: Question, *, known: frozenset[str]) -> Iterator[Read]:
    """Markers and called operations that share the question's words, the most first."""
    done = sum(tool == FETCH for tool, _ in evidence.tried) - len(known & set(evidence.read))
    leads: dict[str, float] = {}
    for marker in evidence.markers:
        leads[marker.sectionid] = max(leads.get(marker.sectionid, 0), _shared(marker.title, question.terms))
    for passage in evidence.passages:
        if passage.clauseid in known:
            for name in _CALL.findall(passage.text):
                leads[name] = max(leads.get(name, 0), _shared(name, question.terms))
    read_titles = {
        passage.title.partition(" ")[0] for passage in evidence.passages if passage.clauseid in evidence.read
    }
    for lead in sorted(leads, key=lambda one: (-leads[one], one))[: max(0, FOLLOWED - done) + FOLLOWED]:
        if leads[lead] >= 0.3 and done < FOLLOWED and _unread(lead, evidence) and lead not in read_titles:
            yield Read(lead)
