"""A draft against the ledger: claims, and each citation with its verdict. Decides nothing more."""

from collections.abc import Iterator

from agent.answer import Citation, Claim, Verdict
from agent.claim_text import implied, plain
from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.ledger import Ledger
from agent.verify import Cited, Sections, verify
from tools.clean import one_line

NEAR = 20
"""Failed quotations whose nearest words are looked for: more of them put no model right."""


def checked(
    draft: AnswerDraft, ledger: Ledger, sections: Sections
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Claims, and the list of their citations with verdicts; the same words in one place are one citation."""
    places: dict[Citation, int] = {}
    claims: list[Claim] = []
    failed = 0
    for claim in draft.claims:
        found = []
        for citation in (*claim.citations, *_implied(claim, ledger.question)):
            found.append(_verified(citation, ledger, sections, near=failed < NEAR))
            failed += found[-1].verdict is Verdict.NOT_FOUND
        numbers = dict.fromkeys(places.setdefault(citation, len(places)) for citation in found)
        text = plain(claim.text)
        if text or numbers:
            claims.append(Claim(text, tuple(numbers)))
    return tuple(claims), tuple(places)


def _implied(claim: ClaimDraft, question: str) -> Iterator[CitationDraft]:
    """What a claim quotes in its own words, as a citation of the section that it cites first."""
    for words in implied(claim, question) if claim.citations else ():
        yield CitationDraft(sectionid=claim.citations[0].sectionid, quote=words)


def _verified(draft: CitationDraft, ledger: Ledger, sections: Sections, *, near: bool) -> Citation:
    cited = Cited(
        one_line(draft.sectionid), draft.quote, (draft.step or "").strip().removeprefix("step ").rstrip(".")
    )
    return verify(cited, shown=ledger.passages, sections=sections, near=near)
