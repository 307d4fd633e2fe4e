"""Whether a quotation stands in the text that this question was shown, and where.

Pure: passages, a citation as the model wrote it, and a way to look a section up come in; a citation with its
verdict goes out. The order in which a quotation is looked for:

1. in the passages of the cited section that were shown;
2. in every other passage that was shown: then the citation is put right and says so;
3. in the cited section as it is stored: `not_shown`;
4. otherwise `not_found`, and so is every citation of a section that does not exist. Where words like it were
   shown, or stand in the cited section, they are given with the differences.

A quotation never runs across a marker. What is displayed of a found one are the text's own words, not the
model's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.answer import Citation, Verdict
from agent.near import nearest
from agent.quotes import find_all, fold, is_meaningful
from storage.markers import MARKER
from storage.model import Kind, Level, Unit
from tools.clean import shortened
from tools.results import Passage


class Sections(Protocol):
    """Looks sections up; `agent.stored.Stored` over a reader, or a dictionary in a test."""

    def section(self, sectionid: str, /) -> Unit | None: ...
    def blocks(self, sectionid: str, /) -> Sequence[Unit]: ...


LONGEST, SHOWN = 20_000, 2_000
"""Characters of a quotation that is looked for, and those of a longer one that are kept to be shown."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as a model wrote it."""

    sectionid: str
    quote: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text between two markers of a passage, and where it begins in the page's canonical text."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class _Match:
    passage: Passage
    start: int
    quote: str


def verify(cited: Cited, *, shown: Sequence[Passage], sections: Sections, near: bool = True) -> Citation:
    """The citation with its verdict; see the module's text for the order in which the words are looked
    for. Without `near` no nearest words are looked for where they stand nowhere: that takes longest."""
    unit = sections.section(cited.sectionid)
    if len(cited.quote) > LONGEST:
        return _unfound(replace(cited, quote=f"{cited.quote[:SHOWN]}…"), unit, "too long for one quotation")
    if unit is None:
        missing = f"this edition has no such section: {shortened(cited.sectionid)}"
        return _near_miss(_unfound(cited, None, missing), [shown] if near else [], sections)
    if not is_meaningful(cited.quote):
        return _unfound(cited, unit, "too short to mean anything")
    own = [passage for passage in shown if unit.sectionid in (passage.sectionid, passage.clauseid)]
    other = [passage for passage in shown if passage not in own]
    if match := _best(cited, own, sections):
        return _found(match, sections, Verdict.VERIFIED, _only_heading(match), named=cited.step)
    if match := _best(cited, other, sections):
        return _found(match, sections, Verdict.VERIFIED, f"cited as {unit.sectionid}")
    stored = list(_stored(unit, sections))
    if match := _best(cited, stored, sections):
        return _found(
            match, sections, Verdict.NOT_SHOWN, "stands in the section, but this question was not shown it"
        )
    unfound = _unfound(cited, unit, "these words were not found")
    return _near_miss(unfound, [own, stored, other] if near else [], sections)


def _only_heading(match: _Match) -> str:
    heading = fold(f"{match.passage.secnum} {match.passage.title}").text
    return "the heading alone, which states nothing" if fold(match.quote).text.strip() in heading else ""


def _near_miss(unfound: Citation, places: Sequence[Sequence[Passage]], sections: Sections) -> Citation:
    """With the nearest words of the first place that has any: the cited section before the rest."""
    for passages in places:
        texts = [stretch.text for passage in passages for stretch in stretches(passage, sections)]
        if near := nearest(unfound.quote, texts):
            return replace(unfound, near=near.words, differences=near.differences)
    return unfound


def stretches(passage: Passage, sections: Sections) -> list[Stretch]:
    """The citable parts of a passage. What a marker stands for is skipped in the page as well."""
    out: list[Stretch] = []
    position, start = 0, passage.start
    for marker in MARKER.finditer(passage.text):
        out.append(Stretch(passage.text[position : marker.start()], start))
        child = sections.section(marker["id"])
        after = start + marker.start() - position
        # A marker without a child is the text's own words: prose about markers. It stays uncitable.
        start = child.end if child else after + len(marker.group())
        position = marker.end()
    out.append(Stretch(passage.text[position:], start))
    return out


def step_at(place: int, blocks: Sequence[Unit]) -> str:
    """The label of the innermost step around a character of the page, or nothing."""
    around = [block for block in blocks if block.kind is Kind.STEP and block.start <= place < block.end]
    return max(around, key=lambda block: block.start).step if around else ""


def _best(cited: Cited, passages: Sequence[Passage], sections: Sections) -> _Match | None:
    """The first match, but one at the step that the model named before any other."""
    first: _Match | None = None
    for passage in passages:
        for match in _matches(cited.quote, passage, sections):
            if not cited.step or _step(match, sections) == cited.step:
                return match
            first = first or match
    return first


def _matches(quote: str, passage: Passage, sections: Sections) -> Iterator[_Match]:
    for stretch in stretches(passage, sections):
        for start, end in find_all(quote, fold(stretch.text)):
            yield _Match(passage, stretch.start + start, stretch.text[start:end])


def _stored(unit: Unit, sections: Sections) -> Iterator[Passage]:
    """The section as it is kept, and the pieces that were cut from it."""
    yield Passage(
        edition=unit.edition, sectionid=unit.sectionid, clauseid=unit.clauseid, secnum=unit.secnum,
        title=unit.title, source=unit.source, start=unit.start, end=unit.end, text=unit.text,
    )  # fmt: skip
    for child in unit.subsections:
        piece = sections.section(child)
        if piece is not None and piece.level is Level.PIECE:
            yield from _stored(piece, sections)


def _found(match: _Match, sections: Sections, verdict: Verdict, note: str, *, named: str = "") -> Citation:
    passage, holder = match.passage, _holder(match, sections)
    end = match.start + len(match.quote)
    held = {block.step for block in sections.blocks(holder) if match.start <= block.start < end}
    return Citation(
        sectionid=passage.clauseid,
        secnum=passage.secnum,
        title=passage.title,
        edition=passage.edition,
        step=named if named and named in held else _step(match, sections),
        quote=match.quote,
        verdict=verdict,
        piece=holder if holder != passage.clauseid else "",
        source=passage.source,
        start=match.start,
        end=match.start + len(match.quote),
        note=note,
    )


def _step(match: _Match, sections: Sections) -> str:
    return step_at(match.start, sections.blocks(_holder(match, sections)))


def _holder(match: _Match, sections: Sections) -> str:
    """The section or piece whose own text holds the words.

    A passage of a section may show one of its pieces.
    """
    holder, place = match.passage.sectionid, match.start
    unit = sections.section(holder)
    while unit is not None and not any(own.start <= place < own.end for own in unit.segments):
        children = (sections.section(child) for child in unit.subsections)
        unit = next((child for child in children if child and child.start <= place < child.end), None)
        holder = unit.sectionid if unit and unit.level is Level.PIECE else holder
    return holder


def _unfound(cited: Cited, unit: Unit | None, note: str) -> Citation:
    return Citation(
        sectionid=unit.clauseid if unit else "",  # an id that leads nowhere is said, not cited
        secnum=unit.secnum if unit else "",
        title=unit.title if unit else "",
        edition=unit.edition if unit else "",
        step=cited.step,
        quote=cited.quote,
        verdict=Verdict.NOT_FOUND,
        note=note,
    )
