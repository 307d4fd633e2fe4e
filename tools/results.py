"""What a tool returns: text for the model, data for a program, and the passages that were shown."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Passage:
    """Exact text of the specification that this question was shown, and where it stands.

    `text` may hold markers (a quotation may not run across one). `start` and `end` are characters of the
    page's canonical text.
    """

    edition: str
    sectionid: str
    """The section or piece that the text belongs to."""
    clauseid: str
    secnum: str
    title: str
    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One call's outcome. A tool never raises into the loop: then `ok` is False and `text` says what to
    do."""

    text: str
    data: dict[str, Any]
    passages: tuple[Passage, ...] = field(default=())
    ok: bool = True
