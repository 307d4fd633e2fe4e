"""Markers: what stands in a parent's text where a child was cut out, and how to put the child back.

A marker is generated text. It is never part of a span and never citable.
"""

import re
from collections.abc import Callable, Sequence

MARKER = re.compile(r"\[Subsection available(?:: title \"(?P<title>.*?)\")? at sectionid: `(?P<id>[^`]*)`\]")
"""Finds markers in text shown to a model. Proofs use spans instead, since prose may imitate a marker."""


def marker(sectionid: str, title: str = "") -> str:
    """The line that stands for a child; without a title where the child has none of its own."""
    if title:
        return f'[Subsection available: title "{title}" at sectionid: `{sectionid}`]'
    return f"[Subsection available at sectionid: `{sectionid}`]"


def join_with_markers(segments: Sequence[str], markers: Sequence[str]) -> str:
    """Own text with a marker between each pair of segments: `len(segments) == len(markers) + 1`."""
    parts = [segments[0]]
    for mark, segment in zip(markers, segments[1:], strict=True):
        parts += (mark, segment)
    return "".join(parts)


def expand(segments: Sequence[str], children: Sequence[str], child_text: Callable[[str], str]) -> str:
    """The subtree's text: each child's own expansion between the segments around it."""
    return join_with_markers(segments, [child_text(child) for child in children])


def split_at_markers(text: str) -> list[str]:
    """The citable stretches of a shown text: a quotation may not run across a marker."""
    out, position = [], 0
    for found in MARKER.finditer(text):
        out.append(text[position : found.start()])
        position = found.end()
    return [*out, text[position:]]
