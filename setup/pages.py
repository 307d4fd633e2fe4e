"""One HTML file in, its canonical text and nodes out. Pure but for the parser; opens no file and no store."""

from html import unescape

from setup.elements import ELEMENTS
from setup.nodes import Node, RenderedPage
from setup.renderer import Renderer
from setup.sections import KINDS
from setup.tree import Tag, document
from storage.errors import SourceError
from storage.model import Kind

_CHROME = ("menu", "shortcuts-help", "search", "toc", "menu-toggle", "references-pane")
"""Ids of what ecmarkup puts around the specification: a menu, a table of contents, help. Left out."""


def parse(html: bytes | str, *, source: str) -> Tag:
    """The element that holds the specification.

    Raises SourceError for a page that holds no specification at all, or nests deeper than any real one.
    """
    try:
        page = document(html)
    except RecursionError:
        raise SourceError(f"{source}: nested too deeply to be read") from None
    container = page.by_id("spec-container")
    if container is not None:
        return container
    if not page.named(*KINDS):
        raise SourceError(
            f"{source}: neither #spec-container nor an emu-clause in it; is this ecmarkup's HTML?"
        )
    (body,) = page.named("body")
    for htmlid in _CHROME:
        chrome = body.by_id(htmlid)
        if chrome is not None:
            chrome.extract()
    return body


def document_title(html: bytes | str) -> str:
    """The text of `title`, without parsing the whole page."""
    head = html[:20_000]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    start = text.lower().find("<title>")
    end = text.lower().find("</title>", start)
    if start < 0 or end < 0:
        return ""
    return " ".join(unescape(text[start + len("<title>") : end]).split())


def render(container: Tag, *, source: str, title: str = "") -> RenderedPage:
    """The canonical text of a page and the nodes that produced it."""
    root = Node(Kind.PAGE, "page", None, title=title)
    renderer = Renderer(ELEMENTS, root)
    renderer.out.await_start(root)
    try:
        renderer.children(container)
    except RecursionError:
        raise SourceError(f"{source}: nested too deeply to be read") from None
    root.start, root.end = 0, renderer.out.length
    renderer.out.settle_all()
    for node in renderer.empty:
        node.end = node.start
    return RenderedPage(
        source=source,
        title=title,
        text=renderer.out.result(),
        root=root,
        anchors=tuple(renderer.anchors),
        references=tuple(renderer.references),
        definitions=tuple(renderer.definitions),
    )
