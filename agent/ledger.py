"""What one question was shown: every call, every passage, what was read, in whole or in part, what was not,
and which markers were followed.

One ledger a question; the middleware writes it, the answer is checked against it. Tools may run side by side,
so every change happens under a lock. Opens no store.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from agent.answer import Cut
from agent.extent import Extent
from storage.markers import MARKER
from tools.results import Passage, ToolResult


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as the model made it, and the text that it was answered with."""

    name: str
    args: Mapping[str, Any]
    text: str
    ok: bool
    sections: tuple[str, ...] = ()
    """Ids that the answer showed: hits in their order, sections read, children listed."""
    rest: str = ""
    """The cursor with which a call brings what a limit cut off; empty where nothing was."""

    @property
    def spelled(self) -> str:
        """As in `search_spec(query="…")`."""
        return spelled(self.name, self.args)


def spelled(name: str, args: Mapping[str, Any]) -> str:
    """A call on one line."""
    inside = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in args.items())
    return f"{name}({inside})"


@dataclass(frozen=True, slots=True)
class Claim:
    """The first of the calls that ask the same."""

    callid: str
    call: Call | None = None
    """None until it was answered."""


@dataclass(slots=True)
class Ledger:
    """Grows while a question is worked on."""

    budget: int
    """Characters of tool output that this question may be shown."""
    question: str = ""
    calls: list[Call] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    admitted: int = 0
    """Tool calls that were let through by the limit of calls."""
    turns: int = 0
    """Calls of the model."""
    stops: list[str] = field(default_factory=list)
    """Which limits were reached, each once, in words for people."""
    characters: int = 0
    _searched: dict[str, None] = field(default_factory=dict)
    _found: dict[str, None] = field(default_factory=dict)
    _read: dict[str, None] = field(default_factory=dict)
    _extents: dict[str, Extent] = field(default_factory=dict)
    """By the ids of `_read`."""
    _markers: dict[str, None] = field(default_factory=dict)
    _referred: dict[str, None] = field(default_factory=dict)
    _withheld: dict[str, None] = field(default_factory=dict)
    _claims: dict[str, Claim] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def searched(self) -> tuple[str, ...]:
        """Queries, each once, in order."""
        return tuple(self._searched)

    @property
    def found(self) -> tuple[str, ...]:
        """Ids of the sections that searches found, each once, in order."""
        return tuple(self._found)

    @property
    def read(self) -> tuple[str, ...]:
        """Ids of the sections and pieces whose text was fetched, in order; those in `cut` only in part."""
        return tuple(self._read)

    @property
    def cut(self) -> tuple[Cut, ...]:
        """What a limit cut off: the sections of which a rest was not shown."""
        extents = tuple(self._extents.items())
        return tuple(Cut(name, one.shown, one.size) for name, one in extents if not one.whole)

    @property
    def in_part(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(one.sectionid for one in self.cut)

    @property
    def not_shown(self) -> tuple[str, ...]:
        """Calls that a limit turned away and that were not answered later, each once, in order."""
        answered = {call.spelled for call in tuple(self.calls) if call.ok}
        return tuple(call for call in self._withheld if call not in answered)

    @property
    def followed(self) -> tuple[str, ...]:
        """Ids that markers pointed to and that were fetched, in the order seen."""
        return tuple(sectionid for sectionid in self._markers if sectionid in self._read)

    @property
    def unfollowed(self) -> tuple[str, ...]:
        """Ids that markers pointed to and that were not fetched, in the order seen."""
        return tuple(sectionid for sectionid in self._markers if sectionid not in self._read)

    @property
    def found_unread(self) -> tuple[str, ...]:
        """Ids that searches found and that were not fetched, in order."""
        return tuple(sectionid for sectionid in self._found if sectionid not in self._read)

    @property
    def referred_unread(self) -> tuple[str, ...]:
        """Ids that fetched text refers to, that were not fetched, and that nothing else led to."""
        told = self._read.keys() | self._found.keys() | self._markers.keys()
        return tuple(sectionid for sectionid in self._referred if sectionid not in told)

    @property
    def left(self) -> int:
        """Characters that may still be shown."""
        return self.budget - self.characters

    def admit(self, limit: int) -> bool:
        """Let one more call through; False when there were `limit` already."""
        with self._lock:
            if self.admitted >= limit:
                return False
            self.admitted += 1
            return True

    def give_back(self, callid: str) -> None:
        """Let a call that was let through count for nothing: it was not run, and may be made again."""
        with self._lock:
            self.admitted -= 1
        self.release(callid)

    def claim(self, asked: str, *, callid: str) -> Claim | None:
        """None for the first call that asks this; for every later one, what became of the first."""
        with self._lock:
            if asked in self._claims:
                return self._claims[asked]
            self._claims[asked] = Claim(callid)
            return None

    def settle(self, asked: str, call: Call, result: ToolResult | None) -> None:
        """Note what the call that asks this was answered with."""
        with self._lock:
            if asked in self._claims:
                self._claims[asked] = replace(self._claims[asked], call=_with_sections(call, result))

    def release(self, callid: str) -> None:
        """Let what this call asked be asked again: the model no longer sees the answer."""
        with self._lock:
            self._claims = {asked: one for asked, one in self._claims.items() if one.callid != callid}

    def take(self, characters: int) -> bool:
        """Spend so many characters of the budget; False, and nothing spent, when fewer are left."""
        with self._lock:
            if characters > self.left:
                return False
            self.characters += characters
            return True

    def stop(self, why: str) -> None:
        """Note once that a limit was reached."""
        with self._lock:
            if why not in self.stops:
                self.stops.append(why)

    def withhold(self, name: str, args: Mapping[str, Any]) -> None:
        """Note that a limit kept this call from being answered."""
        with self._lock:
            self._withheld.setdefault(spelled(name, args))

    def record(self, call: Call, result: ToolResult | None) -> None:
        """Enter a call; its result is None where no tool ran, and then nothing was shown."""
        with self._lock:
            self.calls.append(_with_sections(call, result))
            if result is not None and result.ok:
                self._enter(result)

    def _enter(self, result: ToolResult) -> None:
        known = set(self.passages)
        self.passages += [passage for passage in result.passages if passage not in known]
        if "hits" in result.data:
            self._searched.setdefault(str(result.data.get("query", "")))
            self._found.update(dict.fromkeys(str(hit["sectionid"]) for hit in result.data["hits"]))
        self._referred.update(
            dict.fromkeys(str(one["sectionid"]) for one in result.data.get("references", ()))
        )
        for chunk in result.data.get("chunks", ()):
            name, text = str(chunk["sectionid"]), str(chunk["text"])
            self._read.setdefault(name)
            start, end = chunk["offset"], chunk["offset"] + len(text)
            self._extents.setdefault(name, Extent()).add(start, end, size=chunk["size"])
            # The text may speak of markers itself: only children have one.
            for marker in MARKER.finditer(text):
                if marker["id"] in chunk["subsections"]:
                    self._markers.setdefault(marker["id"])


def _with_sections(call: Call, result: ToolResult | None) -> Call:
    if result is None:
        return call
    return replace(call, sections=_sections(result.data), rest=str(result.data.get("next") or ""))


def _sections(data: Mapping[str, Any]) -> tuple[str, ...]:
    listed = (row for key in ("hits", "chunks", "subsections") for row in data.get(key, ()))
    return tuple(dict.fromkeys(str(row["sectionid"]) for row in listed))
