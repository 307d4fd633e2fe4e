"""From a draft and a ledger to an answer: every quotation checked, every doubt said.

Pure but for looking sections up. What was refused quotes nothing as if it answered.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from agent.answer import (
    NEAREST_HERE,
    Answer,
    Citation,
    Claim,
    RefusalKind,
    Status,
    Step,
    Verdict,
    judge,
    marked,
)
from agent.checked import checked
from agent.claim_text import plain
from agent.claims import prose
from agent.draft import AnswerDraft
from agent.ledger import Call, Ledger
from agent.links import public_link
from agent.loop import Outcome
from agent.refusals import Refusal
from agent.verify import Sections
from storage.model import EditionRecord
from tools.clean import one_line, shortened

NO_ANSWER = "The model gave no answer."

LISTED = 8
"""Ids of sections read that a refusal names; JSON has all."""

_DEFINED = {
    RefusalKind.NOT_DEFINED: "Defined by",
    RefusalKind.NOT_IN_EDITION: "Not in this edition, but in",
}


def compose(
    question: str,
    outcome: Outcome,
    *,
    sections: Sections,
    complete: Callable[[AnswerDraft, Ledger], Refusal],
    record: EditionRecord,
    model: str,
    seconds: float,
    remarks: tuple[str, ...] = (),
) -> Answer:
    """The answer to `question` that the loop's outcome amounts to.

    `complete` says what is known about a refusal; `remarks` are notes about the model.
    """
    draft, ledger = outcome.draft, outcome.ledger
    found, bare = checked(draft, ledger, sections)
    citations = tuple(replace(one, url=_link(record, one)) for one in bare)
    claims = marked(found, citations)
    refusal = plain(draft.refusal or "")
    status = judge(claims, citations, refusal=refusal)
    if status is Status.GROUNDED and not outcome.whole:
        status = Status.PARTIAL
    if status is Status.REFUSED:
        claims, citations, refusal = (), (), refusal or NO_ANSWER
    about = complete(draft, ledger) if refusal else None
    return Answer(
        id=hashlib.sha256(question.encode()).hexdigest()[:10],
        question=question,
        edition=record.edition,
        status=status,
        text=_text(claims, citations, refusal, about, ledger),
        claims=claims,
        citations=citations,
        refusal=refusal,
        notes=(*_notes(outcome, claims, citations, record), *(about.notes if about else ()), *remarks),
        read=ledger.read,
        unfollowed=ledger.unfollowed,
        searched=ledger.searched,
        calls=ledger.admitted,
        characters=ledger.characters,
        seconds=seconds,
        model=model,
        refusal_kind=about.kind if about else None,
        nearest=tuple(replace(place, url=public_link(record, place.sectionid)) for place in about.nearest)
        if about
        else (),
        defined_by=about.defined_by if about else "",
        trace=tuple(_step(call) for call in ledger.calls),
        followed=ledger.followed,
        cut=ledger.cut,
        not_shown=ledger.not_shown,
        found_unread=ledger.found_unread,
        referred_unread=ledger.referred_unread,
    )


def _step(call: Call) -> Step:
    said = next(iter(call.text.strip().splitlines()), "")
    return Step(
        call.name, dict(call.args), call.ok, len(call.text), call.sections, shortened(said, limit=200)
    )


def _text(
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    refusal: str,
    about: Refusal | None,
    ledger: Ledger,
) -> str:
    parts = [prose(claims, citations)] if claims else []
    if refusal:
        parts.append(refusal)
    if about:
        parts += _about(about)
    if not claims:
        parts += _tried(ledger)
    return "\n\n".join(parts)


def _tried(ledger: Ledger) -> Iterator[str]:
    """What a refusal rests on."""
    if ledger.searched:
        yield "Searched for: " + "; ".join(f"“{one_line(query)}”" for query in ledger.searched)
    if whole := [sectionid for sectionid in ledger.read if sectionid not in ledger.in_part]:
        more = f" and {len(whole) - LISTED} more" if len(whole) > LISTED else ""
        yield f"Read: {', '.join(map(one_line, whole[:LISTED]))}{more}"


def _about(refused: Refusal) -> Iterator[str]:
    """Where to look instead."""
    if refused.defined_by:
        yield f"{_DEFINED[refused.kind]}: {refused.defined_by}."
    if refused.nearest:
        listed = (
            one_line(f"{place.secnum} {place.title} (`{place.sectionid}`)") for place in refused.nearest
        )
        yield f"{NEAREST_HERE}{'; '.join(listed)}."


def sample_note(record: EditionRecord) -> str:
    """What every answer from the sample says."""
    return (
        f"This speaks of the sample specification “{record.title}”, an invented language, not of ECMAScript."
    )


def _link(record: EditionRecord, citation: Citation) -> str:
    """Only to sections that exist: a model's invented id leads nowhere."""
    return public_link(record, citation.sectionid) if citation.edition else ""


def _notes(
    outcome: Outcome, claims: Sequence[Claim], citations: Sequence[Citation], record: EditionRecord
) -> tuple[str, ...]:
    notes: list[str] = []
    if record.sample:
        notes.append(sample_note(record))
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
