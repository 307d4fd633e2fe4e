"""Sections and their headings: a clause, an annex, the introduction."""

import re

from setup.nodes import Node
from setup.renderer import Renderer
from setup.tree import Tag
from storage.model import SECTION_KINDS, Kind

KINDS = {"emu-clause": Kind.CLAUSE, "emu-annex": Kind.ANNEX, "emu-intro": Kind.INTRO}

_KEPT_ATTRIBUTES = ("aoid", "type", "oldids", "normative-optional", "legacy", "deprecated", "back-matter")

_NUMBER = re.compile(
    r"(?:Annex\s+)?(?P<number>[A-Z]|[A-Z]?\d*(?:\.\d+)+|\d+)(?:\s+\((?:informative|normative)\))?(?=\s|$)"
)
"""A section's number at the start of its heading, for HTML that does not mark it as such."""


def section(r: Renderer, tag: Tag) -> None:
    """A whole section with its subtree. Where it is cut into units is decided later, not here."""
    r.out.paragraph()
    with r.open(KINDS[tag.name], tag) as node:
        node.attributes = {name: tag.attrs[name] for name in _KEPT_ATTRIBUTES if name in tag.attrs}
        outer, r.section = r.section, node
        r.children(tag)
        r.section = outer
    r.out.paragraph()


def heading(r: Renderer, tag: Tag) -> None:
    """One line. The first `h1` of a section is its title."""
    r.out.paragraph()
    with r.open(Kind.HEADING, tag) as node, r.out.flat():
        r.plain += 1
        r.children(tag)
        r.plain -= 1
    owner = r.section
    if tag.name == "h1" and owner.kind in SECTION_KINDS and not owner.title:
        _entitle(owner, r.out.since(node.start, node.end), _marked_number(tag))
    r.out.paragraph()


def _marked_number(tag: Tag) -> str:
    marked = next((span for span in tag.named("span") if "secnum" in span.classes), None)
    return " ".join(marked.words().split()) if marked is not None else ""


def _entitle(node: Node, line: str, marked: str) -> None:
    """Split a heading's line into number and title."""
    if not marked:
        found = _NUMBER.match(line)
        # A lone capital is a number only if the heading says "Annex": "A Tour" has none.
        if found and (line.startswith("Annex") or found["number"][0].isdigit() or "." in found["number"]):
            marked = found.group(0)
    node.informative = "(informative)" in marked
    found = _NUMBER.match(marked)
    node.secnum = found["number"] if found else ""
    rest = line[len(marked) :].strip() if line.startswith(marked) else line
    node.title = rest or line
