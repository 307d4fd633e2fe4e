"""How a page is cut into sections and pieces.

Sections are always cut out of their parent, however small. A section whose own text is over the threshold is
cut further: first its tables, then its grammars (and productions that stand outside any grammar), then table
cells, then paragraphs. The tags are tried in that order; after each one the remainder is measured, and the
cutting stops once it fits. A piece that is itself too long is cut the same way, from the next tag on, at most
`max_depth` levels below its section; what is still too long there is kept whole and says so. Parts under
`smallest` stay inline. An algorithm is never cut, and of two nested elements of one tag only the outer one is
taken. An element that holds an already cut one stays inline around it.

Nothing is lost: cutting only decides between which offsets of the canonical text a unit stands. What is left
of a parent are the segments around its children, and a marker stands between each two of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from setup.nodes import Node
from storage.model import BreakdownRules, Kind, Level, Span


@dataclass(frozen=True, slots=True)
class BreakRule:
    """One row of the table of rules."""

    name: str
    tags: tuple[str, ...]
    always: bool = False
    """Cut whatever its size, and whatever the parent's."""
    bare: tuple[str, ...] = ()
    """Tags that count only where they stand outside any element of `tags`."""


RULES = (
    BreakRule("section", ("emu-clause", "emu-annex", "emu-intro"), always=True),
    BreakRule("table", ("emu-table",)),
    BreakRule("grammar", ("emu-grammar",), bare=("emu-production",)),
    BreakRule("cell", ("td",)),
    BreakRule("paragraph", ("p",)),
)
"""Tried in this order."""


@dataclass(slots=True, eq=False)
class Part:
    """A unit in the making: a node, its place in the hierarchy, and what was cut out of it."""

    node: Node
    partid: str
    level: Level
    parent: "Part | None"
    rule: str
    children: list["Part"] = field(default_factory=list)
    too_deep: bool = False
    """Still over the threshold, with parts that only the depth limit keeps inline."""

    @property
    def title(self) -> str:
        """Its own title, from a heading or caption; empty where the source gives it none."""
        return self.node.title if self.node.is_section or self.node.kind is Kind.TABLE else ""

    @property
    def segments(self) -> list[Span]:
        """The own text: what is left when the children's spans are taken out; one more than children."""
        segments, position = [], self.node.start
        for child in self.children:
            segments.append(Span(position, child.node.start))
            position = child.node.end
        segments.append(Span(position, self.node.end))
        return segments

    @property
    def own_length(self) -> int:
        """Characters of own text, markers not counted."""
        return sum(len(segment) for segment in self.segments)

    def walk(self) -> Iterator["Part"]:
        """This part and all below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Breakdown:
    """Cuts the pages of one edition; remembers the ids that were given, so that none is given twice."""

    def __init__(self, rules: BreakdownRules, ids: Iterable[str]) -> None:
        """`ids` are those of all elements of all pages, as often as they stand there."""
        counts = Counter(ids)
        self._rules = rules
        self._taken = set(counts)
        """Every id in the HTML, and every derived one so far."""
        self._doubled = {htmlid for htmlid, count in counts.items() if count > 1}
        """Ids that lead to the first of their elements: no piece is called by one."""
        self.given: dict[str, Part] = {}

    def page(self, root: Node, pageid: str) -> Part:
        """A page and everything in it."""
        part = Part(root, self._derived(pageid), Level.PAGE, None, "page")
        self._break_sections(part)
        self._break_long(part, first=1, depth=0)
        return part

    def _break_sections(self, parent: Part) -> None:
        counts: dict[str, int] = {}
        for node in _outermost(parent.node, RULES[0].tags, skip=()):
            counts[node.tag] = counts.get(node.tag, 0) + 1
            sectionid = node.htmlid or self._derived(f"{parent.partid}-{node.tag}-{counts[node.tag]}")
            child = self._give(Part(node, sectionid, Level.SECTION, parent, RULES[0].name))
            self._break_sections(child)
            self._break_long(child, first=1, depth=0)

    def _break_long(self, part: Part, *, first: int, depth: int) -> None:
        for index in range(first, len(RULES)):
            if part.own_length <= self._rules.threshold:
                return
            found = self._candidates(part, RULES[index])
            if found and depth >= self._rules.max_depth:
                part.too_deep = True
                return
            for node, number in found:
                own = "" if node.htmlid in self._doubled else node.htmlid
                pieceid = own or self._derived(f"{part.partid}-{node.tag}-{number}")
                piece = self._give(Part(node, pieceid, Level.PIECE, part, RULES[index].name))
                self._break_long(piece, first=index + 1, depth=depth + 1)

    def _candidates(self, part: Part, rule: BreakRule) -> list[tuple[Node, int]]:
        """What a rule would cut out of a part, each with its number among all of its tag in the part."""
        sections = RULES[0].tags
        numbers: dict[int, int] = {}
        counts: dict[str, int] = {}
        for node in _descendants(part.node, skip=sections):
            if node.tag in rule.tags or node.tag in rule.bare:
                counts[node.tag] = counts.get(node.tag, 0) + 1
                numbers[id(node)] = counts[node.tag]
        cut = {id(child.node) for child in part.children}
        outer = _outermost(part.node, rule.tags + rule.bare, skip=sections, cut=cut, around=_around(part))
        return [(node, numbers[id(node)]) for node in outer if len(node.span) >= self._rules.smallest]

    def _give(self, part: Part) -> Part:
        assert part.parent is not None
        siblings = part.parent.children
        place = len(siblings)
        while place and siblings[place - 1].node.start > part.node.start:
            place -= 1
        siblings.insert(place, part)
        self.given.setdefault(part.partid, part)
        return part

    def _derived(self, wanted: str) -> str:
        """An id that the HTML does not have; one that clashes with another gets a suffix."""
        derived, number = wanted, 2
        while derived in self._taken:
            derived, number = f"{wanted}-{number}", number + 1
        self._taken.add(derived)
        return derived


def _descendants(node: Node, *, skip: tuple[str, ...]) -> Iterator[Node]:
    for child in node.children:
        if child.tag not in skip:
            yield child
            yield from _descendants(child, skip=skip)


def _around(part: Part) -> set[int]:
    """The elements of a part that hold an already cut one."""
    found: set[int] = set()
    for child in part.children:
        node = child.node.parent
        while node is not None and node is not part.node:
            found.add(id(node))
            node = node.parent
    return found


def _outermost(
    node: Node,
    tags: tuple[str, ...],
    *,
    skip: tuple[str, ...],
    cut: Set[int] = frozenset(),
    around: Set[int] = frozenset(),
) -> Iterator[Node]:
    """The outermost descendants with one of the tags: neither already cut nor around or in such a one, not in
    a skipped element, nor in an algorithm."""
    for child in node.children:
        if child.tag in tags and id(child) not in cut and id(child) not in around:
            yield child
        elif child.tag not in skip and id(child) not in cut and child.kind is not Kind.ALGORITHM:
            yield from _outermost(child, tags, skip=skip, cut=cut, around=around)
