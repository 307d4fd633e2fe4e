"""From evidence to an answer: the statements that bear on the question, quoted in document order; or a
refusal.

Pure. Nothing is put into words of its own but where a quotation stands.
"""

from collections.abc import Sequence

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.offline_bearing import absent_names, bears
from agent.offline_evidence import Evidence
from agent.offline_plan import section_scores
from agent.offline_question import Question
from agent.offline_score import Scored, is_empty, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.quotes import is_meaningful
from tools.clean import one_line

MOST, MOST_OF_LONG = 6, 10
"""Statements quoted at most: more is reading the section oneself. A long question asks several things."""
LONG = 9
"""Words of its own from which a question is long."""
NEAR = 0.55
"""Part of the best statement's score from which another is quoted too."""
REPEATED = 0.2
"""Part of a word's weight that a statement loses when another one with it was chosen already."""
SAME_SECTION = 0.4
"""What a statement loses for each one chosen from its section: an answer often stands in two."""
UNRELATED = "Nothing that was found bears on the question."

_ANNEX = 1_000
"""Beyond every clause's number."""


def answer(evidence: Evidence, question: Question) -> AnswerDraft:
    """The draft: quotations, or why there are none."""
    absent = absent_names(evidence, question)
    if not bears(evidence, question):
        return AnswerDraft(refusal=_absent(absent) if absent else UNRELATED)
    chosen = choose(evidence, question)
    if not chosen:
        return AnswerDraft(refusal=UNRELATED)
    return AnswerDraft(claims=[_claim(one) for one in chosen], refusal=_absent(absent) if absent else None)


def choose(evidence: Evidence, question: Question) -> list[Statement]:
    """The statements to quote, in the order of the document."""
    found = [
        statement
        for passage in evidence.passages
        for statement in statements(passage)
        if is_meaningful(statement.text)
    ]
    sections = section_scores(evidence, question)
    if question.alone:
        return opening(found, section=max(sections, key=lambda one: (sections[one], one), default=""))
    scored = score_all(found, question, sections=sections, hits=list(evidence.hits))
    own = sum(weight == 1 for weight in question.terms.values())
    return sorted(best_of(scored, most=MOST_OF_LONG if own >= LONG else MOST), key=document_order)


def opening(found: Sequence[Statement], *, section: str) -> list[Statement]:
    """What a section defines and how it begins: two sentences and three steps, or its first statements."""
    own = [one for one in found if one.passage.clauseid == section]
    prose = [one for one in own if one.shape is Shape.SENTENCE and not is_empty(one)][:2]
    steps = [one for one in own if one.shape is Shape.STEP][:3]
    return sorted((prose + steps) or own[:3], key=lambda one: one.place)


def best_of(scored: Sequence[Scored], *, most: int) -> list[Statement]:
    """The best statement, then again and again the best of the rest, less what those chosen already say."""
    pool = sorted(scored, key=lambda one: (-one.score, one.statement.place))
    pool = [one for one in pool if one.score >= NEAR * pool[0].score]
    chosen: list[Scored] = []
    while pool and len(chosen) < most:
        best = max(pool, key=lambda one: _left(one, chosen))
        chosen.append(best)
        words = one_line(best.statement.text)
        pool = [one for one in pool if one_line(one.statement.text) != words]
    return [one.statement for one in chosen]


def _left(one: Scored, chosen: Sequence[Scored]) -> float:
    repeated = {stem for other in chosen for stem in other.held}
    near = sum(other.statement.passage.clauseid == one.statement.passage.clauseid for other in chosen)
    return (
        one.score
        - REPEATED * sum(one.held[stem] for stem in one.held.keys() & repeated)
        - SAME_SECTION * near
    )


def document_order(statement: Statement) -> tuple[tuple[tuple[int, str], ...], tuple[str, int]]:
    """By section number, the introduction before the clauses and annexes behind them, then by place."""
    parts = statement.passage.secnum.split(".") if statement.passage.secnum else []
    return tuple((int(part), "") if part.isdigit() else (_ANNEX, part) for part in parts), statement.place


def _claim(statement: Statement) -> ClaimDraft:
    parents = [parent for parent in statement.parents[-1:] if is_meaningful(parent.text)]
    quoted = [*parents, statement]
    return ClaimDraft(
        text=f"{_where(statement)}: " + " … ".join(f"“{one_line(one.text)}”" for one in quoted),
        citations=[
            CitationDraft(
                sectionid=one.passage.sectionid,
                quote=one.text,
                step=one.label if one.label[:1].isdigit() else None,
            )
            for one in quoted
        ],
    )


def _where(statement: Statement) -> str:
    passage = statement.passage
    heading = one_line(f"{passage.secnum} {passage.title}")
    # A glimpse may begin inside an algorithm: then the label lacks what stands above it.
    return f"{heading}, step {statement.label}" if statement.label[:1].isdigit() else heading


def _absent(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    listed = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
    verb, it = ("occurs", "it") if len(quoted) == 1 else ("occur", "them")
    return f"{listed} {verb} nowhere in what was found: this specification does not seem to define {it}."
