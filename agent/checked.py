"""A draft against the ledger: claims, and each citation with its verdict. Decides nothing more."""

from agent.answer import Citation, Claim
from agent.draft import AnswerDraft, CitationDraft
from agent.ledger import Ledger
from agent.verify import Cited, Sections, verify
from tools.clean import clean, one_line


def checked(
    draft: AnswerDraft, ledger: Ledger, sections: Sections
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Claims, and the list of their citations with verdicts; the same words in one place are one citation."""
    places: dict[Citation, int] = {}
    claims: list[Claim] = []
    for claim in draft.claims:
        found = [_verified(citation, ledger, sections) for citation in claim.citations]
        numbers = dict.fromkeys(places.setdefault(citation, len(places)) for citation in found)
        text = clean(claim.text).strip()
        if text or numbers:
            claims.append(Claim(text, tuple(numbers)))
    return tuple(claims), tuple(places)


def _verified(draft: CitationDraft, ledger: Ledger, sections: Sections) -> Citation:
    cited = Cited(
        one_line(draft.sectionid), draft.quote, (draft.step or "").strip().removeprefix("step ").rstrip(".")
    )
    return verify(cited, shown=ledger.passages, sections=sections)
