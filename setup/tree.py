"""HTML in, BeautifulSoup's tree by html5lib out: every word where a browser puts it. Opens no file.

What is left out is what no reader sees and what the renderer does not ask for: comments, the document's type,
line numbers, attributes as lists. BeautifulSoup's links between neighbours double html5lib's own time; a tree
without them would be classes of our own under html5lib.
"""

import gc
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Union

import bs4
from bs4 import BeautifulSoup
from bs4.builder._html5lib import HTML5TreeBuilder, TreeBuilderForHtml5lib
from bs4.element import NavigableString

Content = Union["Tag", NavigableString]
"""What stands in an element."""

_DEEPEST = 1_000
"""Elements open at once. Real specifications nest to twenty-six; html5lib's time grows with the square."""

_UNSEEN = frozenset({"script", "style", "template"})
"""Elements whose strings are no text."""


class Tag(bs4.Tag):
    """An element of BeautifulSoup's, with what the renderer asks of it.

    `find_all` and its like try every kind of filter on every node; these look at names and ids.
    """

    attrs: dict[str, str]  # type: ignore[assignment]
    contents: list[Content]  # type: ignore[assignment]
    parent: "Tag | None"

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

    def named(self, *names: str) -> list["Tag"]:
        """The elements inside that have one of the names."""
        return [tag for tag in self.walk() if tag.name in names]

    def within(self, names: Collection[str]) -> list["Tag"]:
        """The elements directly inside that have one of the names."""
        return [child for child in self.contents if isinstance(child, Tag) and child.name in names]

    def with_ids(self) -> list["Tag"]:
        """The elements inside that have an id."""
        return [tag for tag in self.walk() if tag.attrs.get("id")]

    def by_id(self, htmlid: str) -> "Tag | None":
        """The first element inside with this id."""
        return next((tag for tag in self.walk() if tag.attrs.get("id") == htmlid), None)

    def words(self, separator: str = "") -> str:
        """All text inside, scripts and the like left out: with html5lib, `get_text` has them."""
        return separator.join(self._strings())

    def _strings(self) -> Iterator[str]:
        for child in self.contents:
            if not isinstance(child, Tag):
                yield child
            elif child.name not in _UNSEEN:
                yield from child._strings()


class _Growing(TreeBuilderForHtml5lib):
    """How html5lib makes the tree."""

    def elementInScope(self, target: Any, variant: str | None = None) -> bool:
        """Asked at almost every tag, so the place to notice that a page nests without end."""
        if len(self.openElements) > _DEEPEST:
            raise RecursionError("more elements open at once than in any specification")
        return bool(super().elementInScope(target, variant))  # type: ignore[no-untyped-call]

    def insertComment(self, token: Any, parent: Any = None) -> None:
        """A comment is nothing that a reader sees."""

    def insertDoctype(self, token: Any) -> None:
        """Nor is the document's type."""


class _Builder(HTML5TreeBuilder):
    """BeautifulSoup's way to html5lib, with the tree above."""

    def create_treebuilder(self, namespaceHTMLElements: bool) -> TreeBuilderForHtml5lib:
        """Called by html5lib."""
        self.underlying_builder = _Growing(namespaceHTMLElements, self.soup, store_line_numbers=False)
        return self.underlying_builder


def document(html: bytes | str) -> Tag:
    """The `html` element. Bytes are UTF-8, as ecmarkup writes it; what is none becomes a replacement mark.

    Raises RecursionError where elements nest without end.
    """
    text = html.decode("utf-8-sig", "replace") if isinstance(html, bytes) else html
    builder = _Builder(multi_valued_attributes={}, store_line_numbers=False)
    soup = BeautifulSoup(text, builder=builder, element_classes={bs4.Tag: Tag})
    (root,) = (child for child in soup.contents if isinstance(child, Tag))
    return root


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
