"""What is wrong with a draft, in words for the model that wrote it, and which of two drafts is better.

Pure: a draft's claims and citations come in, checked. One round of repair is asked for where a quotation was
not verified, where a claim cites nothing, and where there is no answer, or one in prose without sources.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.answer import Citation, Claim, Difference, Verdict
from agent.draft import AnswerDraft
from storage.prompts import render
from tools.clean import one_line, shortened

SHOWN = 8
"""Faults that are listed: a model that has more will not mend them one by one."""
_WORDS = 300
"""Characters of a quotation that a message repeats."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft and what checking it gave."""

    draft: AnswerDraft
    prose: bool
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]

    @property
    def verified(self) -> int:
        """Quotations that stand."""
        return sum(citation.verdict is Verdict.VERIFIED for citation in self.citations)

    @property
    def empty(self) -> bool:
        """Neither answers nor refuses."""
        return not self.claims and not (self.draft.refusal or "").strip()


def complaint(checked: Checked) -> str | None:
    """What to tell the model; None when there is nothing to put right."""
    if checked.empty or (checked.prose and not checked.citations):
        return render("no-answer")
    faults = list(_faults(checked))
    if not faults:
        return None
    more = [f"- and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    return render("repair", faults="\n".join(faults[:SHOWN] + more))


def better(first: Checked, second: Checked) -> Checked:
    """The second one, unless it says nothing or verifies fewer quotations than the first.

    A refusal is no worse for quoting nothing: the model may have found that the text does not say it.
    """
    if second.empty:
        return first
    refuses = bool((second.draft.refusal or "").strip()) and not second.claims
    return second if refuses or second.verified >= first.verified else first


def _faults(checked: Checked) -> Iterator[str]:
    for citation in checked.citations:
        if citation.verdict is not Verdict.VERIFIED:
            yield _fault(citation)
    for claim in checked.claims:
        if not claim.citations:
            yield f"- the claim “{shortened(claim.text, limit=_WORDS)}” has no citation"


def _fault(citation: Citation) -> str:
    where = f"`{one_line(citation.sectionid)}`, " if citation.sectionid else ""
    line = f"- {where}“{shortened(citation.quote, limit=_WORDS)}”: {citation.note}"
    if not citation.near:
        return line
    return f"{line}\n  The text has: “{one_line(citation.near)}” ({differences_of(citation.differences)})"


def differences_of(differences: Sequence[Difference]) -> str:
    """The differing words as a phrase: `“RangeError” where the text has “TypeError”`."""
    return "; ".join(map(_difference, differences)) or "the same words"


def _difference(one: Difference) -> str:
    written, stands = one_line(one.written), one_line(one.stands)
    if not written:
        return f"“{stands}” is left out"
    return f"“{written}” where the text has “{stands}”" if stands else f"“{written}” is not in the text"
