"""What an answer is: claims, the citations under them, what was read, and how it is written as JSON.

Frozen values; asks nothing, verifies nothing. `agent.verify` fills in the verdicts, `agent.render` shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

NEAREST_HERE = "Nearest here: "
"""Begins the paragraph of a refusal that names the nearest sections."""
SCHEMA = "ask262/answer/1"
"""Names the JSON shape. Keys may be added under this name, never taken away or changed."""


DOCUMENTED = {"use_attribute_docstrings": True}
"""Makes the texts below the fields the descriptions of the JSON Schema; see `agent.answer_schema`."""


class Status(StrEnum):
    """How far an answer stands on quotations that were checked."""

    GROUNDED = "grounded"
    """Every claim has a verified quotation, and no quotation failed."""
    PARTIAL = "partial"
    """A claim stands on no verified quotation, a quotation failed, a part was refused, or was cut off."""
    REFUSED = "refused"
    """The question was not answered; the reason says why."""


class Verdict(StrEnum):
    """What became of looking for a quotation."""

    VERIFIED = "verified"
    """These words stand in the text that this question was shown."""
    NOT_SHOWN = "not_shown"
    """They stand in the cited section, which this question was not shown there."""
    NOT_FOUND = "not_found"
    """They stand in neither, or the cited section does not exist."""


class RefusalKind(StrEnum):
    """Why a question was not answered."""

    NOT_DEFINED = "not_defined"
    """This specification does not define what was asked; another one, or the host, may."""
    NOT_IN_EDITION = "not_in_edition"
    """Another edition defines it, and the one that was asked does not."""
    NOT_FOUND = "not_found"
    """Nothing that answers was found within the limits; that is no statement about the specification."""


@dataclass(frozen=True, slots=True)
class Place:
    """A section that exists, as a refusal points to it."""

    __pydantic_config__ = DOCUMENTED

    sectionid: str
    secnum: str
    title: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a quotation and the text part: what was written, and what stands there. Either may be empty."""

    __pydantic_config__ = DOCUMENTED

    written: str
    stands: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation and where it stands. Found ones carry the text's own words, others what the model wrote."""

    __pydantic_config__ = DOCUMENTED

    sectionid: str
    """The clause, annex or introduction."""
    secnum: str
    title: str
    edition: str
    step: str
    """The label of the step that was cited, such as `2.a.i`, where the quotation holds it; else of the one
    it begins in; empty outside algorithms."""
    quote: str
    verdict: Verdict
    piece: str = ""
    """The id of the table, grammar, cell or paragraph that was cut from the section and holds the words."""
    source: str = ""
    start: int = -1
    """Characters `[start, end)` of the canonical text of `source`; -1 when the words were not found."""
    end: int = -1
    note: str = ""
    """Why a quotation was not verified, or what was put right in the citation."""
    near: str = ""
    """What the text has that a quotation which was not found comes nearest to; empty when nothing is near."""
    differences: tuple[Difference, ...] = ()
    """Where the quotation and `near` part, in order."""
    url: str = ""
    """The section on the public page of its edition; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the answer; `citations` are places in the answer's list, counted from 0."""

    __pydantic_config__ = DOCUMENTED

    text: str
    citations: tuple[int, ...] = ()
    verified: bool = False
    """Whether it has a citation and every one of them is verified: one that failed leaves it in doubt. An
    answer sets it from the verdicts, whatever it was made or read with."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool on the way to the answer."""

    __pydantic_config__ = DOCUMENTED

    tool: str
    arguments: dict[str, Any]
    ok: bool
    """Whether it was answered; a call that was turned away or failed was not."""
    characters: int
    """Of the text that it was answered with."""
    sections: tuple[str, ...]
    """Ids of what it showed: hits in their order, sections read, children listed."""
    said: str
    """The first line of that text."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A section of which a limit left a rest unread."""

    __pydantic_config__ = DOCUMENTED

    sectionid: str
    shown: int
    """Characters of its text that this question was shown."""
    size: int
    """Characters of its whole text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that one question led to."""

    __pydantic_config__ = DOCUMENTED

    id: str
    question: str
    edition: str
    status: Status
    text: str
    """The claims as prose, each with the numbers of its citations counted from 1, and marked where it is not
    verified; or why it was refused."""
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    refusal: str
    """Why the question was not answered; empty unless it was refused."""
    notes: tuple[str, ...]
    """What a reader should know about this answer: a limit reached, claims without citation, a sample
    edition."""
    read: tuple[str, ...]
    """Sections whose text was fetched; of those in `cut` a part."""
    unfollowed: tuple[str, ...]
    """Sections that markers pointed to and that were not read."""
    searched: tuple[str, ...]
    calls: int
    characters: int
    """Of tool output shown to the model."""
    seconds: float
    model: str
    refusal_kind: RefusalKind | None = None
    """None where nothing was refused."""
    nearest: tuple[Place, ...] = ()
    """Sections of this edition that come nearest to what was refused, the nearest first."""
    defined_by: str = ""
    """What defines it instead, where that is known: `HTML`, `ECMA-402`, `the host`, or an edition's name."""
    trace: tuple[Step, ...] = ()
    """Every call in order."""
    followed: tuple[str, ...] = ()
    """Sections that markers pointed to and that were read."""
    cut: tuple[Cut, ...] = ()
    not_shown: tuple[str, ...] = ()
    """Calls that a limit turned away: what they would have shown, this question did not see."""
    found_unread: tuple[str, ...] = ()
    """Sections that searches found and that were not read."""
    referred_unread: tuple[str, ...] = ()
    """Sections that what was read refers to, that were not read, and that neither a search nor a marker led
    to."""

    def __post_init__(self) -> None:
        """Claims follow the verdicts, also after `replace` and out of a file."""
        object.__setattr__(self, "claims", marked(self.claims, self.citations))

    def _repr_html_(self) -> str:
        """For a notebook."""
        from agent.render_html import fragment

        return fragment(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape `ask262/answer/1`."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "question": self.question,
            "edition": self.edition,
            "status": str(self.status),
            "text": self.text,
            "claims": [_claim(claim) for claim in self.claims],
            "citations": [_citation(citation) for citation in self.citations],
            "refusal": self.refusal,
            "refusal_kind": self.refusal_kind and str(self.refusal_kind),
            "nearest": [_place(place) for place in self.nearest],
            "defined_by": self.defined_by,
            "notes": list(self.notes),
            "read": list(self.read),
            "unfollowed": list(self.unfollowed),
            "searched": list(self.searched),
            "calls": self.calls,
            "characters": self.characters,
            "seconds": round(self.seconds, 3),
            "model": self.model,
            "trace": [_step(step) for step in self.trace],
            "followed": list(self.followed),
            "cut": [_cut(one) for one in self.cut],
            "not_shown": list(self.not_shown),
            "found_unread": list(self.found_unread),
            "referred_unread": list(self.referred_unread),
        }


def _claim(claim: Claim) -> dict[str, Any]:
    return {"text": claim.text, "citations": list(claim.citations), "verified": claim.verified}


def _step(step: Step) -> dict[str, Any]:
    return {
        "tool": step.tool,
        "arguments": step.arguments,
        "ok": step.ok,
        "characters": step.characters,
        "sections": list(step.sections),
        "said": step.said,
    }


def _cut(cut: Cut) -> dict[str, Any]:
    return {"sectionid": cut.sectionid, "shown": cut.shown, "size": cut.size}


def _place(place: Place) -> dict[str, Any]:
    return {
        "sectionid": place.sectionid,
        "secnum": place.secnum,
        "title": place.title,
        "url": place.url,
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "sectionid": citation.sectionid,
        "secnum": citation.secnum,
        "title": citation.title,
        "edition": citation.edition,
        "step": citation.step,
        "quote": citation.quote,
        "verdict": str(citation.verdict),
        "piece": citation.piece,
        "source": citation.source,
        "start": citation.start,
        "end": citation.end,
        "note": citation.note,
        "near": citation.near,
        "differences": [{"written": one.written, "stands": one.stands} for one in citation.differences],
        "url": citation.url,
    }


def judge(claims: Sequence[Claim], citations: Sequence[Citation], *, refusal: str) -> Status:
    """The status that claims and verdicts amount to: see `Status`."""
    supported = [any(_verdicts(claim, citations)) for claim in claims]
    if not any(supported) and (refusal or not claims):
        return Status.REFUSED
    verified = all(citation.verdict is Verdict.VERIFIED for citation in citations)
    return Status.GROUNDED if all(supported) and verified and not refusal else Status.PARTIAL


def marked(claims: Sequence[Claim], citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """The claims, each with whether it is verified: see `Claim.verified`."""
    verdicts = (_verdicts(claim, citations) for claim in claims)
    return tuple(
        replace(claim, verified=bool(found) and all(found))
        for claim, found in zip(claims, verdicts, strict=True)
    )


def _verdicts(claim: Claim, citations: Sequence[Citation]) -> list[bool]:
    """Of each of its citations, whether it is verified; a place that does not exist is not."""
    return [
        0 <= place < len(citations) and citations[place].verdict is Verdict.VERIFIED
        for place in claim.citations
    ]
