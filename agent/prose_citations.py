"""Quotations in prose, each with the section that is named for it.

Pure text, but for asking whether a name is a section of the edition. A name is taken for a source where it

* begins as ids of sections do (`sec-…`) or is a labelled number (`§ 7.1.4`, `section 7.1.4`): anywhere in the
  paragraph;
* is a section's id, number or name of another shape: only right behind a quotation (`"…" (await)`,
  `"…" — String.prototype.trimleft`), or right before one (`7.1.4: "…"`). Elsewhere `await` is a word.

In backticks stand quotations and code alike: such a quotation must read like prose and have its source beside
it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent.draft import CitationDraft

SectionOf = Callable[[str], str]
"""The id of the edition's section of this id, number or name; empty where there is none."""

LEAST = 8
"""Characters of a quotation; shorter ones are words that are spoken of."""
_WORDS = 3
"""Words of a quotation whose source is no plain id: `"undefined" (await)` speaks of both. In backticks and
single quotation marks, which also mark code, they are plain words."""
_AROUND = 160
"""Characters before a quotation in which its source is looked for."""

_ID = r"(?<![\w-])(?:sec|prod|table|fig|eqn|annex)-[\w%.$@-]*[\w%$@]"
ID = re.compile(_ID)
_NUMBER = r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*"
_LABEL = r"(?:§+\s*|\b(?i:sections?|clause|annex|sec\.)\s+§?\s*)"
_LABELLED = re.compile(rf"{_LABEL}(?P<number>{_NUMBER})(?![\w.]*\w)")
_NAME = rf"(?P<label>{_LABEL})?`?(?P<name>%?[A-Za-z_][\w%$@]*(?:[-.][\w%$@]+)*|\d{{1,3}}(?:\.\d{{1,3}})*)`?"
_BEHIND = re.compile(
    rf"[.,;:]?\s*(?:(?P<dash>[—–-]+)\s*)?(?:(?:in|from|at|see)\s+)?(?P<open>[(\[])?\s*(?:(?:in|from|see|cf\.)\s+)?{_NAME}"
    r"(?=(?P<end>\s*[)\],;]|\.?\s*$)|[^\w])",
    re.MULTILINE,
)
_BEFORE = re.compile(
    rf"(?P<head>^\s*(?:(?:[-*•]|\d+[.)])\s+)?(?:(?:In|From|See|Per)\s+)?)?(?<![\w%.-]){_NAME}[)\]]?"
    r"(?:,?\s*step\s+[\w.]+)?,?\s*(?P<join>[:—–-]|\b(?:says|states|reads)(?:\s+that)?:?)?\s*$",
    re.MULTILINE,
)
_SPAN = re.compile(
    r"“(?P<curly>[^”]{1,3000})”|\"(?P<straight>[^\"\n]+)\"|«(?P<angle>[^«»]+)»|`(?P<code>[^`\n]+)`"
    r"|‘(?P<high>(?:[^’\n]|’(?=\w))+)’|(?<![\w'])'(?P<single>(?=\S)(?:[^'\n]|(?<=\w)'(?=\w))+)'(?![\w'])"
)
_QUOTED_LINE = re.compile(r"^\s*>\s*(?P<line>.+)$")
_WORD = re.compile(r"[A-Za-z][a-z]*[.,;:]?")


@dataclass(frozen=True, slots=True)
class _Quotation:
    text: str
    start: int
    end: int
    code: bool = False
    """In backticks."""


def citations(paragraph: str, section_of: SectionOf, *, head: str = "") -> list[CitationDraft]:
    """Each quotation of a paragraph that has a source; `head` is the one of all that have none of their own.

    Its source is the section named right behind it, else right before it, else the next one that is named,
    else the last one.
    """
    named = _named(paragraph, section_of)
    out = []
    for quotation in _quotations(paragraph):
        source = _beside(quotation, paragraph, section_of)
        if not source and not quotation.code:
            source = _nearest(quotation.end, named)
        if source or head:
            out.append(CitationDraft(sectionid=source or head, quote=quotation.text))
    return out


def head_of(entry: str, section_of: SectionOf) -> str:
    """The section that an entry in a list of sources begins with: `await — "…"`, `1.1 PlantSeed: "…"`."""
    first = next(_quotations(entry), None)
    before = (entry[: first.start] if first else entry).strip(" \t\n`*—–-:,;([)]")
    name = re.match(rf"{_NAME}", before)
    if name is None:
        return ""
    marked = name.end() == len(before) or "." in name["name"]
    return name["name"] if _means(name, section_of, marked=marked) else ""


def quotes_only(paragraph: str) -> bool:
    """Whether a paragraph is nothing but quoted lines."""
    return all(_QUOTED_LINE.match(line) for line in paragraph.splitlines())


def _named(paragraph: str, section_of: SectionOf) -> list[tuple[int, str]]:
    ids = [(found.start(), found.group()) for found in ID.finditer(paragraph)]
    numbers = [(found.start(), found["number"]) for found in _LABELLED.finditer(paragraph)]
    return sorted([*ids, *((at, number) for at, number in numbers if section_of(number))])


def _nearest(place: int, named: list[tuple[int, str]]) -> str:
    if not named:
        return ""
    return next((sectionid for start, sectionid in named if start >= place), named[-1][1])


def _beside(quotation: _Quotation, paragraph: str, section_of: SectionOf) -> str:
    """The section named right behind a quotation, or right before it."""
    if len(quotation.text.split()) < _WORDS:
        return ""
    behind = _BEHIND.match(paragraph, quotation.end)
    if behind and _means(behind, section_of, marked=_closed(behind)):
        return behind["name"]
    before = _BEFORE.search(paragraph, max(0, quotation.start - _AROUND), quotation.start)
    if before and _means(before, section_of, marked=before["head"] is not None and bool(before["join"])):
        return before["name"]
    return ""


def _closed(behind: re.Match[str]) -> bool:
    """Whether a name behind a quotation stands there for itself: in brackets, or last behind a dash."""
    return behind["end"] is not None and bool(behind["open"] or behind["dash"])


def _means(found: re.Match[str], section_of: SectionOf, *, marked: bool) -> bool:
    """Whether a name beside a quotation is its source; a plain word or number only where it is `marked`."""
    name = found["name"]
    if ID.fullmatch(name):
        return True
    telling = bool(found["label"]) or bool(re.search(r"[-.%]", name) and not name[0].isdigit())
    if not telling and re.fullmatch(r"[A-Za-z][a-z]*", name):  # `Type` is a name and a word, `await` an id
        return marked and section_of(name) == name
    return (telling or marked) and bool(section_of(name))


def _quotations(paragraph: str) -> Iterator[_Quotation]:
    spans = [(found, str(found[found.lastgroup or 0]).strip()) for found in _SPAN.finditer(paragraph)]
    for found, text in spans:
        doubtful = found.lastgroup in ("code", "single", "high")
        if len(text) >= LEAST and not ID.fullmatch(text) and (not doubtful or _reads_as_prose(text)):
            yield _Quotation(text, found.start(), found.end(), code=found.lastgroup == "code")
    place = 0
    for line in paragraph.splitlines(keepends=True):
        start, place = place, place + len(line)
        quoted = _QUOTED_LINE.match(line)
        if quoted and not any(start <= one.start() < place and one.lastgroup != "code" for one, _ in spans):
            yield _quoted_line(quoted, start)


def _quoted_line(quoted: re.Match[str], start: int) -> _Quotation:
    """A quoted line without the source at its end."""
    text = re.sub(rf"(?:\s+|\s*[—–-]+\s*)[(\[]\s*{_NAME}\s*[)\]]\s*$", "", ID.sub("", quoted["line"]))
    kept = text.strip(" `()[]—–-").strip()
    at = quoted.string.find(kept)
    return _Quotation(kept, start + at, start + at + len(kept))


def _reads_as_prose(text: str) -> bool:
    words = text.split()
    plain = sum(bool(_WORD.fullmatch(word)) for word in words)
    return plain >= _WORDS and 2 * plain >= len(words)
