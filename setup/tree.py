"""HTML in, html5lib's tree out, with no more than the renderer asks of it. Opens no file.

BeautifulSoup with html5lib is the reference, and a test compares the two, element by element, over whole
specifications: html5lib places every word where a browser does. Its tree is built here without what only
BeautifulSoup needs (links between all neighbours, an index of attributes, comments), in half of the time.
"""

import gc
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Union

import html5lib
from html5lib.treebuilders import base

Content = Union["Tag", str]
"""What stands in an element."""

_DEEPEST = 1_000
"""Elements open at once. Real specifications nest to twenty-six; html5lib's time grows with the square."""

_UNSEEN = frozenset({"script", "style", "template"})
"""Elements whose strings are no text."""


class Tag:
    """An element: its name, its attributes, and in order what stands in it. Comments are left out."""

    __slots__ = ("attrs", "contents", "name", "nameTuple", "namespace", "parent")

    def __init__(self, name: str, namespace: str | None = None) -> None:
        self.name = name
        self.namespace = namespace
        self.nameTuple = namespace, name
        self.attrs: dict[str, str] = {}
        self.contents: list[Content] = []
        self.parent: Tag | None = None

    # -- what the renderer asks ------------------------------------------------------------------------

    @property
    def classes(self) -> list[str]:
        """The names in `class`."""
        return self.attrs.get("class", "").split()

    def walk(self) -> Iterator["Tag"]:
        """All elements inside, in document order."""
        waiting = [iter(self.contents)]
        while waiting:
            child = next(waiting[-1], None)
            if child is None:
                waiting.pop()
            elif isinstance(child, Tag):
                yield child
                waiting.append(iter(child.contents))

    def find_all(self, *names: str) -> list["Tag"]:
        """The elements inside that have one of the names."""
        return [tag for tag in self.walk() if tag.name in names]

    def children(self, names: Collection[str]) -> list["Tag"]:
        """The elements directly inside that have one of the names."""
        return [child for child in self.contents if isinstance(child, Tag) and child.name in names]

    def with_ids(self) -> list["Tag"]:
        """The elements inside that have an id."""
        return [tag for tag in self.walk() if tag.attrs.get("id")]

    def by_id(self, htmlid: str) -> "Tag | None":
        """The first element inside with this id."""
        return next((tag for tag in self.walk() if tag.attrs.get("id") == htmlid), None)

    def get_text(self, separator: str = "") -> str:
        """All text inside, scripts and the like left out."""
        return separator.join(self._strings())

    def _strings(self) -> Iterator[str]:
        for child in self.contents:
            if isinstance(child, str):
                yield child
            elif child.name not in _UNSEEN:
                yield from child._strings()

    def next_sibling(self) -> Content | None:
        """What comes right after, in the same element."""
        if self.parent is None:
            return None
        place = _place(self.parent.contents, self)
        return self.parent.contents[place + 1] if place + 1 < len(self.parent.contents) else None

    # -- what html5lib does, by the names that it gives ------------------------------------------------

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, as html5lib calls them."""
        return self.attrs

    @attributes.setter
    def attributes(self, attrs: dict[str, str]) -> None:
        self.attrs = attrs

    def appendChild(self, node: "Tag") -> None:
        """Put an element at the end."""
        node.parent = self
        self.contents.append(node)

    def insertText(self, data: str, insertBefore: "Tag | None" = None) -> None:
        """Put text at the end, or before an element; text beside text is one string."""
        contents = self.contents
        place = len(contents) if insertBefore is None else _place(contents, insertBefore)
        before = contents[place - 1] if place else None
        if isinstance(before, str):
            contents[place - 1] = before + data
        else:
            contents.insert(place, data)

    def insertBefore(self, node: "Tag", refNode: "Tag") -> None:
        """Put an element before another."""
        node.parent = self
        self.contents.insert(_place(self.contents, refNode), node)

    def removeChild(self, node: "Tag") -> None:
        """Take an element out."""
        del self.contents[_place(self.contents, node)]
        node.parent = None

    def reparentChildren(self, newParent: "Tag") -> None:
        """Move everything inside to the end of another element."""
        for child in self.contents:
            if isinstance(child, Tag):
                child.parent = newParent
        newParent.contents += self.contents
        self.contents = []

    def cloneNode(self) -> "Tag":
        """An empty element with the same name and attributes."""
        clone = Tag(self.name, self.namespace)
        clone.attrs = dict(self.attrs)
        return clone

    def hasContent(self) -> bool:
        """Whether anything stands inside."""
        return bool(self.contents)


def _place(contents: list[Content], tag: Tag) -> int:
    return next(place for place, child in enumerate(contents) if child is tag)


class _Builder(base.TreeBuilder):
    """How html5lib makes our tree."""

    elementClass = Tag

    def documentClass(self) -> Tag:
        """The root, which is no element of the page."""
        return Tag("")

    fragmentClass = documentClass

    def elementInScope(self, target: Any, variant: str | None = None) -> bool:
        """Asked at almost every tag, so the place to notice that a page nests without end."""
        if len(self.openElements) > _DEEPEST:
            raise RecursionError("more elements open at once than in any specification")
        return bool(super().elementInScope(target, variant))  # type: ignore[no-untyped-call]

    def insertComment(self, token: Any, parent: Any = None) -> None:
        """A comment is nothing that a reader sees."""

    def insertDoctype(self, token: Any) -> None:
        """Nor is the document's type."""


def document(html: bytes | str) -> Tag:
    """The whole page. Bytes are UTF-8, as ecmarkup writes it; what is none becomes a replacement mark.

    Raises RecursionError where elements nest without end.
    """
    text = html.decode("utf-8-sig", "replace") if isinstance(html, bytes) else html
    return html5lib.HTMLParser(tree=_Builder).parse(text)  # type: ignore[no-any-return]


@contextmanager
def growing() -> Iterator[None]:
    """While a tree grows nothing in it is garbage, and looking for some takes a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
