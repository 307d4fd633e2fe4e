"""From evidence to an answer: the statements that bear on the question, quoted; or a refusal.

Pure. Nothing is put into words of its own but where a quotation stands.
"""

from collections.abc import Sequence
from textwrap import dedent, indent

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.offline_bearing import absent_names, bears, elsewhere, unknown_ids
from agent.offline_choice import choose
from agent.offline_evidence import Evidence
from agent.offline_excerpts import Excerpt
from agent.offline_question import Question
from agent.offline_statements import Statement
from agent.offline_thresholds import THRESHOLDS, Thresholds
from tools.clean import one_line

UNRELATED = "Nothing that was found bears on the question."
UNSEEN = "Nothing of the specification was shown before it was time to answer."
UNMATCHED = "No statement of what was read matches the question closely enough to quote."

_FOREIGN = "The question is about something that this specification does not define."


def answer(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> AnswerDraft:
    """The draft: quotations, or why there are none."""
    if not evidence.searches and not evidence.passages:
        return AnswerDraft(refusal=UNSEEN, refusal_kind="not_found")
    if unknown := unknown_ids(evidence, question):
        listed = ", ".join(f"`{one}`" for one in unknown)
        return AnswerDraft(refusal=f"This edition has no section {listed}.", refusal_kind="not_found")
    absent = absent_names(evidence, question)
    if not bears(evidence, question, by):
        return _refused(absent, elsewhere(evidence, question))
    quoted = choose(evidence, question, by)
    if not quoted:
        return AnswerDraft(refusal=_unmatched(evidence), refusal_kind="not_found")
    return AnswerDraft(claims=[_claim(one) for one in quoted], refusal=_absent(absent) if absent else None)


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
