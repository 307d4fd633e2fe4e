"""Abstract trees for the cases of expansion and budget: units by name, and a library whose hits are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from storage.model import Kind, Level, Span, Unit
from storage.reading import Candidate
from tests.test_tools.fake import small
from tests.test_tools.memory import MemoryLibrary

Parts = Mapping[str, Any]
"""Name to text for a block, name to more parts for a section. Parts follow each other after one space."""

PAGE = "p.html"


@dataclass
class GivenHits(MemoryLibrary):
    """Finds what the test says, in its order, with its scores."""

    given: list[tuple[str, float]] = field(default_factory=list)

    def search(self, query: str, levels: Sequence[Level], /, *, limit: int) -> list[Candidate]:
        units = {unit.unitid: unit for unit in self.all_units}
        return [
            Candidate(one.unitid, one.clauseid, one.level, one.kind, one.start, one.end, score)
            for one, score in ((units[unitid], score) for unitid, score in self.given)
        ]


def tree(
    parts: Parts, *hits: str | tuple[str, float], changed: Mapping[str, dict[str, Any]] | None = None
) -> GivenHits:
    """A library over the tree; `changed` replaces fields of the units that it names."""
    text, units = _written(parts, parent=None, at=0)
    given = [hit if isinstance(hit, tuple) else (hit, 1.0 - rank / 100) for rank, hit in enumerate(hits)]
    altered = [replace(unit, **(changed or {}).get(unit.unitid, {})) for unit in units]
    return GivenHits({PAGE: text}, altered, small().record, given=given)


def _written(parts: Parts, *, parent: str | None, at: int) -> tuple[str, list[Unit]]:
    texts: list[str] = []
    units: list[Unit] = []
    for name, content in parts.items():
        start = at + sum(len(text) + 1 for text in texts)
        if isinstance(content, str):
            text, inside = content, list[Unit]()
        else:
            text, inside = _written(content, parent=name, at=start)
        units += [_unit(name, parent, Span(start, start + len(text)), inside), *inside]
        texts.append(text)
    return " ".join(texts), units


def _unit(name: str, parent: str | None, span: Span, inside: Sequence[Unit]) -> Unit:
    block = not inside
    owner = parent if block and parent else name
    model = small().all_units[0]
    return replace(
        model,
        unitid=name,
        sectionid=owner,
        clauseid=owner,
        parentsectionid=parent,
        level=Level.BLOCK if block else Level.SECTION,
        kind=Kind.PARAGRAPH if block else Kind.CLAUSE,
        title=name,
        titlepath=name,
        source=PAGE,
        start=span.start,
        end=span.end,
        segments=(span,),
        subsections=tuple(one.unitid for one in inside if one.parentsectionid == name and one.subsections),
    )
