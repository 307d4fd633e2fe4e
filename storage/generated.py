"""Text that no specification holds: summaries of sections, and a context in front of each block.

Made at ingest on request and kept in tables of their own, in which every row says that it was generated and
by whom. It serves to find, and nothing else: it is no unit, no tool accepts it, and nothing of it is shown
or quoted. A summary is resolved to the section and the sentences that it stands for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storage.editions import rebuild_command
from storage.errors import StoreError
from storage.model import EditionRecord, Span, Unit

SUMMARIES, CONTEXTS = "summaries", "contexts"
GENERATED_ROLES = (SUMMARIES, CONTEXTS)
"""What the optional tables of an edition are for."""

GENERATED = "generated"
"""The `type` of every row; a unit's is `specification`."""

TOP = ""
"""Stands for what is above the topmost summaries."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A node of the tree of summaries. Its leaves are the embedded windows of `members`."""

    unit: Unit
    """The section that it stands for."""
    above: str
    """The id of the section whose summary is the next one up; `TOP` where there is none."""
    layer: int
    """1 over leaves alone; one more than the highest summary below otherwise."""
    members: tuple[str, ...]
    """Sections whose windows hang directly under this summary: its own, and children without a summary."""
    spans: tuple[Span, ...]
    """The sentences of the page that say most of what it says: exact text, in document order."""
    text: str
    maker: str

    @property
    def indexed(self) -> str:
        """What is embedded."""
        return f"{self.unit.titlepath}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Context:
    """What is put in front of a block before it is indexed."""

    unit: Unit
    text: str
    maker: str

    @property
    def indexed(self) -> str:
        """What is embedded and searched for words."""
        return f"{self.text}\n{self.unit.text}"


@dataclass(frozen=True, slots=True)
class Generated:
    """What was asked for; None is not."""

    summaries: tuple[Summary, ...] | None = None
    contexts: tuple[Context, ...] | None = None

    @property
    def by_role(self) -> dict[str, Sequence[Summary | Context]]:
        """What there is, by the role of its table."""
        both = {SUMMARIES: self.summaries, CONTEXTS: self.contexts}
        return {role: texts for role, texts in both.items() if texts is not None}

    @property
    def makers(self) -> dict[str, str]:
        """Who wrote the texts of each role."""
        return {role: texts[0].maker if texts else "" for role, texts in self.by_role.items()}


NOTHING = Generated()


@dataclass(frozen=True, slots=True)
class Standing:
    """What a stored summary stands for, and the text that it was made from."""

    unitid: str
    members: tuple[str, ...]
    spans: tuple[Span, ...]
    source: str
    edition: str
    digest: str
    """Of the page's canonical text."""


def identity(text: Summary | Context) -> tuple[object, ...]:
    """What makes two generated texts the same; the unit counts by its id, since its text counts apart."""
    if isinstance(text, Context):
        return text.unit.unitid, text.text, text.maker
    return text.unit.unitid, text.above, text.layer, text.members, text.spans, text.text, text.maker


def row(text: Summary | Context, vector: Any) -> dict[str, Any]:
    """A generated text as a row of its table."""
    unit = text.unit
    values = {
        "unitid": unit.unitid,
        "clauseid": unit.clauseid,
        "level": unit.level.value,
        "kind": unit.kind.value,
        "start": unit.start,
        "end": unit.end,
        "chapter": unit.chapter,
        "annex": unit.annex,
        "type": GENERATED,
        "maker": text.maker,
        "text": text.text,
        "indexed": text.indexed,
        "vector": vector,
    }
    if isinstance(text, Context):
        return values
    return {
        **values,
        "above": text.above,
        "layer": text.layer,
        "members": list(text.members),
        "spans": [edge for span in text.spans for edge in (span.start, span.end)],
        "source": unit.source,
        "edition": unit.edition,
        "digest": unit.digest,
    }


def standing(values: dict[str, Any]) -> Standing:
    """What the summary of a row stands for."""
    edges = values["spans"]
    return Standing(
        unitid=values["unitid"],
        members=tuple(values["members"]),
        spans=tuple(Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)),
        source=values["source"],
        edition=values["edition"],
        digest=values["digest"],
    )


def require(role: str, record: EditionRecord) -> None:
    """Raise StoreError, with the command that makes them, unless the edition has these texts."""
    if role not in record.tables:
        raise StoreError(
            f"edition {record.edition} was built without {role}: make them with "
            f"{rebuild_command(record)} --{role}"
        )


def vector_count(record: EditionRecord) -> int:
    """Vectors of a build: of its windows and of what was generated for it."""
    return sum(record.counts.get(role, 0) for role in ("windows", *GENERATED_ROLES))
