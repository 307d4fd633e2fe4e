"""The five proofs that nothing of a specification was lost. Pure: an assembled edition in, findings out.

1. every section element of the HTML is a unit; no id stands twice;
2. every child has exactly one marker in its parent, at the place it was cut from, and from the pages the
   markers reach every unit;
3. expanding all markers from a page gives its canonical text, byte for byte;
4. every segment of a unit's own text equals its slice of the canonical text, every child's span lies inside
   its parent's, siblings are disjoint, and blocks are disjoint and inside their owner's own text;
5. `parentsectionid` and `subsections` agree in both directions.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from storage.errors import StructureError
from storage.markers import expand, marker
from storage.model import BuiltEdition, Level, Page, Span, Unit

_CONTEXT = 60
"""Characters shown around the first difference."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken promise: which check, where, and what."""

    check: int
    unitid: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """How many things each check looked at, and what it found."""

    examined: Mapping[int, int]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether all five hold."""
        return not self.findings


TITLES = {
    1: "every section is a unit, no id twice",
    2: "one marker for each child, in its place; markers reach every unit",
    3: "expanding the markers gives each page back, byte for byte",
    4: "segments are slices, children lie inside, siblings are disjoint",
    5: "parents and children agree in both directions",
}


class _Edition:
    """An edition indexed for the checks."""

    def __init__(self, built: BuiltEdition) -> None:
        self.units = built.units
        self.tree = {u.unitid: u for u in built.units if u.level is not Level.BLOCK}
        self.pages: dict[str, Page] = {page.pageid: page for page in built.pages}
        self.text = {page.source: page.text for page in built.pages}
        self.roots = [u for u in built.units if u.level is Level.PAGE]

    def segments(self, unit: Unit) -> list[str]:
        text = self.text[unit.source]
        return [text[segment.start : segment.end] for segment in unit.segments]


def check(built: BuiltEdition, *, section_ids: Sequence[str]) -> CheckReport:
    """Run all five. `section_ids` has an entry for each section element of the HTML, empty without an id."""
    edition = _Edition(built)
    checks: dict[int, Callable[[_Edition], Iterator[Finding]]] = {
        1: lambda e: _sections(e, section_ids),
        2: _markers,
        3: _expansion,
        4: _spans,
        5: _hierarchy,
    }
    findings = tuple(finding for run in checks.values() for finding in run(edition))
    examined = {
        1: len(section_ids),
        2: sum(len(u.subsections) for u in edition.tree.values()),
        3: len(edition.roots),
        4: len(edition.units),
        5: len(edition.tree),
    }
    return CheckReport(examined, findings)


def require(report: CheckReport) -> None:
    """Raises StructureError naming the first finding and how many there are."""
    if report.findings:
        first = report.findings[0]
        raise StructureError(
            f"check {first.check} failed for {first.unitid}: {first.message} "
            f"({len(report.findings)} findings in all; nothing was stored)"
        )


def _sections(edition: _Edition, section_ids: Sequence[str]) -> Iterator[Finding]:
    for unitid, count in Counter(unit.unitid for unit in edition.units).items():
        if count > 1:
            yield Finding(1, unitid, f"{count} units have this id")
    stored = [unit.unitid for unit in edition.units if unit.level is Level.SECTION]
    for sectionid in set(section_ids) - {"", *stored}:
        yield Finding(1, sectionid, "a section of the HTML is not a unit")
    if len(stored) != len(section_ids):
        yield Finding(1, "", f"the HTML has {len(section_ids)} sections, the edition {len(stored)}")


def _markers(edition: _Edition) -> Iterator[Finding]:
    for unit in edition.tree.values():
        if len(unit.segments) != len(unit.subsections) + 1:
            yield Finding(2, unit.unitid, "markers and segments do not alternate")
            continue
        yield from _alternation(edition, unit)
        around = zip(unit.subsections, unit.segments, unit.segments[1:], strict=False)
        for child, before, after in around:
            part = edition.tree.get(child)
            if part is not None and (part.start, part.end) != (before.end, after.start):
                yield Finding(2, child, f"its marker in {unit.unitid} does not stand where it was cut out")
    yield from _unreached(edition)


def _alternation(edition: _Edition, unit: Unit) -> Iterator[Finding]:
    """The shown text is segment, marker, segment, ...: read off from left to right, nothing sought."""
    position = 0
    segments = edition.segments(unit)
    for segment, child in zip(segments, (*unit.subsections, None), strict=True):
        if not unit.text.startswith(segment, position):
            yield Finding(2, unit.unitid, _difference(segment, unit.text[position:]))
            return
        position += len(segment)
        if child is None:
            continue
        mark = next((m for m in _marks(edition, child) if unit.text.startswith(m, position)), None)
        if mark is None:
            yield Finding(2, child, f"has no marker in {unit.unitid}")
            return
        position += len(mark)


def _marks(edition: _Edition, unitid: str) -> tuple[str, ...]:
    child = edition.tree.get(unitid)
    return (marker(unitid),) if child is None else (marker(unitid, child.title), marker(unitid))


def _unreached(edition: _Edition) -> Iterator[Finding]:
    reached: set[str] = set()
    waiting = [root.unitid for root in edition.roots]
    while waiting:
        unitid = waiting.pop()
        if unitid not in reached and unitid in edition.tree:
            reached.add(unitid)
            waiting += edition.tree[unitid].subsections
    for unitid in edition.tree.keys() - reached:
        yield Finding(2, unitid, "no chain of markers leads here from any page")


def _expansion(edition: _Edition) -> Iterator[Finding]:
    def whole(unitid: str) -> str:
        unit = edition.tree[unitid]
        return expand(edition.segments(unit), unit.subsections, whole)

    for root in edition.roots:
        page = edition.pages[root.unitid]
        try:
            text = whole(root.unitid)
        except (KeyError, ValueError) as error:
            yield Finding(3, root.unitid, f"cannot be expanded: {error}")
            continue
        if text != page.text:
            yield Finding(3, root.unitid, _difference(page.text, text))


def _spans(edition: _Edition) -> Iterator[Finding]:
    for unit in edition.units:
        text = edition.text[unit.source]
        if not 0 <= unit.start <= unit.end <= len(text):
            yield Finding(4, unit.unitid, f"span {unit.start}-{unit.end} is outside its page")
        elif unit.level is Level.BLOCK and unit.text != text[unit.start : unit.end]:
            yield Finding(4, unit.unitid, _difference(text[unit.start : unit.end], unit.text))
        elif unit.level is not Level.BLOCK:
            yield from _children_inside(edition, unit)
    yield from _blocks_inside(edition)


def _children_inside(edition: _Edition, unit: Unit) -> Iterator[Finding]:
    position = unit.start
    for child in (edition.tree[c] for c in unit.subsections if c in edition.tree):
        if child.source != unit.source or not unit.span.contains(child.span):
            yield Finding(4, child.unitid, f"lies outside its parent {unit.unitid}")
        elif child.start < position:
            yield Finding(4, child.unitid, "overlaps the sibling before it")
        position = child.end


def _blocks_inside(edition: _Edition) -> Iterator[Finding]:
    last: dict[str, int] = {}
    for block in (unit for unit in edition.units if unit.level is Level.BLOCK):
        owner = edition.tree.get(block.sectionid)
        if owner is None or not any(segment.contains(block.span) for segment in owner.segments):
            yield Finding(4, block.unitid, "lies outside its owner's own text")
        if block.start < last.get(block.sectionid, 0):
            yield Finding(4, block.unitid, "overlaps the block before it")
        last[block.sectionid] = block.end


def _hierarchy(edition: _Edition) -> Iterator[Finding]:
    for unit in edition.tree.values():
        for child in unit.subsections:
            found = edition.tree.get(child)
            if found is None:
                yield Finding(5, unit.unitid, f'names a child "{child}" that is no unit')
            elif found.parentsectionid != unit.unitid:
                yield Finding(5, child, f"is a child of {unit.unitid} but says {found.parentsectionid}")
        if unit.parentsectionid is None:
            continue
        parent = edition.tree.get(unit.parentsectionid)
        if parent is None or unit.unitid not in parent.subsections:
            yield Finding(5, unit.unitid, f"its parent {unit.parentsectionid} does not name it")


def _difference(expected: str, found: str) -> str:
    place = next(
        (i for i, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b),
        min(len(expected), len(found)),
    )
    around = Span(max(place - _CONTEXT // 2, 0), place + _CONTEXT // 2)
    return (
        f"differs at character {place}: expected {expected[around.start : around.end]!r}, "
        f"found {found[around.start : around.end]!r}"
    )
