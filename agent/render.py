"""An answer as plain text for a terminal. One function a part; nothing of it can act on a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from agent.answer import NEAREST_HERE, Answer, Citation, RefusalKind, Status, Verdict
from agent.claims import prose
from agent.repair import differences_of
from tools.clean import clean, one_line

VERDICTS = {
    Verdict.VERIFIED: "✓ verified",
    Verdict.NOT_SHOWN: "✗ not shown",
    Verdict.NOT_FOUND: "✗ not found",
}
PARTIAL = "Partial: not everything below stands on a verified quotation."
REFUSED = {
    RefusalKind.NOT_DEFINED: "Refused: this specification does not define it.",
    RefusalKind.NOT_IN_EDITION: "Refused: this edition does not have it.",
    RefusalKind.NOT_FOUND: "Refused: nothing that was found answers it.",
    None: "Refused: this is not answered from the specification.",
}
_LISTED, _UNREAD = 8, 3
"""Ids of sections read, and of what was not, before the rest is only counted; JSON has all."""
_WIDEST = 110
"""Characters of a line about what was not read; after its first entry the rest is only counted."""


def can_show_marks(encoding: str | None) -> bool:
    """Whether the check marks of the verdicts can be written in an encoding."""
    try:
        "✓✗".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def terminal(answer: Answer, *, marks: bool = True, counts: bool = True) -> str:
    """The whole answer; without marks the verdicts are words alone, without counts it ends before them."""
    parts = [headline(answer), said(answer, marks=marks)]
    parts.append("\n".join(_citations(answer, marks=marks)))
    parts.append("\n".join(facts(answer, counts=counts)))
    return clean("\n\n".join(part for part in parts if part))


def said(answer: Answer, *, marks: bool = True) -> str:
    """The claims as they stand now, and what was refused; the text where nothing was claimed."""
    if not answer.claims:
        return answer.text
    claims = prose(answer.claims, answer.citations, marks=marks)
    return "\n\n".join(part for part in (claims, _refused(answer)) if part)


def _refused(answer: Answer) -> str:
    """What the text says from the refusal on: all of it, or the rest behind claims that were answered."""
    start = answer.text.rfind(answer.refusal)
    return answer.refusal if start < 0 else answer.text[start:]


def headline(answer: Answer) -> str:
    """What a reader has to know before the rest; empty for an answer of which everything was checked."""
    if answer.status is Status.REFUSED:
        return REFUSED[answer.refusal_kind]
    return PARTIAL if answer.status is Status.PARTIAL else ""


def reasons(answer: Answer) -> list[str]:
    """A refusal's paragraphs, but for the one that a rendering with links writes itself."""
    return [part for part in _refused(answer).split("\n\n") if part and not part.startswith(NEAREST_HERE)]


def says(answer: Answer, cited: Citation) -> bool:
    """Whether the answer has said the words of a citation already, letter for letter."""
    return one_line(cited.quote) in one_line(said(answer))


def _citations(answer: Answer, *, marks: bool) -> Iterator[str]:
    """Those of which the same is to be said stand on one line, with all their numbers; words that the answer
    has just said, letter for letter, are left out."""
    alike: dict[str, list[int]] = {}
    for place, one in enumerate(answer.citations):
        # A near miss keeps a line of its own, beside what the text has.
        own = f" {place}" if one.near else ""
        alike.setdefault(f"{_where(one, marks=marks)}{own}", []).append(place)
    for places in alike.values():
        cited = {place + 1: answer.citations[place] for place in places}
        yield citation(cited, repeat=lambda one: not says(answer, one), marks=marks)


def citation(
    cited: Mapping[int, Citation], *, repeat: Callable[[Citation], bool] = bool, marks: bool = True
) -> str:
    """`[1][2] ✓ verified: 7.1.4 ToNumber ( argument ), step 2 (es2026), sec-tonumber`, and the words below.

    `cited` are citations of which the same is to be said, by their numbers; `repeat` says whose words are to
    be shown.
    """
    first = next(iter(cited.values()))
    lines = ["".join(f"[{place}]" for place in cited) + f" {_where(first, marks=marks)}"]
    for place, one in cited.items():
        number = f"[{place}] " if len(cited) > 1 else ""
        if repeat(one):
            lines.append(f'    {number}"{one_line(one.quote)}"')
        if one.near:
            lines += [f'    the text has: "{one_line(one.near)}"', f"    {differences_of(one.differences)}"]
    return "\n".join(lines)


def _where(cited: Citation, *, marks: bool) -> str:
    """A citation's verdict and place on one line, without its number."""
    step = f", step {cited.step}" if cited.step else ""
    edition = f" ({cited.edition})" if cited.edition else ""
    heading = one_line(f"{cited.secnum} {cited.title}") or "no title"
    note = f" ({cited.note})" if cited.note else ""
    section = f", {cited.sectionid}" if cited.sectionid else ""
    piece = f", piece {cited.piece}" if cited.piece else ""
    verdict = VERDICTS[cited.verdict] if marks else VERDICTS[cited.verdict][2:]
    return one_line(f"{verdict}{note}: {heading}{step}{edition}{section}{piece}")


def facts(answer: Answer, *, counts: bool = True) -> Iterator[str]:
    """What stands under an answer: notes, what was read and not, and what it took."""
    yield from (one_line(note) for note in answer.notes)
    in_part = {one.sectionid for one in answer.cut}
    whole = [sectionid for sectionid in answer.read if sectionid not in in_part]
    if whole and answer.status is not Status.REFUSED:
        yield f"Read: {_listed(whole, _LISTED)}"
    for label, entries in unread(answer).items():
        if entries:
            yield _narrow(label, entries)
    if counts:
        yield _counts(answer)


def unread(answer: Answer) -> dict[str, Sequence[str]]:
    """What this question was not shown of all that it was led to, by how it was led there."""
    cut = [f"{one.sectionid} ({one.shown:,} of {one.size:,} characters)" for one in answer.cut]
    return {
        "Read in part": cut,
        "Not shown, over a limit": answer.not_shown,
        "Markers not followed": answer.unfollowed,
        "Found, not read": answer.found_unread,
        "Referred to, not read": answer.referred_unread,
    }


def _narrow(label: str, entries: Sequence[str]) -> str:
    """As many entries as a line has room for; an entry is never cut, so that an id can be used."""
    lines = (f"{label}: {_listed(entries, most)}" for most in range(_UNREAD, 0, -1))
    return next((line for line in lines if len(line) <= _WIDEST), f"{label}: {_listed(entries, 1)}")


def _counts(answer: Answer) -> str:
    return (
        f"{_count(answer.calls, 'call')}, {_count(answer.characters, 'character')},"
        f" {answer.seconds:.1f} s, model {one_line(answer.model)}, edition {answer.edition}"
    )


def _listed(entries: Sequence[str], most: int) -> str:
    listed = ", ".join(map(one_line, entries[:most]))
    return listed if len(entries) <= most else f"{listed} and {len(entries) - most:,} more"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
