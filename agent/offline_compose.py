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
from agent.offline_score import Scored, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.quotes import is_meaningful
from tools.clean import one_line

MOST = 6
"""Statements quoted at most."""
UNRELATED = "Nothing that was found bears on the question."
NEAR = 0.6
"""Part of the best statement's score from which another is quoted too."""


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
    found = [statement for passage in evidence.passages for statement in statements(passage)]
    found = [statement for statement in found if is_meaningful(statement.text)]
    sections = section_scores(evidence, question)
    if question.alone:
        return _opening(found, sections)
    scored = sorted(
        score_all(found, question, sections=sections), key=lambda one: (-one.score, one.statement.place)
    )
    return sorted(_best(scored), key=lambda one: (-sections.get(one.passage.clauseid, 0), one.place))


def _opening(found: Sequence[Statement], sections: dict[str, float]) -> list[Statement]:
    """The first statements of the best section: what it defines and how it begins."""
    best = max(sections, key=lambda one: (sections[one], one), default="")
    own = [one for one in found if one.passage.clauseid == best]
    prose = [one for one in own if one.shape is Shape.SENTENCE][:2]
    steps = [one for one in own if one.shape is Shape.STEP][:3]
    return sorted((prose + steps) or own[:3], key=lambda one: one.place)


def _best(scored: Sequence[Scored]) -> list[Statement]:
    out: list[Statement] = []
    seen: set[str] = set()
    for one in scored:
        words = one_line(one.statement.text)
        if len(out) == MOST or one.score < NEAR * scored[0].score:
            break
        if words not in seen:
            seen.add(words)
            out.append(one.statement)
    return out


def _claim(statement: Statement) -> ClaimDraft:
    parents = [parent for parent in statement.parents[-1:] if is_meaningful(parent.text)]
    quoted = [*parents, statement]
    return ClaimDraft(
        text=f"{_where(statement)}: " + " … ".join(f"“{one_line(one.text)}”" for one in quoted),
        citations=[
            CitationDraft(sectionid=one.passage.sectionid, quote=one.text, step=one.label or None)
            for one in quoted
        ],
    )


def _where(statement: Statement) -> str:
    passage = statement.passage
    heading = one_line(f"{passage.secnum} {passage.title}")
    return f"{heading}, step {statement.label}" if statement.label else heading


def _absent(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    listed = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
    verb, it = ("occurs", "it") if len(quoted) == 1 else ("occur", "them")
    return f"{listed} {verb} nowhere in what was found: this specification does not seem to define {it}."
