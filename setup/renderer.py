"""The walk over a page's elements: one table of renderers in, canonical text and nodes out.

Which element renders how stands in `setup.elements`. This module only walks, keeps the stack of open nodes
and notes ids, references and definitions on the way. It opens no file and no store.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from setup.nodes import Anchor, Definition, Node, Reference
from setup.text import TextBuilder
from setup.tree import Tag
from storage.model import Kind

Element = Callable[["Renderer", Tag], None]
"""Writes one element, children included."""


class Renderer:
    """Renders one page; used once."""

    def __init__(self, elements: Mapping[str, Element], root: Node) -> None:
        self.out = TextBuilder()
        self.anchors: list[Anchor] = []
        self.references: list[Reference] = []
        self.definitions: list[Definition] = []
        self.node = root
        self.section = root
        self.empty: list[Node] = []
        """Nodes without a character that had no place yet when they ended."""
        self.steps: list[str] = []
        """Labels of the steps around the current place, outermost first; empty outside algorithms."""
        self.base_depth = 0
        """How deep the outermost steps count as standing: an algorithm may amend one of another clause."""
        self.plain = 0
        """Above zero, code is written without backticks: inside headings and captions."""
        self.piped = 0
        """Above zero, `|` is escaped: inside table cells."""
        self._elements = elements

    def element(self, tag: Tag) -> None:
        """One element, by the table; an element that is not in it is its children."""
        htmlid = tag.attrs.get("id")
        if htmlid:
            self.anchor(htmlid, tag)
        render = self._elements.get(tag.name)
        if render is None:
            self.children(tag)
        else:
            render(self, tag)

    def children(self, tag: Tag) -> None:
        """The text and elements inside an element, in order."""
        for child in tag.contents:
            if isinstance(child, str):
                self.string(child)
            else:
                self.element(child)

    def string(self, text: str) -> None:
        """A text node."""
        self.out.text(text.replace("|", "\\|") if self.piped and "|" in text else text)

    def anchor(self, htmlid: str, tag: Tag) -> None:
        """Note where an id stands. An empty `span` holds an id of former times."""
        legacy = tag.name == "span" and not tag.contents
        anchor = Anchor(htmlid, tag.name, self.section, legacy=legacy, name=tag.attrs.get("name", ""))
        anchor.step = ".".join(self.steps)
        self.anchors.append(anchor)
        self.out.await_start(anchor)

    @contextmanager
    def open(self, kind: Kind, tag: Tag, *, label: str = "") -> Iterator[Node]:
        """A node around what is written inside the block."""
        node = Node(kind, tag.name, self.node, htmlid=tag.attrs.get("id", ""), label=label)
        self.node.children.append(node)
        outer, self.node = self.node, node
        self.out.await_start(node)
        yield node
        node.end = self.out.settle(node, within=outer)
        if node.end < 0:
            self.empty.append(node)
        self.node = outer
