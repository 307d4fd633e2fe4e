"""What a conversation has shown so far: its lines, numbered, and the sections that can be read, labelled.

Pure: messages in, values out. The same conversation gives the same numbers, and a longer one only adds to
them, so that a server's cache of the prompt stays good.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.quotes import is_meaningful
from storage.markers import MARKER
from tools.clean import one_line
from tools.results import Passage, ToolResult

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

HITS = 5
"""Hits of a search that are shown: a small model does not choose better among more."""
REFERENCES = 4
"""Sections that a read one refers to, and that are offered."""
LINE = 600
"""Characters of one line: a longer paragraph is cut at a sentence."""

_SENTENCE = re.compile(r"(?<=[.;:!?])\s+(?=[A-Z\[(“\"])")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be quoted."""

    number: int
    sectionid: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section that may be read, and how: `args` are those of the tool that reads."""

    label: str
    name: str
    args: Mapping[str, Any]


@dataclass(slots=True)
class Shown:
    """Grows message by message."""

    lines: list[Line] = field(default_factory=list)
    sections: dict[str, Section] = field(default_factory=dict)
    """By id; a section that goes on has its cursor as well."""
    read: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    """By the id of a tool call: its result as the model is shown it."""
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def unread(self) -> list[Section]:
        """Sections that were named and not read yet."""
        return [section for key, section in self.sections.items() if key not in self.read]

    def number(self, sectionid: str, text: str) -> int:
        """The number of a line; the same words of one section are one line."""
        key = (sectionid, text)
        if key not in self._numbers:
            self._numbers[key] = len(self.lines) + 1
            self.lines.append(Line(len(self.lines) + 1, sectionid, text))
        return self._numbers[key]

    def label(self, key: str, name: str, args: Mapping[str, Any]) -> str:
        """The label of a section, new or known."""
        if key not in self.sections:
            self.sections[key] = Section(f"S{len(self.sections) + 1}", name, args)
        return self.sections[key].label


def shown_in(messages: "Sequence[BaseMessage]") -> Shown:
    """Everything that the tools have shown in a conversation."""
    shown = Shown()
    for message in messages:
        shown.read |= set(_continued(message))
        result = getattr(message, "artifact", None)
        if message.type != "tool" or not isinstance(result, ToolResult):
            continue
        text = "\n".join(_told(result, shown)) if result.ok else result.text
        # A result that was left out to save space stays left out; its lines keep their numbers.
        as_sent = str(message.text)
        shown.texts[getattr(message, "tool_call_id", "")] = text if as_sent == result.text else as_sent
    return shown


def _continued(message: "BaseMessage") -> Iterator[str]:
    """Keys of the rests of sections that a message asks for."""
    for call in getattr(message, "tool_calls", ()):
        if call["args"].get("cursor"):
            yield _rest(str(call["args"].get("sectionid")), str(call["args"]["cursor"]))


def _rest(sectionid: str, cursor: str) -> str:
    return f"{sectionid} {cursor}"


def _told(result: ToolResult, shown: Shown) -> Iterator[str]:
    if "hits" in result.data:
        yield from _hits(result, shown)
    elif "chunks" in result.data:
        yield from _chunks(result, shown)
    else:
        yield result.text


def _hits(result: ToolResult, shown: Shown) -> Iterator[str]:
    passages = {passage.sectionid: passage for passage in result.passages}
    hits = result.data["hits"][:HITS]
    yield "Found:" if hits else "Nothing found. Search with other words."
    for hit in hits:
        key = str(hit["sectionid"])
        name = one_line(" > ".join(str(hit["titlepath"]).split(" > ")[-2:]))
        yield f"{shown.label(key, name, {'sectionid': key})} {hit['secnum']} {name}"
        if key in passages:
            yield from _numbered(passages[key], shown)


def _chunks(result: ToolResult, shown: Shown) -> Iterator[str]:
    for passage in result.passages:
        shown.read.add(passage.sectionid)
        name = one_line(passage.title)
        args = {"sectionid": passage.sectionid}
        yield f"{shown.label(passage.sectionid, name, args)} {passage.secnum} {name}"
        yield from _numbered(passage, shown)
        for marker in MARKER.finditer(passage.text):
            label = shown.label(marker["id"], marker["title"] or "", {"sectionid": marker["id"]})
            yield f"Part of it: {label} {one_line(marker['title'] or marker['id'])}"
    for reference in result.data.get("references", ())[:REFERENCES]:
        key, name = str(reference["sectionid"]), one_line(str(reference["name"]))
        yield f"It refers to: {shown.label(key, name, {'sectionid': key})} {name}"
    if cursor := result.data.get("next"):
        first = str(result.data["sectionid"])
        label = shown.label(_rest(first, str(cursor)), "the rest", {"sectionid": first, "cursor": cursor})
        yield f"It goes on: {label} the rest"


def _numbered(passage: Passage, shown: Shown) -> Iterator[str]:
    heading = one_line(f"{passage.secnum} {passage.title}")
    for line in quotable(passage.text):
        if one_line(line) != heading:
            yield f"[{shown.number(passage.sectionid, line)}] {line}"


def quotable(text: str) -> Iterator[str]:
    """The lines of a passage that mean something alone, without markers; long ones by the sentence."""
    for line in MARKER.sub("\n", text).splitlines():
        bare = line.strip()
        parts = _SENTENCE.split(bare) if len(bare) > LINE else [bare]
        yield from (part for part in parts if is_meaningful(part))
