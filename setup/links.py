"""Names and references of an edition, over all its pages: what leads where, and what mentions what.

Works on nodes and parts; opens no file and no store.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from setup.breakdown import Part
from setup.nodes import Anchor, Node, RenderedPage
from storage.model import Kind, Level, Name, NameKind, Span
from storage.names import fold

_SEMANTICS = re.compile(r"^(?:Static|Runtime) Semantics: (?P<name>\S+)(?:\s*\(.*)?$")
_ARGUMENTS = re.compile(r"\s+\(.*\)$|\s*\( .*\)$")
_ACCESSOR = re.compile(r"^(?:get|set) ")
_OPERATION = re.compile(r"^[A-Z]\w*(?:::\w+)?$")
_METHOD = re.compile(r"^(?:(?:get|set) )?%?[A-Za-z_]\w*%?(?:\.[\w$]+%?)*(?: ?\[ ?[@%\w.]+ ?\])?$")
_SLOT = re.compile(r"^\[\[\w+\]\]$")
_INTRINSIC = re.compile(r"^%[\w.]+%$")
_SYMBOL = re.compile(r"^(?:@@\w+|%Symbol\.\w+%)$")


class Links:
    """Built once from all pages and their parts."""

    def __init__(self, pages: Sequence[RenderedPage], parts: Sequence[Part]) -> None:
        self._pages = pages
        self._roots = parts
        self._part_of = {id(part.node): part for root in parts for part in root.walk()}
        self._called = {part.partid: part for part in self._part_of.values()}
        self._pieces = {id(part): _pieces(part) for part in self._part_of.values()}
        self._anchors = self._resolve_anchors()
        self._by_aoid = self._operations()
        self._targets = {page.source: self._resolve_references(page) for page in pages}

    # -- references ------------------------------------------------------------------------------------

    def references(self, source: str, segments: Sequence[Span], clauseid: str) -> tuple[str, ...]:
        """Ids of the sections that a text refers to, itself left out, each once, in order."""
        starts, targets = self._targets[source]
        found: dict[str, None] = {}
        for segment in segments:
            for index in range(bisect_left(starts, segment.start), bisect_left(starts, segment.end)):
                if targets[index] != clauseid:
                    found.setdefault(targets[index])
        return tuple(found)

    def _resolve_references(self, page: RenderedPage) -> tuple[list[int], list[str]]:
        resolved = []
        for reference in page.references:
            target = self._by_aoid.get(reference.target) if reference.by_aoid else None
            if target is None:
                found = self._anchors.get(reference.target)
                target = self._clause(found[1]).partid if found is not None else None
            if target is not None:
                resolved.append((reference.start, target))
        resolved.sort(key=lambda pair: pair[0])
        return [start for start, _ in resolved], [target for _, target in resolved]

    def _operations(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for part in self._sections():
            if aoid := part.node.attributes.get("aoid"):
                found.setdefault(aoid, part.partid)
        return found

    def _resolve_anchors(self) -> dict[str, tuple[Anchor, Part]]:
        """Each id, the first place where it stands, and the part that holds it."""
        found: dict[str, tuple[Anchor, Part]] = {}
        for page in self._pages:
            for anchor in page.anchors:
                if anchor.htmlid not in found:
                    found[anchor.htmlid] = anchor, self._holder(anchor)
        return found

    def _holder(self, anchor: Anchor) -> Part:
        """The smallest part that an anchor stands in."""
        part = self._part_of[id(anchor.section)]
        called = self._called.get(anchor.htmlid)
        while True:
            if called is not None and called.parent is part:
                return called
            pieces = self._pieces[id(part)]
            inner = next((p for p in pieces if p.node.start <= anchor.start < p.node.end), None)
            if inner is None:
                return part
            part = inner

    def _clause(self, part: Part) -> Part:
        while part.level is Level.PIECE and part.parent is not None:
            part = part.parent
        return part

    def _sections(self) -> Iterator[Part]:
        for root in self._roots:
            for part in root.walk():
                if part.level is Level.SECTION:
                    yield part

    # -- names -----------------------------------------------------------------------------------------

    def names(self) -> Iterator[Name]:
        """Every name under which a part can be looked up, each once."""
        seen: set[tuple[str, NameKind, str, str]] = set()
        for name in self._all_names():
            identity = (name.name, name.kind, name.sectionid, name.detail)
            if identity not in seen:
                seen.add(identity)
                yield name

    def _all_names(self) -> Iterator[Name]:
        for root in self._roots:
            for part in root.walk():
                yield _name(part.partid, NameKind.ID, part, part.node.start)
                for old in part.node.attributes.get("oldids", "").split(","):
                    if old.strip():
                        yield _name(old.strip(), NameKind.LEGACY_ID, part, part.node.start)
                if part.level is Level.SECTION:
                    yield from _section_names(part)
        for page in self._pages:
            yield from self._page_names(page)

    def _page_names(self, page: RenderedPage) -> Iterator[Name]:
        for anchor in page.anchors:
            first, holder = self._anchors[anchor.htmlid]
            if anchor is not first:
                continue
            if anchor.htmlid != holder.partid:
                kind = NameKind.LEGACY_ID if anchor.legacy else NameKind.ANCHOR
                detail = f"step {anchor.step}" if anchor.step else ""
                yield _name(anchor.htmlid, kind, holder, anchor.start, detail)
            if anchor.tag == "emu-production" and anchor.htmlid.startswith("prod-") and anchor.name:
                # An example or an annex repeats a production under another id.
                detail = "" if anchor.htmlid == f"prod-{anchor.name}" else anchor.htmlid
                yield _name(anchor.name, NameKind.NONTERMINAL, holder, anchor.start, detail)
        for definition in page.definitions:
            part = self._holder(Anchor("", "dfn", definition.section, start=definition.start))
            for term in (definition.term, *definition.variants):
                if term:
                    yield _name(term, _term_kind(term), part, definition.start)
        yield from self._row_names(page)

    def _row_names(self, page: RenderedPage) -> Iterator[Name]:
        """Slots, intrinsics and symbols that head a table's row."""
        for row in _rows(page.root):
            first = row.children[0] if row.children else None
            if first is None:
                continue
            name = page.text[first.start : first.end].strip("` ")
            kind = NameKind.SLOT if _SLOT.match(name) else _term_kind(name)
            if kind is NameKind.TERM:
                continue
            section = row
            while not section.is_section and section.parent is not None:
                section = section.parent
            part = self._holder(Anchor("", "tr", section, start=row.start))
            yield _name(name, kind, part, row.start, _caption(row))


def _pieces(part: Part) -> list[Part]:
    return [child for child in part.children if child.level is Level.PIECE]


def _rows(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.kind is Kind.ROW:
            yield child
        yield from _rows(child)


def _caption(row: Node) -> str:
    return row.parent.title if row.parent is not None else ""


def _name(name: str, kind: NameKind, part: Part, start: int, detail: str = "") -> Name:
    return Name(name=name, key=fold(name), kind=kind, sectionid=part.partid, start=start, detail=detail)


def _term_kind(term: str) -> NameKind:
    if _SYMBOL.match(term):
        return NameKind.SYMBOL
    return NameKind.INTRINSIC if _INTRINSIC.match(term) else NameKind.TERM


def _section_names(part: Part) -> Iterator[Name]:
    """What a section's heading and attributes name."""
    node, title = part.node, part.node.title
    if node.secnum:
        yield _name(node.secnum, NameKind.NUMBER, part, node.start)
    if not title:
        return
    yield _name(title, NameKind.TITLE, part, node.start)
    aoid = node.attributes.get("aoid", "")
    detail = _productions(node) if node.attributes.get("type") == "sdo" or _SEMANTICS.match(title) else ""
    if aoid:
        yield _name(aoid, NameKind.OPERATION, part, node.start, detail)
    for name, kind in _heading_names(title, node.attributes.get("type", "")):
        if name != aoid:
            yield _name(name, kind, part, node.start, detail)


def _heading_names(title: str, kind: str) -> Iterator[tuple[str, NameKind]]:
    """From headings like `Array.prototype.sort ( comparator )`, `[[Get]] ( P )`, `Static Semantics: X`."""
    semantics = _SEMANTICS.match(title)
    if semantics:
        if semantics["name"] != "Early":
            yield semantics["name"], NameKind.OPERATION
        return
    head = _ARGUMENTS.sub("", title)
    if _SLOT.match(head):
        yield head, NameKind.SLOT
    elif (head != title or "." in head or "[" in head) and kind not in ("abstract operation", "sdo"):
        if "::" in head and _OPERATION.match(head):
            yield head, NameKind.OPERATION
        elif _METHOD.match(head):
            yield head, NameKind.METHOD
            if _ACCESSOR.match(head):
                yield _ACCESSOR.sub("", head), NameKind.METHOD
    elif head != title and _OPERATION.match(head):
        yield head, NameKind.OPERATION


def _productions(node: Node) -> str:
    """The nonterminals that a syntax-directed operation is defined for here, each once, in order."""
    found: dict[str, None] = {}
    for child in node.children:
        for production in child.children if child.kind is Kind.GRAMMAR else ():
            if production.kind is Kind.PRODUCTION and production.title:
                found.setdefault(production.title)
    return ", ".join(found)
