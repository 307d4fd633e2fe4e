"""From evidence to an answer: the statements that bear on the question, quoted; or a refusal.

The section that bears most comes first; within one, quotations stand in the order of the document.

Pure. Nothing is put into words of its own but where a quotation stands.
"""

from collections.abc import Sequence

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.offline_bearing import absent_names, bears
from agent.offline_branches import quoted_with
from agent.offline_evidence import Evidence
from agent.offline_plan import section_scores
from agent.offline_question import Question
from agent.offline_score import Scored, is_announcement, is_empty, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.offline_thresholds import THRESHOLDS, Thresholds
from agent.quotes import is_meaningful
from tools.clean import one_line

LONG = 9
"""Words of its own from which a question is long."""
WEAK, WEAK_OF_LONG = (0.6, 0.8), (0.3, 0.5)
"""Part of what the best statement says of the question that another has to say, in its section and in
others. The parts of a long question are answered by statements that share little."""
UNRELATED = "Nothing that was found bears on the question."
UNMATCHED = "No statement of what was read matches the question closely enough to quote."

_ANNEX = 1_000
"""Beyond every clause's number."""


def answer(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> AnswerDraft:
    """The draft: quotations, or why there are none."""
    absent = absent_names(evidence, question)
    if not bears(evidence, question, by):
        return AnswerDraft(refusal=_absent(absent) if absent else UNRELATED)
    chosen = choose(evidence, question, by)
    if not chosen:
        return AnswerDraft(refusal=_unmatched(evidence))
    return AnswerDraft(claims=_claims(chosen), refusal=_absent(absent) if absent else None)


def choose(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> list[Statement]:
    """The statements to quote, in the order in which to quote them."""
    found = [
        statement
        for passage in evidence.passages
        for statement in statements(passage)
        if is_meaningful(statement.text)
    ]
    sections = section_scores(evidence, question)
    if question.alone:
        return opening(found, section=max(sections, key=lambda one: (sections[one], one), default=""))
    scored = score_all(found, question, sections=sections, hits=list(evidence.hits), by=by)
    long = sum(weight == 1 for weight in question.terms.values()) >= LONG
    best = best_of(substantial(scored), most=by.most_of_long if long else by.most, by=by)
    if not long:
        best = without_neighbours(best, question.names)
    return in_order(without_weak(best, least=WEAK_OF_LONG if long else WEAK))


def substantial(scored: Sequence[Scored]) -> list[Scored]:
    """Without what only announces an algorithm, unless there is nothing else."""
    return [one for one in scored if not is_announcement(one.statement)] or list(scored)


def without_weak(chosen: Sequence[Scored], *, least: tuple[float, float]) -> list[Scored]:
    """Without what says far less of the question than the best: in its section, and more so elsewhere."""
    if not chosen:
        return []
    best = max(chosen, key=lambda one: one.score)
    section = best.statement.passage.clauseid
    here, elsewhere = (part * best.words for part in least)
    return [
        one
        for one in chosen
        if one.words >= (here if one.statement.passage.clauseid == section else elsewhere)
    ]


def without_neighbours(chosen: Sequence[Scored], names: Sequence[str]) -> list[Scored]:
    """Without sections about another member of what a name in a short question is a member of.

    `Array.prototype.indexOf` shares with `Array.prototype.at` the generic words only. Nothing is left out
    when nothing chosen is about the name itself, or where a statement mentions it.
    """
    asked = {name for name in names if any(_titled(one) == name for one in chosen)}
    owners = {_owner(name) for name in asked} - {""}
    return [
        one
        for one in chosen
        if _owner(_titled(one)) not in owners
        or _titled(one) in names
        or any(name in one.statement.text for name in asked)
    ]


def _titled(one: Scored) -> str:
    return one.statement.passage.title.partition(" ")[0]


def _owner(name: str) -> str:
    """`Array.prototype` of `Array.prototype.at`, `Count` of `Count::divide`."""
    return max(name.rpartition(".")[0], name.rpartition("::")[0], key=len)


def in_order(chosen: Sequence[Scored]) -> list[Statement]:
    """The section of the best statement first, each section in the order of the document."""
    strength: dict[str, float] = {}
    for one in chosen:
        section = one.statement.passage.clauseid
        strength[section] = max(one.score, strength.get(section, 0.0))
    return sorted(
        (one.statement for one in chosen),
        key=lambda one: (-strength[one.passage.clauseid], document_order(one)),
    )


def opening(found: Sequence[Statement], *, section: str) -> list[Statement]:
    """What a section defines and how it begins: two sentences and three steps, or its first statements."""
    own = [one for one in found if one.passage.clauseid == section]
    prose = [one for one in own if one.shape is Shape.SENTENCE and not is_empty(one)][:2]
    steps = [one for one in own if one.shape is Shape.STEP][:3]
    return sorted((prose + steps) or own[:3], key=lambda one: one.place)


def best_of(scored: Sequence[Scored], *, most: int, by: Thresholds = THRESHOLDS) -> list[Scored]:
    """The best statement, then again and again the best of the rest, less what those chosen already say."""
    pool = sorted(scored, key=lambda one: (-one.score, one.statement.place))
    pool = [one for one in pool if one.score >= by.near * pool[0].score]
    chosen: list[Scored] = []
    while pool and len(chosen) < most:
        best = max(pool, key=lambda one: _left(one, chosen, by))
        chosen.append(best)
        words = one_line(best.statement.text)
        pool = [one for one in pool if one_line(one.statement.text) != words]
    return chosen


def _left(one: Scored, chosen: Sequence[Scored], by: Thresholds) -> float:
    repeated = {stem for other in chosen for stem in other.held}
    near = sum(other.statement.passage.clauseid == one.statement.passage.clauseid for other in chosen)
    return (
        one.score
        - by.repeated * sum(one.held[stem] for stem in one.held.keys() & repeated)
        - by.same_section * near
    )


def document_order(statement: Statement) -> tuple[tuple[tuple[int, str], ...], tuple[str, int]]:
    """By section number, the introduction before the clauses and annexes behind them, then by place."""
    parts = statement.passage.secnum.split(".") if statement.passage.secnum else []
    return tuple((int(part), "") if part.isdigit() else (_ANNEX, part) for part in parts), statement.place


def _claims(chosen: Sequence[Statement]) -> list[ClaimDraft]:
    """One claim a statement, but none for what another one quotes already."""
    quoted = [quoted_with(one, statements(one.passage)) for one in chosen]
    return [
        _claim(one, parts)
        for place, (one, parts) in enumerate(zip(chosen, quoted, strict=True))
        if not any(_covers(other, one) for other in quoted[:place])
    ]


def _covers(parts: Sequence[Statement], one: Statement) -> bool:
    return any(
        part.passage == one.passage and part.start <= one.start and one.end <= part.end for part in parts
    )


def _claim(statement: Statement, quoted: Sequence[Statement]) -> ClaimDraft:
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


def _unmatched(evidence: Evidence) -> str:
    """What was read may well bear on the question; that it does not is more than was found out."""
    named = [f"{passage.secnum} {passage.title}".strip() for passage in evidence.passages]
    listed = "; ".join(dict.fromkeys(one_line(one) for one in named))
    return f"{UNMATCHED} What was shown: {listed}." if listed else UNMATCHED
