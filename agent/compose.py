"""From a draft and a ledger to an answer: every quotation checked, every doubt said.

Pure but for looking sections up. What was refused quotes nothing as if it answered.
"""

import hashlib
from collections.abc import Sequence

from agent.answer import Answer, Citation, Claim, Place, RefusalKind, Status, Verdict, judge
from agent.checked import checked
from agent.loop import Outcome
from agent.verify import Sections
from storage.model import EditionRecord
from tools.clean import clean, one_line

NO_ANSWER = "The model gave no answer."


def compose(
    question: str,
    outcome: Outcome,
    *,
    sections: Sections,
    record: EditionRecord,
    model: str,
    seconds: float,
    remarks: tuple[str, ...] = (),
) -> Answer:
    """The answer to `question` that the loop's outcome amounts to; `remarks` are notes about the model."""
    draft, ledger = outcome.draft, outcome.ledger
    claims, citations = checked(draft, ledger, sections)
    refusal = clean(draft.refusal or "").strip()
    status = judge(claims, citations, refusal=refusal)
    if status is Status.REFUSED:
        claims, citations, refusal = (), (), refusal or NO_ANSWER
    return Answer(
        id=hashlib.sha256(question.encode()).hexdigest()[:10],
        question=question,
        edition=record.edition,
        status=status,
        text=_text(claims, refusal, ledger.searched),
        claims=claims,
        citations=citations,
        refusal=refusal,
        notes=(*_notes(outcome, claims, citations, record), *remarks),
        read=ledger.read,
        unfollowed=ledger.unfollowed,
        searched=ledger.searched,
        calls=ledger.admitted,
        characters=ledger.characters,
        seconds=seconds,
        model=model,
        refusal_kind=RefusalKind(draft.refusal_kind or RefusalKind.NOT_FOUND) if refusal else None,
        nearest=_nearest(draft.nearest, sections) if refusal else (),
        defined_by=one_line(draft.defined_by or "") if refusal else "",
    )


def _nearest(ids: Sequence[str], sections: Sections) -> tuple[Place, ...]:
    """Those that exist, each once: what a model invents is left out."""
    units = (sections.section(one_line(sectionid)) for sectionid in ids)
    return tuple(dict.fromkeys(Place(unit.clauseid, unit.secnum, unit.title) for unit in units if unit))


def _text(claims: Sequence[Claim], refusal: str, searched: Sequence[str]) -> str:
    parts = [f"{claim.text} {_numbers(claim)}".strip() for claim in claims]
    if refusal:
        parts.append(refusal)
    if not claims and searched:
        parts.append("Searched for: " + "; ".join(f"“{one_line(query)}”" for query in searched))
    return "\n\n".join(parts)


def _numbers(claim: Claim) -> str:
    return "".join(f"[{place + 1}]" for place in claim.citations)


def _notes(
    outcome: Outcome, claims: Sequence[Claim], citations: Sequence[Citation], record: EditionRecord
) -> tuple[str, ...]:
    notes: list[str] = []
    if record.sample:
        notes.append(
            f"This speaks of the sample specification “{record.title}”,"
            " an invented language, not of ECMAScript."
        )
    if claims and not citations:
        notes.append("The model cited nothing: none of this was checked.")
    elif bare := sum(not claim.citations for claim in claims):
        notes.append(f"{bare} of {len(claims)} claims have no citation.")
    if failed := sum(citation.verdict is not Verdict.VERIFIED for citation in citations):
        notes.append(f"{failed} of {len(citations)} quotations could not be verified.")
    if outcome.repaired:
        notes.append("The model was asked once to put its answer right.")
    if outcome.prose:
        notes.append("The model answered in prose; its citations were read out of that.")
    return (*notes, *outcome.ledger.stops)
