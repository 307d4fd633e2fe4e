"""The values that everything else speaks of: units, pages, names, editions, spans.

Plain frozen dataclasses and closed sets; opens no store, parses no HTML. A *span* is a half-open range of
characters into one page's canonical text. Ids are those of the HTML wherever it has one, so they survive
a rebuild.
"""

from dataclasses import dataclass, field
from enum import StrEnum

REPRESENTATION = "ask262-text/2"
"""Names the renderer and its version. Spans of different representations never mix."""

SPECIFICATION = "specification"
"""The `type` of every Document that comes from a specification."""

METADATA_KEYS = (
    "source",
    "sectionid",
    "sectiontitle",
    "type",
    "parentsectionid",
    "subsections",
    "edition",
    "secnum",
    "titlepath",
    "level",
    "kind",
    "aoid",
    "start",
    "end",
    "digest",
)
"""Exactly the keys of a Document's metadata; spelled here and nowhere else."""


class Level(StrEnum):
    """How large a unit is, from a whole source file down to one step."""

    PAGE = "page"
    SECTION = "section"
    PIECE = "piece"
    BLOCK = "block"


class Kind(StrEnum):
    """What a unit is, in the specification's own words."""

    PAGE = "page"
    CLAUSE = "clause"
    ANNEX = "annex"
    INTRO = "intro"
    TABLE = "table"
    GRAMMAR = "grammar"
    PRODUCTION = "production"
    CELL = "cell"
    ROW = "row"
    PARAGRAPH = "paragraph"
    ALGORITHM = "algorithm"
    STEP = "step"
    ITEM = "item"
    NOTE = "note"
    EXAMPLE = "example"
    HEADING = "heading"
    CODE = "code"
    EQUATION = "equation"
    FIGURE = "figure"


SECTION_KINDS = frozenset({Kind.CLAUSE, Kind.ANNEX, Kind.INTRO})


class NameKind(StrEnum):
    """What sort of name leads to a section; the order is the order of preference in a look-up."""

    ID = "id"
    LEGACY_ID = "legacyid"
    ANCHOR = "anchor"
    NUMBER = "number"
    OPERATION = "operation"
    METHOD = "method"
    INTRINSIC = "intrinsic"
    SLOT = "slot"
    SYMBOL = "symbol"
    NONTERMINAL = "nonterminal"
    TERM = "term"
    TITLE = "title"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `[start, end)` of one page's canonical text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: "Span") -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Unit:
    """A page, section, piece or block as it stands in the store.

    `text` is the own text, exact, with a marker where each child (section or piece) was cut out. `segments`
    are the spans of that own text, in order, without the children: joining their slices of the page gives
    `text` without its markers.
    """

    unitid: str
    """Unique in the edition. `sectionid` for a page, section or piece; `{sectionid}~{n}` for a block."""
    sectionid: str
    """Own id; for a block, the page, section or piece whose own text it belongs to."""
    clauseid: str
    """The nearest enclosing section, itself included; the page's id for a page and its own blocks."""
    parentsectionid: str | None
    """The immediate parent (a page for a top-level section, `sectionid` for a block); None for a page."""
    level: Level
    kind: Kind
    title: str
    """Without the number. Never empty: a section without a heading has its id here."""
    titlepath: str
    """Titles from the outermost section to this one, joined by ` > `."""
    secnum: str
    """`7.1.4`, `B.3.1`; empty where none is printed. Pieces and blocks carry their section's."""
    aoid: str
    """The abstract operation that the section defines, or empty."""
    chapter: str
    """The id of the outermost section; the page's id for a page and its own blocks."""
    annex: bool
    normative: bool
    step: str
    """A step's label path such as `2.a.i`; empty for anything else."""
    source: str
    """The page's file name."""
    edition: str
    start: int
    end: int
    segments: tuple[Span, ...]
    subsections: tuple[str, ...]
    """Ids of the immediate children (sections and pieces, not blocks), in document order."""
    text: str
    digest: str
    """SHA-256 of the page's canonical text: two units may be compared by span only where it is equal."""
    unitdigest: str
    """SHA-256 of this unit's slice of the canonical text."""
    references: tuple[str, ...] = ()
    """Ids of the sections that this unit's own text refers to, each once, in order."""

    @property
    def span(self) -> Span:
        """Where the unit stands in its page, children included."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Page:
    """One source HTML file and the canonical text that it renders to."""

    pageid: str
    source: str
    edition: str
    title: str
    text: str
    digest: str
    """SHA-256 of `text`."""
    sourcedigest: str
    """SHA-256 of the HTML file."""


@dataclass(frozen=True, slots=True)
class Name:
    """One name under which a section can be looked up."""

    name: str
    """As the specification writes it."""
    key: str
    """Folded by `storage.names.fold`: what a look-up compares."""
    kind: NameKind
    sectionid: str
    """The section or piece that it leads to."""
    start: int
    """Where it stands in the page's canonical text; -1 where that has no meaning."""
    detail: str = ""
    """Tells several definitions of one name apart: the production of a syntax-directed operation, say."""


@dataclass(frozen=True, slots=True)
class BreakdownRules:
    """How long sections are cut; part of an edition's identity."""

    threshold: int = 5_000
    """Characters of own text over which a section is cut: about 1,200 tokens."""
    max_depth: int = 3
    """Levels of pieces below a section. Deeper than a cell of a table of a section nothing useful remains."""
    smallest: int = 200
    """Characters below which a part stays inline: a marker alone takes about a hundred."""


@dataclass(frozen=True, slots=True)
class BuiltEdition:
    """Everything that setup worked out about one edition, before embedding: what is handed to the store."""

    edition: str
    title: str
    origin: str
    """Where the HTML came from: a path or address, for people."""
    sourcedigest: str
    sample: bool
    rules: BreakdownRules
    pages: tuple[Page, ...]
    units: tuple[Unit, ...]
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes two sets of vectors comparable."""

    name: str
    dimension: int
    digest: str
    """SHA-256 over model file, tokenizer and pooling; for a remote model, of its name and address."""


@dataclass(frozen=True, slots=True)
class EditionRecord:
    """A row of the catalog: which tables answer for an edition, and what they were made of."""

    edition: str
    title: str
    origin: str
    sourcedigest: str
    representation: str
    schema: int
    sample: bool
    embedder: EmbedderIdentity
    rules: BreakdownRules
    tables: dict[str, str]
    """Role (`units`, `pages`, `names`, `windows`) to table name."""
    counts: dict[str, int]
    """Rows by role, and units by level."""
    built: str
    """ISO 8601, UTC."""
    build: str
    """Digest over content, representation, rules and embedder: equal means nothing to do."""
    inputs: str = ""
    """Digest over what was asked for (files, rules, embedder) and the program that answered: equal means that
    nothing has to be parsed to know that nothing changed. Empty where it is not known."""
    seals: dict[str, str] = field(default_factory=dict)
    """SHA-256 over the files of each table, by role. Nothing writes to them again: a difference is damage."""
    previous: "EditionRecord | None" = None
    """The build before, kept for going back to; its own `previous` is None. None where there was none."""
    generated: dict[str, str] = field(default_factory=dict)
    """Role of each table of generated text to who wrote it; empty where none was asked for."""
