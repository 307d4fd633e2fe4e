"""Rendered pages in, one edition out: pages, units and names, ready to be embedded and stored.

Ids are resolved here, over all pages of the edition at once. Two sections with one id are an error that names
both places; any other element's repeated id leads to the first, as in a browser. Opens no file and no store.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from setup.blocks import blocks
from setup.breakdown import Breakdown, Part
from setup.links import Links
from setup.nodes import Node, RenderedPage
from storage.errors import StructureError
from storage.markers import join_with_markers, marker
from storage.model import (
    BreakdownRules,
    BuiltEdition,
    Kind,
    Level,
    Page,
    Span,
    Unit,
)

TOO_DEEP = "(Content exceeds threshold - max depth reached)"
"""What a part says that is still over the threshold at the depth limit. Generated, never citable."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A rendered page with the digest of the HTML that it came from."""

    page: RenderedPage
    sourcedigest: str


@dataclass(frozen=True, slots=True)
class Assembled:
    """An edition and the parts behind it, which the proofs and the summary look at."""

    built: BuiltEdition
    parts: tuple[Part, ...]
    """One for each page, with everything below it."""


def digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def assemble(
    texts: Sequence[SourceText],
    *,
    edition: str,
    title: str,
    origin: str,
    sample: bool,
    rules: BreakdownRules,
) -> Assembled:
    """Units, pages and names of an edition.

    Raises StructureError where two sections, or a section and another unit, claim one id.
    """
    _refuse_doubled_sections(texts)
    breakdown = Breakdown(rules, (anchor.htmlid for text in texts for anchor in text.page.anchors))
    parts = [breakdown.page(text.page.root, f"page-{_stem(text.page.source)}") for text in texts]
    links = Links([text.page for text in texts], parts)
    pages = tuple(_page(text, part, edition) for text, part in zip(texts, parts, strict=True))
    units = tuple(
        unit
        for text, part, page in zip(texts, parts, pages, strict=True)
        for unit in _units(part, text.page, page, links)
    )
    built = BuiltEdition(
        edition=edition,
        title=title,
        origin=origin,
        sourcedigest=digest("\n".join(f"{t.page.source} {t.sourcedigest}" for t in texts)),
        sample=sample,
        rules=rules,
        pages=pages,
        units=units,
        names=tuple(links.names()),
    )
    return Assembled(built, tuple(parts))


def _stem(source: str) -> str:
    return source.rsplit("/", 1)[-1].rsplit(".", 1)[0] or "page"


def _refuse_doubled_sections(texts: Sequence[SourceText]) -> None:
    seen: dict[str, tuple[str, str]] = {}
    for text in texts:
        for node in _sections(text.page.root):
            if not node.htmlid:
                continue
            here = (text.page.source, node.title or "no heading")
            if node.htmlid in seen:
                first = seen[node.htmlid]
                raise StructureError(
                    f'two sections have the id "{node.htmlid}": "{first[1]}" in {first[0]} and '
                    f'"{here[1]}" in {here[0]}; remove one of them from the source'
                )
            seen[node.htmlid] = here


def _sections(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.is_section:
            yield child
        yield from _sections(child)


def _page(text: SourceText, part: Part, edition: str) -> Page:
    page = text.page
    only = part.children[0].title if len(part.children) == 1 else ""
    return Page(
        pageid=part.partid,
        source=page.source,
        edition=edition,
        title=only or page.title or part.partid,
        text=page.text,
        digest=digest(page.text),
        sourcedigest=text.sourcedigest,
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """What a part hands down to everything below it."""

    clause: Part
    secnum: str
    titlepath: str
    chapter: str
    annex: bool
    normative: bool


def _units(root: Part, rendered: RenderedPage, page: Page, links: Links) -> Iterator[Unit]:
    top = _Context(root, "", "", root.partid, False, True)
    yield from _below(root, top, rendered, page, links)


def _below(part: Part, outer: _Context, rendered: RenderedPage, page: Page, links: Links) -> Iterator[Unit]:
    context = _context(part, outer)
    yield _unit(part, context, page, links)
    yield from _block_units(part, context, page, links)
    for child in part.children:
        yield from _below(child, context, rendered, page, links)


def _context(part: Part, outer: _Context) -> _Context:
    node = part.node
    if part.level is Level.PAGE:
        return outer
    step = part.title or (part.partid if part.level is Level.SECTION else _piece_step(part))
    titlepath = f"{outer.titlepath} > {step}" if outer.titlepath else step
    if part.level is Level.PIECE:
        return _Context(outer.clause, outer.secnum, titlepath, outer.chapter, outer.annex, outer.normative)
    outermost = outer.clause.level is Level.PAGE
    annex = outer.annex or node.kind is Kind.ANNEX
    normative = outer.normative and not node.informative
    if outermost:
        normative = not node.informative and node.kind is not Kind.INTRO
    return _Context(
        part, node.secnum, titlepath, part.partid if outermost else outer.chapter, annex, normative
    )


def _piece_step(part: Part) -> str:
    """A piece's place on the heading path: for a table cell, its row's first cell and its column's header."""
    if part.node.kind is Kind.CELL:
        return " / ".join(filter(None, cell_ties(part.node))) or "[td]"
    return f"[{part.node.tag}]"


def cell_ties(cell: Node) -> tuple[str, str]:
    """The first cell of a cell's row and the header of its column; empty where there is none."""
    row = cell.parent
    if row is None or row.kind is not Kind.ROW or row.parent is None:
        return "", ""
    first = next((other for other in row.children if other.kind is Kind.CELL), None)
    headers = [other for other in row.parent.children if other.kind is Kind.ROW and other.label == "header"]
    header = next((other for top in headers for other in top.children if other.label == cell.label), None)
    return (
        first.title if first is not None and first is not cell else "",
        header.title if header is not None else "",
    )


def _title(part: Part, page: Page) -> str:
    if part.level is Level.PAGE:
        return page.title
    if part.title:
        return part.title
    if part.level is Level.SECTION or part.parent is None:
        return part.partid
    return f"{_title(part.parent, page)} [{part.node.tag}]"


def _unit(part: Part, context: _Context, page: Page, links: Links) -> Unit:
    node = part.node
    segments = tuple(part.segments)
    return Unit(
        unitid=part.partid,
        sectionid=part.partid,
        clauseid=context.clause.partid,
        parentsectionid=part.parent.partid if part.parent else None,
        level=part.level,
        kind=node.kind,
        title=_title(part, page),
        titlepath=context.titlepath or page.title,
        secnum=context.secnum,
        aoid=node.attributes.get("aoid", ""),
        chapter=context.chapter,
        annex=context.annex,
        normative=context.normative,
        step="",
        source=page.source,
        edition=page.edition,
        start=node.start,
        end=node.end,
        segments=segments,
        subsections=tuple(child.partid for child in part.children),
        text=_display(part, page.text, segments),
        digest=page.digest,
        unitdigest=digest(page.text[node.start : node.end]),
        references=links.references(page.source, segments, context.clause.partid),
    )


def _display(part: Part, text: str, segments: Sequence[Span]) -> str:
    """Own text with a marker at each child's place; says so where the depth limit kept it long."""
    own = join_with_markers(
        [text[segment.start : segment.end] for segment in segments],
        [marker(child.partid, child.title) for child in part.children],
    )
    return f"{own}\n\n{TOO_DEEP}" if part.too_deep else own


def _block_units(part: Part, context: _Context, page: Page, links: Links) -> Iterator[Unit]:
    for number, (span, node) in enumerate(blocks(part, page.text), start=1):
        caption = _caption_above(node, part)
        path = context.titlepath or page.title
        text = page.text[span.start : span.end]
        yield Unit(
            unitid=f"{part.partid}~{number}",
            sectionid=part.partid,
            clauseid=context.clause.partid,
            parentsectionid=part.partid,
            level=Level.BLOCK,
            kind=Kind.PARAGRAPH if node is part.node and part.level is not Level.PIECE else node.kind,
            title=_title(part, page),
            titlepath=f"{path} > {caption}" if caption else path,
            secnum=context.secnum,
            aoid="",
            chapter=context.chapter,
            annex=context.annex,
            normative=context.normative and node.kind not in (Kind.NOTE, Kind.EXAMPLE),
            step=node.label if node.kind is Kind.STEP else "",
            source=page.source,
            edition=page.edition,
            start=span.start,
            end=span.end,
            segments=(span,),
            subsections=(),
            text=text,
            digest=page.digest,
            unitdigest=digest(text),
            references=links.references(page.source, (span,), context.clause.partid),
        )


def _caption_above(node: Node, part: Part) -> str:
    """The caption of the table that a row stands in, unless the part is that table or inside it."""
    if part.node.kind in (Kind.TABLE, Kind.CELL):
        return ""
    outer = node.parent
    while outer is not None and outer is not part.node:
        if outer.kind is Kind.TABLE and outer.title and node.kind in (Kind.ROW, Kind.CELL):
            return outer.title
        outer = outer.parent
    return ""
