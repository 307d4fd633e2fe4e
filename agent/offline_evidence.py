"""What the offline model was shown, read back from the messages alone.

Tool messages carry their `ToolResult` as artifact; a call without one failed or was answered by a rule of the
loop, and counts as tried. Pure; remembers nothing between turns.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.own_words import own_words
from storage.markers import MARKER
from storage.model import Level
from tools.results import Passage, ToolResult

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

SEARCH, FETCH = "search_spec", "fetch_section_chunks"

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_METHOD_NAME = re.compile(r"[A-Z]\w+|\[\[\w+\]\]")
_PERCENT = re.compile(r"%([\w.]+)%")


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of a search's result."""

    sectionid: str
    title: str
    titlepath: str
    rank: int
    named: bool
    """Found by its name, if need be a mended one, not by likeness."""
    start: int
    end: int
    """Characters of its page that the search showed, since they matched best."""
    matched: tuple[tuple[int, int], ...] = ()
    """Characters of the blocks that led here, the best first."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A part that was cut out of something that was read."""

    sectionid: str
    title: str
    parent: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A section that something read refers to; `name` is its operation, else its title."""

    sectionid: str
    name: str
    operation: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything shown so far, in order."""

    question: str
    searches: tuple[tuple[str, tuple[Hit, ...]], ...]
    tried: frozenset[tuple[str, str]]
    """(tool, query or section) of every call made, whatever came of it."""
    read: tuple[str, ...]
    passages: tuple[Passage, ...]
    """Of fetched sections, then the glimpses of a search where nothing of the section was fetched."""
    markers: tuple[Marker, ...]
    references: tuple[Reference, ...] = ()
    definitions: tuple[tuple[str, tuple[Hit, ...]], ...] = ()
    """Of searches for a method that something read calls: its name, and what defines it."""

    @property
    def hits(self) -> Iterator[Hit]:
        """All hits of all searches."""
        for _, hits in self.searches:
            yield from hits

    def shown_text(self) -> str:
        """All text and titles shown, case folded; `%` around the parts of a path is left out beside it."""
        texts = [passage.text for passage in self.passages] + [hit.titlepath for hit in self.hits]
        text = "\n".join(texts).casefold()
        return text + "\n" + _PERCENT.sub(r"\1", text)

    def identifiers(self) -> frozenset[str]:
        """Every identifier-like word shown, case folded."""
        return frozenset(_IDENTIFIER.findall(self.shown_text()))


def gather(messages: "Sequence[BaseMessage]") -> Evidence:
    """The evidence in a conversation since its last question."""
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    question = ""
    calls: dict[str | None, Any] = {}
    results: list[tuple[Any, ToolResult | None]] = []
    for before, message in zip([None, *messages], messages, strict=False):
        if isinstance(message, HumanMessage) and not calls:
            # What follows a question at once is the program's: that only an answer is left to give.
            question = question if isinstance(before, HumanMessage) else str(message.text)
        elif isinstance(message, AIMessage):
            calls.update({call["id"]: call for call in message.tool_calls})
        elif isinstance(message, ToolMessage) and message.tool_call_id in calls:
            shown = (
                message.artifact if isinstance(message.artifact, ToolResult) and message.artifact.ok else None
            )
            results.append((calls[message.tool_call_id], shown))
    return from_results(question, results)


def from_results(question: str, results: Sequence[tuple[Any, ToolResult | None]]) -> Evidence:
    """The evidence in calls and what came of each, in order; None where nothing was shown."""
    found = [shown for call, shown in results if shown and call["name"] == SEARCH]
    own = own_words(question)
    searches = [(str(shown.data["query"]), _hits(shown)) for shown in found if not _of_method(shown, own)]
    methods = [(str(shown.data["query"]), _hits(shown)) for shown in found if _of_method(shown, own)]
    fetched = [shown for call, shown in results if shown and call["name"] == FETCH]
    chunks = [chunk for shown in fetched for chunk in shown.data["chunks"]]
    read = tuple(dict.fromkeys(str(chunk["sectionid"]) for chunk in chunks))
    glimpses = [p for shown in found if not _of_method(shown, own) for p in shown.passages]
    passages = [passage for shown in fetched for passage in shown.passages]
    return Evidence(
        question=question,
        searches=tuple(searches),
        tried=frozenset(
            (call["name"], str(call["args"].get("query", call["args"].get("sectionid"))))
            for call, _ in results
        ),
        read=read,
        passages=tuple(dict.fromkeys([*passages, *(p for p in glimpses if p.clauseid not in read)])),
        markers=tuple(_markers(chunks)),
        definitions=tuple((name, tuple(hit for hit in hits if hit.named)) for name, hits in methods),
        references=tuple(dict.fromkeys(one for shown in fetched for one in _references(shown))),
    )


def _of_method(shown: ToolResult, question: str) -> bool:
    """Whether a search was for a method's name that the question does not say."""
    query = str(shown.data["query"])
    return bool(_METHOD_NAME.fullmatch(query)) and query not in question


def _hits(shown: ToolResult) -> tuple[Hit, ...]:
    return tuple(
        Hit(
            sectionid=str(hit["sectionid"]),
            title=str(hit["title"]),
            titlepath=str(hit["titlepath"]),
            rank=rank,
            named=str(hit.get("why", "")).startswith(("exact", "near")),
            start=int(hit["start"]),
            end=int(hit["end"]),
            matched=tuple(
                (int(one["start"]), int(one["end"]))
                for one in hit.get("matched", ())
                if one["level"] == Level.BLOCK.value
            ),
        )
        for rank, hit in enumerate(shown.data["hits"], start=1)
    )


def _references(shown: ToolResult) -> Iterator[Reference]:
    for one in shown.data.get("references", ()):
        yield Reference(str(one["sectionid"]), str(one["name"]), bool(one["operation"]))


def _markers(chunks: Sequence[Any]) -> Iterator[Marker]:
    for chunk in chunks:
        for found in MARKER.finditer(str(chunk["text"])):
            if found["id"] in chunk["subsections"]:
                yield Marker(found["id"], found["title"] or "", str(chunk["sectionid"]))
