"""A final answer that came as prose instead of through the answer tool: claims and what citations it carries.

Weak models write prose whatever they are offered. Pure text; what is found here is checked like any other
citation. Recognised: a quotation with a section named for it (`agent.prose_citations`); marks such as `[1]`
or `【1】` in the text, with the quotation and the section under that mark, or that number, in a list of
sources; and, where nothing is cited at all, that something is not defined or was not found.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft
from agent.prose_citations import SectionOf, citations, head_of, quotes_only

_FENCE = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL)
_HEADING = re.compile(
    r"[\s#>*_]*(?:sources?|references?|citations?|quotations?|evidence)(?:\s*[*_]*:[*_]*|[*_]*\s*(?=\n|\Z))"
    r"\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERS = r"\^?\d{1,2}(?:\s*,\s*\^?\d{1,2})*"
_LENS = r"【(?P<lens>\d{1,2})[^】\n]{0,60}】"
_MARK = re.compile(rf"\[(?P<square>{_NUMBERS})\]|{_LENS}")
_SOURCE = re.compile(rf"^\s*(?:[-*•]\s+)?(?:\[\^?(?P<square>\d{{1,2}})\]|{_LENS}):?\s*")
_NUMBERED = re.compile(r"^\s*(?P<number>\d{1,2})[.)]\s+")
_REFUSAL = re.compile(
    r"(?:\bnot|n't|\bnever) (?:be )?(?:defin|specif|describ|mention|cover|contain|address|found\b|find\b)"
    r"|\bno (?:information|mention|definition|such|section)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class _Source:
    """An entry in a list of sources; without a mark it supports what stands above."""

    text: str
    mark: str
    citations: list[CitationDraft]


def read_prose(text: str, *, section_of: SectionOf) -> AnswerDraft:
    """The claims of a prose answer, one a paragraph or list item; an answer written as JSON is read as
    such."""
    if written := _read_json(text):
        return written
    parts = _parts(text, section_of)
    sources = [part for part in parts if isinstance(part, _Source)]
    claims: list[ClaimDraft] = []
    for part in parts:
        if isinstance(part, _Source):
            found, said = ([] if part.mark else part.citations), ""
        else:
            found, said = citations(part, section_of) or _marked(part, sources), part
        if (not said or quotes_only(said)) and found and claims:
            claims[-1].citations.extend(found)
        elif said:
            claims.append(ClaimDraft(text=_BULLET.sub("", said).strip(), citations=found))
    return _draft(text, claims, sources)


def _draft(text: str, claims: list[ClaimDraft], sources: Sequence[_Source]) -> AnswerDraft:
    """The claims with the sources that no mark leads to; a refusal where nothing is cited."""
    if not claims:
        claims = [ClaimDraft(text=source.text, citations=source.citations) for source in sources]
    elif not any(_marked(claim.text, sources) for claim in claims):
        claims[-1].citations.extend(one for source in sources if source.mark for one in source.citations)
    if not any(claim.citations for claim in claims) and _REFUSAL.search(text):
        return AnswerDraft(refusal=text.strip())
    return AnswerDraft(claims=claims)


def _parts(text: str, section_of: SectionOf) -> list["str | _Source"]:
    """What is said and the entries of lists of sources, in order. An entry without a source is said."""
    parts: list[str | _Source] = []
    listed = False
    for paragraph in _paragraphs(text):
        heading = _HEADING.match(paragraph)
        entry = heading["rest"] if heading else paragraph
        source = _source(entry, section_of, listed=listed, said_so=heading is not None)
        listed = not entry if heading else listed and source is not None
        if source or entry:
            parts.append(source or paragraph)
    return parts


def _source(entry: str, section_of: SectionOf, *, listed: bool, said_so: bool) -> _Source | None:
    """The entry as a source: behind a mark or a heading of its own; in a list of sources as an item or behind
    a section's name."""
    inside = listed or said_so
    marked = _SOURCE.match(entry) or (_NUMBERED.match(entry) if inside else None)
    rest = entry[marked.end() :] if marked else _BULLET.sub("", entry)
    head = head_of(rest, section_of)
    if not (marked or said_so or (listed and (head or _BULLET.match(entry)))):
        return None
    found = citations(rest, section_of, head=head)
    mark = next((one for one in marked.groups() if one), "") if marked else ""
    return _Source(rest.strip(), mark, found) if found else None


def _marked(paragraph: str, sources: Sequence[_Source]) -> list[CitationDraft]:
    """The citations under the marks that stand in a paragraph."""
    marks = [
        mark
        for found in _MARK.finditer(paragraph)
        for mark in re.findall(r"\d+", found["square"] or found["lens"])
    ]
    return [
        citation
        for mark in marks
        for source in sources
        if source.mark == mark
        for citation in source.citations
    ]


def _read_json(text: str) -> AnswerDraft | None:
    fenced = _FENCE.search(text)
    candidate = fenced[1] if fenced else text.strip()
    if not candidate.startswith("{"):
        return None
    try:
        draft = AnswerDraft.model_validate_json(candidate)
    except ValueError:
        return None
    return draft if draft.claims or draft.refusal else None


def _paragraphs(text: str) -> list[str]:
    out: list[str] = [""]
    for line in text.splitlines():
        if not line.strip() or _BULLET.match(line) or _SOURCE.match(line) or _HEADING.match(line):
            out.append("")
        out[-1] += f"\n{line}" if out[-1] else line
    return [part for part in out if part.strip()]
