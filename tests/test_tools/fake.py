"""A store in memory, small enough to see through: the shapes of `tools.ports` over a few sections.

`section(...)` and strings say what a page holds, in document order; spans, markers and blocks follow.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storage.markers import join_with_markers, marker
from storage.model import (
    BreakdownRules,
    EditionRecord,
    EmbedderIdentity,
    Kind,
    Level,
    Name,
    NameKind,
    Span,
    Unit,
)
from storage.names import fold, identifier_parts
from storage.reading import Candidate, Place

EDITION, SOURCE = "test-1", "page.html"


def outline_of(units: Sequence[Unit]) -> dict[str, Place]:
    """What `outline` of a reader over these units gives."""
    told = [unit for unit in units if unit.level is Level.SECTION]
    parents = {unit.parentsectionid for unit in told}
    return {
        unit.unitid: Place(
            title=unit.title,
            parent=unit.parentsectionid,
            characters=sum(map(len, unit.segments)),
            normative=unit.normative,
            childless=unit.unitid not in parents,
        )
        for unit in told
    }


@dataclass
class Section:
    """A section as a test writes it down."""

    sectionid: str
    secnum: str
    title: str
    content: tuple["Section | str", ...]
    kind: Kind = Kind.CLAUSE


def section(
    sectionid: str, secnum: str, title: str, *content: Section | str, kind: Kind = Kind.CLAUSE
) -> Section:
    """Paragraphs and child sections in document order."""
    return Section(sectionid, secnum, title, content, kind)


class Builder:
    """Renders sections into one page and its units."""

    def __init__(self, *sections: Section) -> None:
        self.text = ""
        self.units: list[Unit] = []
        segments: list[Span] = []
        at = 0
        for one in sections:
            segments.append(Span(at, len(self.text)))
            self._render(one, parent="page-page", path=(), chapter=one.sectionid, annex=False)
            at = len(self.text)
        segments.append(Span(at, len(self.text)))
        marks = [marker(one.sectionid, one.title) for one in sections]
        top = Section("page-page", "", "Page", sections, Kind.PAGE)
        where = _Where(None, "Page", "page-page", False, Level.PAGE)
        self.units.insert(0, self._unit(top, 0, segments, marks, where))

    def _render(self, one: Section, *, parent: str, path: tuple[str, ...], chapter: str, annex: bool) -> None:
        annex = annex or one.kind is Kind.ANNEX
        where = _Where(parent, " > ".join((*path, one.title)), chapter, annex, Level.SECTION)
        place, start, at, count = len(self.units), len(self.text), len(self.text), 0
        segments: list[Span] = []
        marks: list[str] = []
        self._block(one, where, f"{one.secnum} {one.title}", Kind.HEADING, 1)
        count = 1
        for part in one.content:
            self.text += "\n\n"
            if isinstance(part, str):
                count += 1
                self._block(one, where, part, Kind.PARAGRAPH, count)
                continue
            segments.append(Span(at, len(self.text)))
            marks.append(marker(part.sectionid, part.title))
            self._render(part, parent=one.sectionid, path=(*path, one.title), chapter=chapter, annex=annex)
            at = len(self.text)
        segments.append(Span(at, len(self.text)))
        self.units.insert(place, self._unit(one, start, segments, marks, where))

    def _block(self, one: Section, where: "_Where", text: str, kind: Kind, number: int) -> None:
        start = len(self.text)
        self.text += text
        block = Section(f"{one.sectionid}~{number}", one.secnum, one.title, (), kind)
        inside = _Where(one.sectionid, where.titlepath, where.chapter, where.annex, Level.BLOCK)
        self.units.append(self._unit(block, start, [Span(start, len(self.text))], [], inside))

    def _unit(
        self, one: Section, start: int, segments: list[Span], marks: list[str], where: "_Where"
    ) -> Unit:
        sectionid = one.sectionid.partition("~")[0]
        return Unit(
            unitid=one.sectionid,
            sectionid=sectionid,
            clauseid=sectionid,
            parentsectionid=where.parent,
            level=where.level,
            kind=one.kind,
            title=one.title,
            titlepath=where.titlepath,
            secnum=one.secnum,
            aoid="",
            chapter=where.chapter,
            annex=where.annex,
            normative=True,
            step="",
            source=SOURCE,
            edition=EDITION,
            start=start,
            end=len(self.text),
            segments=tuple(segments),
            subsections=tuple(part.sectionid for part in one.content if isinstance(part, Section)),
            text=join_with_markers([self.text[span.start : span.end] for span in segments], marks),
            digest="d",
            unitdigest="u",
        )


@dataclass
class _Where:
    parent: str | None
    titlepath: str
    chapter: str
    annex: bool
    level: Level


@dataclass
class FakeNames:
    """Names in document order."""

    rows: list[Name]

    def by_key(self, key: str, /) -> list[Name]:
        return [name for name in self.rows if name.key == key]

    def by_keys(self, keys: Sequence[str], /) -> list[Name]:
        return [name for name in self.rows if name.key in keys]

    def __iter__(self) -> Iterator[Name]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass
class FakeReader:
    """Ranks by shared words; `calls` counts what was read."""

    text: str
    all_units: list[Unit]
    table: FakeNames
    record: EditionRecord
    calls: list[str] = field(default_factory=list)

    def unit(self, unitid: str, /) -> Unit | None:
        return next((unit for unit in self.all_units if unit.unitid == unitid), None)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        self.calls.append("units")
        found = {unit.unitid: unit for unit in self.all_units}
        return [found[unitid] for unitid in ids if unitid in found]

    def blocks(self, sectionid: str, /) -> list[Unit]:
        return [u for u in self.all_units if u.level is Level.BLOCK and u.sectionid == sectionid]

    def slice(self, source: str, start: int, end: int, /) -> str:
        assert source == SOURCE
        return self.text[start:end]

    def names(self) -> FakeNames:
        return self.table

    def referrers(self) -> Mapping[str, int]:
        told = [unit for unit in self.all_units if unit.level in (Level.SECTION, Level.PIECE)]
        return Counter(target for unit in told for target in unit.references)

    def outline(self) -> Mapping[str, Place]:
        return outline_of(self.all_units)

    def search_text(
        self,
        query: str,
        *,
        limit: int,
        where: Mapping[str, str | bool] | None = None,
        levels: Sequence[Level] | None = None,
    ) -> list[Candidate]:
        return self._ranked(_words(query), limit, where, levels or tuple(Level))

    def search_vectors(
        self, vector: Sequence[float], *, limit: int, where: Mapping[str, str | bool] | None = None
    ) -> list[Candidate]:
        wanted = {str(number) for number in vector}
        return self._ranked(wanted, limit, where, (Level.SECTION, Level.PIECE))

    def _ranked(
        self,
        words: set[str],
        limit: int,
        where: Mapping[str, str | bool] | None,
        levels: Sequence[Level],
    ) -> list[Candidate]:
        scored = [
            (len(words & (_words(f"{unit.titlepath} {unit.text}") | _numbers(unit.text))), unit)
            for unit in self.all_units
            if unit.level in levels and all(getattr(unit, key) == v for key, v in (where or {}).items())
        ]
        best = sorted((entry for entry in scored if entry[0]), key=lambda entry: (-entry[0], entry[1].unitid))
        return [
            Candidate(u.unitid, u.clauseid, u.level, u.kind, u.start, u.end, float(score))
            for score, u in best[:limit]
        ]


class FakeEmbedder:
    """A "vector" of word lengths: enough to rank by, nothing to load."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_query(self, text: str, /) -> list[float]:
        self.asked.append(text)
        return [float(len(word)) for word in text.split()]


class BlindEmbedder:
    """Finds nothing by vector, so that a test can follow the words alone."""

    def embed_query(self, text: str, /) -> list[float]:
        return []


def _words(text: str) -> set[str]:
    return {word.strip(".,;:?!()").lower() for word in text.split()} | set(identifier_parts(text))


def _numbers(text: str) -> set[str]:
    return {str(float(len(word))) for word in text.split()}


def name(written: str, kind: NameKind, sectionid: str, *, start: int = -1, detail: str = "") -> Name:
    """A row of the name table."""
    return Name(written, fold(written), kind, sectionid, start, detail)


def reader(*sections: Section, names: Sequence[Name] = ()) -> FakeReader:
    """A reader over the sections; ids, numbers and titles are names by themselves."""
    built = Builder(*sections)
    rows = [
        name(written, kind, unit.unitid)
        for unit in built.units
        if unit.level is Level.SECTION
        for written, kind in (
            (unit.unitid, NameKind.ID),
            (unit.secnum, NameKind.NUMBER),
            (unit.title, NameKind.TITLE),
        )
        if written
    ]
    record = EditionRecord(
        edition=EDITION,
        title="A test",
        origin="nowhere",
        sourcedigest="s",
        representation="ask262-text/1",
        schema=1,
        sample=True,
        embedder=EmbedderIdentity("fake", 2, "f"),
        rules=BreakdownRules(),
        tables={},
        counts={},
        built="2026-01-01T00:00:00Z",
        build="build-1",
    )
    return FakeReader(built.text, built.units, FakeNames([*rows, *names]), record)


def small() -> FakeReader:
    """Two chapters and an annex about a garden: enough names, levels and repeated titles for most tests."""
    return reader(
        section(
            "sec-garden",
            "1",
            "The Garden",
            "A garden has beds.",
            section(
                "sec-plant",
                "1.1",
                "PlantSeed ( seed, bed )",
                "The abstract operation PlantSeed puts seed into bed.",
                "1. If bed is full, throw a RangeError exception.",
                section(
                    "sec-plant-evaluation", "1.1.1", "Runtime Semantics: Evaluation", "Seeds are counted."
                ),
                "After planting the bed is watered.",
            ),
            section(
                "sec-bed.prototype.water",
                "1.2",
                "Bed.prototype.water ( amount )",
                "1. Let litres be ToLitres(amount).",
                "2. If litres is NaN, return +0.",
            ),
        ),
        section("sec-weather", "2", "Weather", section("sec-rain", "2.1", "Rain", "Rain waters every bed.")),
        section("sec-old", "A", "Old Rules", "Legacy beds need no water.", kind=Kind.ANNEX),
        names=(
            name("PlantSeed", NameKind.OPERATION, "sec-plant"),
            name("Bed.prototype.water", NameKind.METHOD, "sec-bed.prototype.water"),
            name("Evaluation", NameKind.OPERATION, "sec-plant-evaluation", detail="Seed"),
            name("Evaluation", NameKind.OPERATION, "sec-rain", detail="Drop"),
            name("[[Water]]", NameKind.SLOT, "sec-rain"),
            name("%Bed.prototype%", NameKind.INTRINSIC, "sec-garden"),
            name("%Symbol.bloom%", NameKind.SYMBOL, "sec-garden"),
            name("Set", NameKind.OPERATION, "sec-weather"),
            name("WaterStatement", NameKind.NONTERMINAL, "sec-rain"),
            name("sec-planting", NameKind.LEGACY_ID, "sec-plant"),
            name("prod-WaterStatement", NameKind.ANCHOR, "sec-rain"),
        ),
    )
