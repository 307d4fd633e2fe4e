"""Hybrid search: the best-ranked sections, those that the query names before all; one hit a section.

`gathering` looks up and searches, `ranking` weighs; here the result is put together and shown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from storage.model import Unit
from storage.reading import Candidate
from tools.chunks import passage
from tools.diversity import spread
from tools.filters import Filters, condition
from tools.fusion import SectionHits
from tools.gathering import gather
from tools.lookup import Lookup, Match
from tools.ports import Embedder, Reader
from tools.ranking import ranked
from tools.resolve import offer, usable
from tools.results import Passage
from tools.rewrite import ChatModel, Rewriting, rewriting
from tools.snippets import snippet_span

SEARCH_LIMIT, MOST_HITS = 8, 100
"""Sections of one answer: by default what a model reads at once, at most all definitions of any operation."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A section, why it was found, and the stretch of it that shows why."""

    section: Unit
    why: str
    snippet: str
    """Exactly the page's characters `[start, end)`."""
    start: int
    end: int
    matched: tuple[Candidate, ...] = ()
    """The units that led here, in rank order; scores stay with them. Empty when only the name did."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first, each section once."""

    query: str
    edition: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    """What the reader should know: that a name was mended, or that there is none such."""
    terms: tuple[str, ...] = ()
    """What a chat model added to the query."""


def search(
    query: str,
    reader: Reader,
    embedder: Embedder,
    *,
    limit: int = SEARCH_LIMIT,
    filters: Filters | None = None,
    model: ChatModel | None = None,
) -> SearchResult:
    """The sections that answer `query` best; `model` is asked for search terms to add.

    Raises InputError for a query, limit or filter that cannot be used.
    """
    asked = usable(query, what="query")
    if not 1 <= limit <= MOST_HITS:
        raise InputError(f"The limit is {limit:,}; it counts sections and may be from 1 to {MOST_HITS}.")
    where = condition(filters or Filters(), reader)
    added = rewriting(asked, model) if model else Rewriting()
    gathered = gather(asked, reader, embedder, where=where, terms="\n".join(added.terms))
    lookup, named = gathered.lookup, gathered.named
    found = ranked(gathered, reader, where=where)
    # Nothing but a name was asked for: its definitions go first. Inside a question they have a bonus.
    order = list(dict.fromkeys([*(named if lookup.whole else ()), *_spread(found, reader)]))[:limit]
    sections = {unit.unitid: unit for unit in reader.units(order)}
    hits = tuple(
        _hit(sections[clauseid], asked, reader, match=named.get(clauseid), found=found.get(clauseid))
        for clauseid in order
        if clauseid in sections
    )
    return SearchResult(
        query=asked,
        edition=reader.record.edition,
        hits=hits,
        notes=(*_notes(lookup, len(named), limit=limit), *filter(None, [added.note])),
        terms=added.terms,
    )


def _spread(found: Iterable[str], reader: Reader) -> list[str]:
    outline = reader.outline()
    return spread(list(found), lambda one: outline[one].title if one in outline else one)


def _hit(section: Unit, query: str, reader: Reader, *, match: Match | None, found: SectionHits | None) -> Hit:
    units = tuple(found.units) if found else ()
    shown = snippet_span(section, query, reader, match=match, units=units)
    return Hit(
        section=section,
        why=match.why if match else found.why if found else "",
        snippet=reader.slice(section.source, shown.start, shown.end),
        start=shown.start,
        end=shown.end,
        matched=units,
    )


def _notes(lookup: Lookup, named: int, *, limit: int) -> tuple[str, ...]:
    notes: list[str] = []
    if lookup.matches and lookup.matches[0].mended:
        name = lookup.matches[0].name
        notes.append(f"`{lookup.matches[0].asked}` is no name here; read as {name.kind} `{name.name}`.")
    if lookup.whole and named > limit:
        notes.append(
            f"The name has {named} definitions; the first {limit} are shown. Ask with limit {named}."
        )
    if lookup.nearest:
        notes.append(f"No name is written like that.{offer(lookup.nearest)}")
    return tuple(notes)


def search_passages(result: SearchResult) -> Iterator[Passage]:
    """The snippets that were shown, each an exact slice of its page."""
    for hit in result.hits:
        if hit.snippet.strip():
            yield passage(hit.section, hit.start, hit.snippet)


def search_data(result: SearchResult) -> dict[str, Any]:
    """The result for programs. `level` and `kind` are the section's; `matched` are the units that led to
    it."""
    return {
        "query": result.query,
        "edition": result.edition,
        "notes": list(result.notes),
        "terms": list(result.terms),
        "hits": [
            {
                "sectionid": hit.section.unitid,
                "secnum": hit.section.secnum,
                "title": hit.section.title,
                "titlepath": hit.section.titlepath,
                "level": hit.section.level.value,
                "kind": hit.section.kind.value,
                "why": hit.why,
                "snippet": hit.snippet,
                "start": hit.start,
                "end": hit.end,
                "matched": [
                    {
                        "unitid": unit.unitid,
                        "level": unit.level.value,
                        "kind": unit.kind.value,
                        "start": unit.start,
                        "end": unit.end,
                    }
                    for unit in hit.matched
                ],
            }
            for hit in result.hits
        ],
    }
