"""A final answer that came as prose instead of through the answer tool: claims and what citations it carries.

Weak models write prose whatever they are offered. Pure text; what is found here is checked like any other
citation. Recognised: a quotation in quotation marks or behind `>`, next to a section id in backticks,
brackets or parentheses; marks such as `[1]` in the text, with the quotation and the id under that mark in a
list of sources; and, where nothing is cited at all, that something is not defined or was not found.
"""

import re
from collections.abc import Mapping

from agent.draft import AnswerDraft, CitationDraft, ClaimDraft

_FENCE = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL)
_QUOTED = re.compile(r"“(?P<curly>[^”]{8,})”|\"(?P<straight>[^\"\n]{8,})\"")
_QUOTED_LINE = re.compile(r"^\s*>\s*(?P<line>.+)$")
_ID = re.compile(r"(?<![\w-])(?:sec|prod|table|fig|eqn|annex)-[\w%.$@-]*[\w%$@]")
_SOURCE = re.compile(r"^\s*\[\^?(?P<mark>\d{1,2})\]:?\s+")
_MARK = re.compile(r"\[\^?(\d{1,2})\]")
_REFUSAL = re.compile(
    r"(?:\bnot|n't|\bnever) (?:be )?(?:defin|specif|describ|mention|cover|contain|address|found\b|find\b)"
    r"|\bno (?:information|mention|definition|such|section)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


def read_prose(text: str) -> AnswerDraft:
    """The claims of a prose answer, one a paragraph or list item; an answer written as JSON is read as
    such."""
    if written := _read_json(text):
        return written
    paragraphs = [part for part in _paragraphs(text) if part.strip()]
    sources = {found["mark"]: _citations(one) for one in paragraphs if (found := _SOURCE.match(one))}
    claims: list[ClaimDraft] = []
    for paragraph in paragraphs:
        if _is_source(paragraph, sources):
            continue
        citations = _citations(paragraph) or _marked(paragraph, sources)
        quotes_only = all(_QUOTED_LINE.match(line) for line in paragraph.splitlines())
        if quotes_only and citations and claims:
            claims[-1].citations.extend(citations)
        else:
            claims.append(ClaimDraft(text=_BULLET.sub("", paragraph).strip(), citations=citations))
    if not any(claim.citations for claim in claims) and _REFUSAL.search(text):
        return AnswerDraft(refusal=text.strip())
    return AnswerDraft(claims=claims)


def _is_source(paragraph: str, sources: Mapping[str, list[CitationDraft]]) -> bool:
    """Whether a paragraph belongs to the list of sources: a mark with an id and a quotation behind it."""
    found = _SOURCE.match(paragraph)
    return bool(found and sources[found["mark"]])


def _marked(paragraph: str, sources: Mapping[str, list[CitationDraft]]) -> list[CitationDraft]:
    """The citations under the marks that stand in a paragraph."""
    return [citation for mark in _MARK.findall(paragraph) for citation in sources.get(mark, ())]


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
        if not line.strip() or _BULLET.match(line) or _SOURCE.match(line):
            out.append("")
        out[-1] += f"\n{line}" if out[-1] else line
    return out


def _citations(paragraph: str) -> list[CitationDraft]:
    """Each quotation with the nearest section id: the one that follows it, else the one before."""
    ids = [(found.start(), found.group()) for found in _ID.finditer(paragraph)]
    if not ids:
        return []
    return [
        CitationDraft(sectionid=_nearest(place, ids), quote=quote) for place, quote in _quotations(paragraph)
    ]


def _quotations(paragraph: str) -> list[tuple[int, str]]:
    out = [
        (found.end(), (found["curly"] or found["straight"]).strip()) for found in _QUOTED.finditer(paragraph)
    ]
    place = 0
    for line in paragraph.splitlines(keepends=True):
        place += len(line)
        if quoted := _QUOTED_LINE.match(line):
            out.append((place, _ID.sub("", quoted["line"]).strip(" `()[]—–-").strip()))
    return out


def _nearest(place: int, ids: list[tuple[int, str]]) -> str:
    after = [sectionid for start, sectionid in ids if start >= place]
    return after[0] if after else ids[-1][1]
