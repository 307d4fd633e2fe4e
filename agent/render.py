"""An answer as plain text for a terminal. One function a part; nothing of it can act on a terminal."""

from collections.abc import Iterator, Sequence

from agent.answer import Answer, Citation, Verdict
from tools.clean import clean, one_line

_VERDICTS = {
    Verdict.VERIFIED: "✓ verified",
    Verdict.NOT_SHOWN: "✗ not shown",
    Verdict.NOT_FOUND: "✗ not found",
}
_STATUS = {
    "partial": "Partial: not everything below stands on a verified quotation.",
    "refused": "Refused: this is not answered from the specification.",
}
_LISTED = 8
"""Ids listed in one line before the rest is only counted."""


def terminal(answer: Answer) -> str:
    """The whole answer."""
    parts = [_STATUS.get(answer.status, ""), answer.text]
    parts.append("\n".join(citation(place, one) for place, one in enumerate(answer.citations, start=1)))
    parts.append("\n".join(facts(answer)))
    return clean("\n\n".join(part for part in parts if part))


def citation(place: int, cited: Citation) -> str:
    """`[1] 7.1.4 ToNumber ( argument ), step 2 (es2026) "…" ✓ verified`, and its id below."""
    step = f", step {cited.step}" if cited.step else ""
    edition = f" ({cited.edition})" if cited.edition else ""
    heading = one_line(f"{cited.secnum} {cited.title}") or one_line(cited.sectionid)
    note = f" ({cited.note})" if cited.note else ""
    quoted = f'"{one_line(cited.quote)}" {_VERDICTS[cited.verdict]}{note}'
    where = one_line(cited.piece or cited.sectionid)
    return f"[{place}] {heading}{one_line(step)}{edition} {quoted}\n    {where}"


def facts(answer: Answer) -> Iterator[str]:
    """What stands under an answer: notes, what was read and not, and what it took."""
    yield from (one_line(note) for note in answer.notes)
    if answer.read:
        yield f"Read: {_ids(answer.read)}"
    if answer.unfollowed:
        yield f"Markers not followed: {_ids(answer.unfollowed)}"
    yield (
        f"{_count(answer.calls, 'call')}, {_count(answer.characters, 'character')},"
        f" {answer.seconds:.1f} s, model {one_line(answer.model)}, edition {answer.edition}"
    )


def _ids(ids: Sequence[str]) -> str:
    listed = ", ".join(one_line(sectionid) for sectionid in ids[:_LISTED])
    return listed if len(ids) <= _LISTED else f"{listed} and {len(ids) - _LISTED} more"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
