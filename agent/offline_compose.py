"""From evidence to an answer: the statements that bear on the question, quoted; or a refusal.

The section that bears most comes first; within one, quotations stand in the order of the document.

Pure. Nothing is put into words of its own but where a quotation stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import dedent, indent

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.offline_bearing import absent_names, bears, elsewhere
from agent.offline_evidence import Evidence
from agent.offline_excerpts import Excerpt, excerpt, joined
from agent.offline_leads import leads
from agent.offline_plan import section_scores
from agent.offline_question import Question
from agent.offline_score import Scored, is_announcement, is_empty, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.offline_thresholds import THRESHOLDS, Thresholds
from agent.quotes import is_meaningful
from tools.clean import one_line
from tools.results import Passage

LONG = 9
"""Words of its own from which a question is long."""
WEAK, WEAK_OF_LONG = (0.6, 0.8), (0.3, 0.5)
"""Part of what the best statement says of the question that another has to say, in its section and in
others. The parts of a long question are answered by statements that share little."""
UNRELATED = "Nothing that was found bears on the question."
UNMATCHED = "No statement of what was read matches the question closely enough to quote."

_FOREIGN = "The question is about something that this specification does not define."
_ANNEX = 1_000
"""Beyond every clause's number."""


def answer(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> AnswerDraft:
    """The draft: quotations, or why there are none."""
    absent = absent_names(evidence, question)
    if not bears(evidence, question, by):
        return _refused(absent, elsewhere(evidence, question))
    quoted = choose(evidence, question, by)
    if not quoted:
        return AnswerDraft(refusal=_unmatched(evidence), refusal_kind="not_found")
    return AnswerDraft(claims=[_claim(one) for one in quoted], refusal=_absent(absent) if absent else None)


def choose(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> list[Excerpt]:
    """What to quote, in the order in which to quote it."""
    found = {passage: statements(passage) for passage in evidence.passages}
    meant = [one for held in found.values() for one in held if is_meaningful(one.text)]
    sections = section_scores(evidence, question)
    if not question.alone:
        sections = with_leads(sections, evidence, question, by)
    if question.alone:
        best = opening(meant, section=max(sections, key=lambda one: (sections[one], one), default=""))
        return excerpts(best, found, {}, by)
    scored = score_all(meant, question, sections=sections, hits=list(evidence.hits), by=by)
    long = sum(weight == 1 for weight in question.terms.values()) >= LONG
    chosen = best_of(substantial(scored), most=by.most_of_long if long else by.most, by=by)
    if not long:
        chosen = without_neighbours(chosen, question.names)
    chosen = without_weak(chosen, least=WEAK_OF_LONG if long else WEAK)
    return excerpts(
        [one.statement for one in chosen], found, {one.statement: one.score for one in scored}, by
    )


def with_leads(
    sections: Mapping[str, float], evidence: Evidence, question: Question, by: Thresholds
) -> dict[str, float]:
    """How good each section is, those counted that were read because something good pointed to them."""
    out = dict(sections)
    for lead, worth in leads(evidence, question, sections=sections, by=by).items():
        if lead in evidence.read:
            out[lead] = min(1.0, out.get(lead, 0.0) + by.inherited * worth)
    return out


def excerpts(
    chosen: Sequence[Statement],
    found: Mapping[Passage, Sequence[Statement]],
    worth: Mapping[Statement, float],
    by: Thresholds,
) -> list[Excerpt]:
    """The statements with what is around them, the better ones first as long as there is room."""
    out: list[Excerpt] = []
    for one in chosen:
        held = next((place for place, other in enumerate(out) if other.holds(one)), None)
        if held is not None:
            out[held] = replace(out[held], decisive=(*out[held].decisive, one))
            continue
        grown = excerpt(one, found[one.passage], worth, by)
        taken = sum(len(other.text) for other in out)
        if not out or taken + len(grown.text) <= by.characters:
            beside = [other for other in out if grown.overlaps(other)]
            out = [other for other in out if other not in beside]
            out.append(joined([*beside, grown]))
    return in_order(out, worth)


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

    `Array.prototype.indexOf` shares with `Array.prototype.at` the generic words only, and
    `%TypedArray%.prototype.at` repeats it. Nothing is left out
    when nothing chosen is about the name itself, or where a statement mentions it.
    """
    asked = {name for name in names if any(_titled(one) == name for one in chosen)}
    owners = {_owner(name) for name in asked} - {""}
    members = {_member(name) for name in asked} - {""}
    return [
        one
        for one in chosen
        if not (_owner(_titled(one)) in owners or _member(_titled(one)) in members)
        or _titled(one) in names
        or any(name in one.statement.text for name in asked)
    ]


def _titled(one: Scored) -> str:
    return one.statement.passage.title.partition(" ")[0]


def _member(name: str) -> str:
    """`at` of `Array.prototype.at`; nothing of a name without an owner."""
    return name.rpartition(".")[2] if ".prototype." in name else ""


def _owner(name: str) -> str:
    """`Array.prototype` of `Array.prototype.at`, `Count` of `Count::divide`."""
    return max(name.rpartition(".")[0], name.rpartition("::")[0], key=len)


def in_order(quoted: Sequence[Excerpt], worth: Mapping[Statement, float]) -> list[Excerpt]:
    """The section of the best statement first, each section in the order of the document."""
    strength: dict[str, float] = {}
    for one in quoted:
        best = max(worth.get(said, 0.0) for said in one.decisive)
        strength[one.passage.clauseid] = max(best, strength.get(one.passage.clauseid, 0.0))
    return sorted(quoted, key=lambda one: (-strength[one.passage.clauseid], document_order(one.decisive[0])))


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


def _claim(quoted: Excerpt) -> ClaimDraft:
    """Where it stands, and the words with what is around them: cited once, at the step that decides."""
    parts = _parts(quoted)
    # The first of them: who reads on from there comes to the others.
    first = sorted(quoted.decisive, key=lambda one: one.start)
    step = next((step for one in first if (step := _step(one))), None)
    return ClaimDraft(
        text=f"{_where(quoted)}:\n" + "\n".join(_set_off(part) for part in parts),
        citations=[
            CitationDraft(sectionid=quoted.passage.sectionid, quote=part, step=step if last else None)
            for part, last in zip(parts, (*[False] * (len(parts) - 1), True), strict=True)
        ],
    )


def _parts(quoted: Excerpt) -> list[str]:
    """The excerpt in one piece with what stands right in front of it; in two where something lies
    between."""
    if not quoted.before:
        return [quoted.text]
    text = quoted.passage.text
    begin, end = quoted.before
    if text[end : quoted.start].strip():
        return [text[begin:end], quoted.text]
    return [text[begin : quoted.end]]


def _set_off(text: str) -> str:
    return indent(f"“{dedent(text)}”", "  ")


def _step(statement: Statement) -> str | None:
    # A glimpse may begin inside an algorithm: then the label lacks what stands above it.
    return statement.label if statement.label[:1].isdigit() else None


def _where(quoted: Excerpt) -> str:
    heading = one_line(f"{quoted.passage.secnum} {quoted.passage.title}")
    steps = [step for one in sorted(quoted.decisive, key=lambda one: one.start) if (step := _step(one))]
    named = f"step {steps[0]}" if len(steps) == 1 else f"steps {', '.join(steps)}"
    return f"{heading}, {named}" if steps else heading


def _refused(absent: Sequence[str], where: str) -> AnswerDraft:
    """Why nothing is quoted; which of the kinds a refusal without a name is, the program finds out."""
    if absent:
        return AnswerDraft(refusal=_absent(absent), refusal_kind="not_defined", defined_by=where or None)
    if where:
        return AnswerDraft(refusal=_FOREIGN, refusal_kind="not_defined", defined_by=where)
    return AnswerDraft(refusal=UNRELATED)


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
