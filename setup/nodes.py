"""What the renderer records while it writes: which element produced which characters.

A page's nodes form a tree. Only elements that may become a unit are nodes; ids and references are kept
beside it. Values only; renders nothing.
"""

from dataclasses import dataclass, field

from storage.model import SECTION_KINDS, Kind, Span


@dataclass(slots=True, eq=False)
class Node:
    """One element of interest and the characters `[start, end)` that it produced."""

    kind: Kind
    tag: str
    parent: "Node | None"
    htmlid: str = ""
    start: int = -1
    end: int = -1
    label: str = ""
    """A step's label path; a cell's column, from 0; `header` for a header row."""
    title: str = ""
    """From a heading or caption, or a production's name; empty where there is none."""
    attributes: dict[str, str] = field(default_factory=dict)
    """The few attributes that later stages need: aoid, type, oldids."""
    secnum: str = ""
    informative: bool = False
    children: list["Node"] = field(default_factory=list)

    @property
    def span(self) -> Span:
        """The characters that the element produced."""
        return Span(self.start, self.end)

    @property
    def is_section(self) -> bool:
        """Whether this is a clause, an annex or the introduction."""
        return self.kind in SECTION_KINDS


@dataclass(slots=True, eq=False)
class Anchor:
    """An id on any element, and where it stands."""

    htmlid: str
    tag: str
    section: Node
    start: int = -1
    legacy: bool = False
    """An id that only older links use."""
    name: str = ""
    """What the element defines: a production's nonterminal, a definition's term."""
    step: str = ""
    """The label path of the step that it is or stands in; empty outside algorithms."""


@dataclass(slots=True, eq=False)
class Reference:
    """A link inside the specification: to an id, or to an operation by its aoid."""

    target: str
    by_aoid: bool
    section: Node
    start: int = -1


@dataclass(slots=True, eq=False)
class Definition:
    """A term that the text defines (`dfn`)."""

    term: str
    variants: tuple[str, ...]
    section: Node
    start: int = -1


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One page: its canonical text and what produced it."""

    source: str
    title: str
    text: str
    root: Node
    anchors: tuple[Anchor, ...]
    references: tuple[Reference, ...]
    definitions: tuple[Definition, ...]
