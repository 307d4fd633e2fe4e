"""The smallest retrieval units of a part: paragraphs, steps, items, rows, productions, notes.

Every word of a part's own text lies in exactly one block. A block never reaches over a child that was cut
out: where a note or a row holds one, its inner blocks are taken instead, and what no element accounts for
becomes a paragraph.
"""

from collections.abc import Iterator

from setup.breakdown import Part
from setup.nodes import Node
from storage.model import Kind, Span

BLOCK_KINDS = frozenset(
    {
        Kind.PARAGRAPH,
        Kind.STEP,
        Kind.ITEM,
        Kind.ROW,
        Kind.CELL,
        Kind.PRODUCTION,
        Kind.NOTE,
        Kind.EXAMPLE,
        Kind.HEADING,
        Kind.CODE,
        Kind.EQUATION,
        Kind.FIGURE,
    }
)


def blocks(part: Part, text: str) -> list[tuple[Span, Node]]:
    """The blocks of a part in document order, each with the element that gave it; disjoint."""
    cuts = {id(child.node) for child in part.children}
    spans = [child.node.span for child in part.children]
    found = [(node.span, node) for node in _whole(part.node, cuts, spans) if len(node.span)]
    found += [(span, part.node) for span in _uncovered(part.segments, [span for span, _ in found], text)]
    return sorted(found, key=lambda block: block[0])


def _whole(node: Node, cuts: set[int], spans: list[Span]) -> Iterator[Node]:
    for child in node.children:
        if id(child) in cuts:
            continue
        if child.kind in BLOCK_KINDS and not any(child.span.contains(span) for span in spans):
            yield child
        else:
            yield from _whole(child, cuts, spans)


def _uncovered(segments: list[Span], covered: list[Span], text: str) -> Iterator[Span]:
    """Stretches of the segments outside the covered spans that hold at least one letter or digit."""
    rest = sorted(covered, reverse=True)
    for segment in segments:
        position = segment.start
        while rest and rest[-1].end <= segment.end:
            span = rest.pop()
            yield from _worded(position, span.start, text)
            position = max(position, span.end)
        yield from _worded(position, segment.end, text)


def _worded(start: int, end: int, text: str) -> Iterator[Span]:
    """The stretch without white space around it, if a word is in it."""
    if end - start < 1:
        return
    stretch = text[start:end]
    if any(character.isalnum() for character in stretch):
        left = len(stretch) - len(stretch.lstrip())
        right = len(stretch) - len(stretch.rstrip())
        yield Span(start + left, end - right)
