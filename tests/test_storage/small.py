"""A tiny edition made by hand and a small deterministic embedder: what most tests of the store rest on."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from storage.markers import join_with_markers, marker
from storage.model import (
    BreakdownRules,
    BuiltEdition,
    EditionRecord,
    EmbedderIdentity,
    Kind,
    Level,
    Name,
    NameKind,
    Page,
    Span,
    Unit,
)
from storage.names import fold
from storage.settings import Settings, load_settings
from storage.writer import write_edition

BUILT_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

ODD_ID = "sec-%odd'one`%_x"
"""Everything that a filter could trip over, in an id that HTML allows."""

TEXT = (
    "1 Types\nIf this is not an Object, return.\n"
    "1.1 ToPropertyKey ( argument )\n1. Let key be ? ToPrimitive(argument).\n2. Return the result for in.\n"
    "1.2 Odd\nIt's an odd % section.\n"
    "Afterword.\n"
)
"""One page: a section with two children and text behind them."""


class LetterEmbedder:
    """Counts letters: equal texts have equal vectors, and no text but the empty one is far from itself."""

    def __init__(self, name: str = "letters") -> None:
        self.identity = EmbedderIdentity(name=name, dimension=26, digest=digest(name))
        self.seen: list[str] = []

    def embed_documents(self, texts: list[str], /) -> list[list[float]]:
        self.seen += texts
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str, /) -> list[float]:
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        return [1.0 + text.lower().count(chr(ord("a") + place)) for place in range(26)]


class Told:
    """Progress that remembers, and interrupts where it is told to."""

    def __init__(self, *, interrupt_at: str = "") -> None:
        self.stages: list[str] = []
        self.lines: list[str] = []
        self._interrupt_at = interrupt_at

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        self.stages.append(stage)
        if stage == self._interrupt_at and done:
            raise KeyboardInterrupt

    def say(self, line: str, /) -> None:
        self.lines.append(line)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def small_edition(name: str = "es2026", *, text: str = TEXT, sample: bool = False) -> BuiltEdition:
    """A page with a section, its two children, a piece cut from one of them, and blocks."""
    page = Page("page-types", "types.html", name, "Types", text, digest(text), digest("<html>"))
    types, key, odd, after = (text.index(part) for part in ("1 Types", "1.1 ", "1.2 ", "Afterword"))
    piece = text.index("2. Return")
    units = [
        _unit(page, "page-types", Level.PAGE, Kind.PAGE, (0, len(text)), ["sec-types"], parent=None),
        _unit(page, "sec-types", Level.SECTION, Kind.CLAUSE, (types, len(text)), ["sec-key", ODD_ID]),
        _unit(page, "sec-key", Level.SECTION, Kind.CLAUSE, (key, odd), ["sec-key-p-1"], parent="sec-types"),
        _unit(page, "sec-key-p-1", Level.PIECE, Kind.PARAGRAPH, (piece, odd), [], parent="sec-key"),
        _unit(page, ODD_ID, Level.SECTION, Kind.ANNEX, (odd, after), [], parent="sec-types"),
        _block(page, "sec-types", 1, (types, key)),
        _block(page, "sec-types", 2, (after, len(text))),
        _block(page, "sec-key-p-1", 1, (piece, odd), step="2"),
    ]
    return BuiltEdition(
        edition=name,
        title="Small Specification",
        origin="small.html",
        sourcedigest=digest(text),
        sample=sample,
        rules=BreakdownRules(),
        pages=(page,),
        units=tuple(_with_text(unit, {other.unitid: other for other in units}, text) for unit in units),
        names=names(),
    )


def names() -> tuple[Name, ...]:
    def one(name: str, kind: NameKind, sectionid: str) -> Name:
        return Name(name=name, key=fold(name), kind=kind, sectionid=sectionid, start=-1)

    return (
        one("sec-types", NameKind.ID, "sec-types"),
        one("ToPropertyKey", NameKind.TITLE, "sec-key"),
        one("ToPropertyKey", NameKind.OPERATION, "sec-key"),
        one("step-return", NameKind.ANCHOR, "sec-key-p-1"),
    )


TITLES = {"sec-types": "Types", "sec-key": "ToPropertyKey ( argument )", ODD_ID: "Odd", "page-types": "Types"}
PATHS = {"sec-key": "Types > ToPropertyKey ( argument )", ODD_ID: "Types > Odd"}
NUMBERS = {"sec-types": "1", "sec-key": "1.1", "sec-key-p-1": "1.1", ODD_ID: "1.2"}


def _unit(
    page: Page,
    unitid: str,
    level: Level,
    kind: Kind,
    span: tuple[int, int],
    children: Sequence[str],
    *,
    parent: str | None = "page-types",
) -> Unit:
    clause = "sec-key" if level is Level.PIECE else unitid
    return Unit(
        unitid=unitid,
        sectionid=unitid,
        clauseid=clause,
        parentsectionid=parent,
        level=level,
        kind=kind,
        title=TITLES.get(unitid, "ToPropertyKey ( argument ) [p]"),
        titlepath=PATHS.get(unitid, "Types"),
        secnum=NUMBERS.get(unitid, ""),
        aoid="ToPropertyKey" if unitid == "sec-key" else "",
        chapter="page-types" if level is Level.PAGE else "sec-types",
        annex=kind is Kind.ANNEX,
        normative=True,
        step="",
        source=page.source,
        edition=page.edition,
        start=span[0],
        end=span[1],
        segments=(),
        subsections=tuple(children),
        text="",
        digest=page.digest,
        unitdigest=digest(page.text[slice(*span)]),
        references=("sec-types",) if unitid == "sec-key" else (),
    )


def _block(page: Page, sectionid: str, number: int, span: tuple[int, int], *, step: str = "") -> Unit:
    kind = Kind.STEP if step else Kind.PARAGRAPH
    made = _unit(page, sectionid, Level.BLOCK, kind, span, [], parent=sectionid)
    clause = "sec-key" if sectionid == "sec-key-p-1" else sectionid
    return replace(made, unitid=f"{sectionid}~{number}", clauseid=clause, step=step, segments=(Span(*span),))


def _with_text(unit: Unit, units: dict[str, Unit], text: str) -> Unit:
    """The unit with its segments and its own text, as an ingest works them out."""
    edges = [unit.start]
    for child in unit.subsections:
        edges += [units[child].start, units[child].end]
    edges.append(unit.end)
    segments = tuple(Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True))
    own = join_with_markers(
        [text[span.start : span.end] for span in segments],
        [marker(child, TITLES.get(child, "")) for child in unit.subsections],
    )
    return replace(unit, segments=segments, text=own)


def shuffled(built: BuiltEdition, seed: int) -> BuiltEdition:
    """The same edition with its rows in another order."""
    units = list(built.units)
    random.Random(seed).shuffle(units)
    return replace(built, units=tuple(units))


def settings_for(folder: Path, **named: object) -> Settings:
    """Settings of a store in `folder`, whatever the machine's environment says."""
    return load_settings(None).model_copy(update={"storage_dir": folder, "edition": None, **named})


def store(folder: Path, built: BuiltEdition, embedder: LetterEmbedder | None = None) -> EditionRecord:
    """Write the edition with the small embedder."""
    return write_edition(folder, built, embedder or LetterEmbedder(), now=lambda: BUILT_AT).record
