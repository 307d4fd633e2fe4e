"""Everything that a question is ranked by, before it is weighed: searches, and the sections that are named.

1. Windows of sections by vector; full text over sections and pieces, and over blocks.
2. Full text for what the specification calls the things that the question says (`glossary`).
3. The sections that the question names, and those of the operations that the glossary names.

Filters go to the store, which applies them before it cuts its lists.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from storage.model import Level, NameKind
from storage.names import fold
from storage.reading import Candidate
from tools.definitions import definitions
from tools.filters import passes
from tools.fusion import Ranking
from tools.glossary import specification_words
from tools.lookup import Lookup, Match, look_up
from tools.ports import Condition, Embedder, Reader
from tools.weights import WEIGHTS, Weights

DEPTH = 100
"""Candidates asked of each search: several are of one section, and further down little of use is left."""

POINTING = frozenset(
    {NameKind.ID, NameKind.LEGACY_ID, NameKind.ANCHOR, NameKind.NUMBER, NameKind.METHOD, NameKind.INTRINSIC}
)
"""Kinds of names that say what a question is about; operations, slots and terms are often said in passing."""
_NAMED_KINDS = frozenset({NameKind.OPERATION, NameKind.METHOD, NameKind.INTRINSIC, NameKind.SLOT})


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is known about a question."""

    searches: tuple[Ranking, ...]
    """By vector, in sections, in blocks and, where the glossary has words, for those."""
    lookup: Lookup
    named: Mapping[str, Match]
    """The sections that the question names, in the order in which it does."""
    meant: tuple[tuple[str, ...], ...]
    """The sections of the operations that the glossary names, name by name."""
    query: str = ""

    def by_name(self, *, pointed: bool) -> list[list[str]]:
        """The sections that the question points at, or else names in words, name by name."""
        out: dict[str, list[str]] = {}
        for clauseid, match in self.named.items():
            if (match.name.kind in POINTING) is pointed:
                out.setdefault(match.asked, []).append(clauseid)
        return list(out.values())


def gather(
    query: str, reader: Reader, embedder: Embedder, *, where: Condition | None, terms: str = ""
) -> Gathered:
    """Look up and search, once. `terms` are searched for with the question; they look nothing up."""
    with ThreadPoolExecutor(max_workers=2) as beside:
        looked = beside.submit(look_up, query, reader.names())
        meant = beside.submit(meant_by_glossary, query, reader, where=where)
        searches = rankings(query, reader, embedder, where=where, terms=terms)
    lookup = looked.result()
    return Gathered(
        searches=tuple(searches),
        lookup=lookup,
        named=_named(lookup, reader, searches, where=where),
        meant=tuple(map(tuple, meant.result())),
        query=query,
    )


def rankings(
    query: str,
    reader: Reader,
    embedder: Embedder,
    *,
    where: Condition | None,
    weights: Weights = WEIGHTS,
    terms: str = "",
) -> list[Ranking]:
    """What each search finds, best first. The store is asked for all at once: most of a search is waiting."""
    words = " ".join(specification_words(query))
    query = f"{query}\n{terms}".rstrip()
    wide, narrow = (Level.SECTION, Level.PIECE), (Level.BLOCK,)
    texts = [("text", weights.sections, query, wide), ("text", weights.blocks, query, narrow)]
    texts += [("glossary", weights.glossary, words, wide)] if words else []
    with ThreadPoolExecutor(max_workers=len(texts)) as together:
        asked = [
            together.submit(reader.search_text, text, limit=DEPTH, where=where, levels=levels)
            for _, _, text, levels in texts
        ]
        vector = embedder.embed_query(query)
        by_vector = reader.search_vectors(vector, limit=DEPTH, where=where)
    found = [one.result() for one in asked]
    by_text = [_ranking(how, weight, one) for (how, weight, _, _), one in zip(texts, found, strict=True)]
    return [_ranking("vector", weights.vectors, by_vector), *by_text]


def _ranking(how: str, weight: float, found: Sequence[Candidate]) -> Ranking:
    return Ranking(how, weight, found, cut=len(found) == DEPTH)


def meant_by_glossary(query: str, reader: Reader, *, where: Condition | None) -> list[list[str]]:
    """The sections of the operations that the glossary names, name by name, as far as the filters admit."""
    words = specification_words(query)
    found = reader.names().by_keys([fold(word) for word in words]) if words else []
    entries = [name for name in found if name.kind in _NAMED_KINDS and name.name in words]
    units = {unit.unitid: unit for unit in reader.units([name.sectionid for name in entries])}
    groups: dict[str, list[str]] = {word: [] for word in words}
    for name in entries:
        unit = units.get(name.sectionid)
        if unit and passes(unit, where):
            groups[name.name].append(unit.clauseid)
    return [group for group in groups.values() if group]


def _named(
    lookup: Lookup, reader: Reader, searches: list[Ranking], *, where: Condition | None
) -> dict[str, Match]:
    """The sections that the query names and the filters admit, name after name."""
    units = reader.units([match.name.sectionid for match in lookup.matches]) if lookup.matches else ()
    found = {one.clauseid for ranking in searches for one in ranking.found}
    told = {asked: place for place, asked in enumerate(dict.fromkeys(one.asked for one in lookup.matches))}
    out: dict[str, Match] = {}
    for one in sorted(definitions(lookup.matches, units), key=lambda one: told[one.match.asked]):
        if one.unit.clauseid in found or passes(one.unit, where):
            out.setdefault(one.unit.clauseid, one.match)
    return out
