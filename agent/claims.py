"""Claims as prose: each with the numbers of its citations, and marked where it stands on nothing verified.

Pure. The mark goes by the verdicts alone; what is written in a claim never makes one.
"""

from collections.abc import Sequence

from agent.answer import Citation, Claim, Verdict

BARE, FAILED, MIXED = "✗ no quotation", "✗ unverified", "✗ partly verified"
"""For a claim that cites nothing, one of which every quotation failed, and one of which some did."""


def doubt(claim: Claim, citations: Sequence[Citation]) -> str:
    """The mark of a claim that a reader must not rely on; empty for a verified one."""
    if claim.verified:
        return ""
    if not claim.citations:
        return BARE
    verdicts = {citations[place].verdict for place in claim.citations if 0 <= place < len(citations)}
    return MIXED if Verdict.VERIFIED in verdicts else FAILED


def prose(claims: Sequence[Claim], citations: Sequence[Citation], *, marks: bool = True) -> str:
    """`It throws. [1]`, a paragraph a claim; `Grass is blue. (✗ no quotation)`, without marks in words
    alone."""
    return "\n\n".join(_paragraph(claim, doubt(claim, citations), marks=marks) for claim in claims)


def _paragraph(claim: Claim, doubted: str, *, marks: bool) -> str:
    mark = f"({doubted if marks else doubted[2:]})" if doubted else ""
    return " ".join(part for part in (claim.text, numbers(claim), mark) if part)


def numbers(claim: Claim) -> str:
    """`[1][3]`, counted from 1."""
    return "".join(f"[{place + 1}]" for place in claim.citations)
