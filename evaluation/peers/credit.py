"""Which sections a stretch of a page earns: results of other libraries follow no section, gold answers do.

A result earns every section whose own text (without child sections) it overlaps in at least `LEAST`
characters, or covers wholly; the section with the most of its characters first, ties in document order. The
results keep their order, and a section counts where it is first earned.

Chosen to be fair to the peers. By the section of its start alone, a result would get nothing for what most of
it is about; in document order, the end of the section before would stand first. Giving all its sections one
place would reward whoever returns whole pages. Text outside any section earns nothing and takes no place.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from evaluation.peers.sources import Source
from storage.model import Span

LEAST = 40
"""Characters: about eight words. A crumb of the next section is no answer, and would take a place."""

Owned = Mapping[str, Sequence[tuple[int, int, str]]]
"""For each page its stretches of sections' own text in order: start, end, section."""


def owned(sections: Iterable[Source]) -> Owned:
    """Who owns which characters of which page."""
    out: dict[str, list[tuple[int, int, str]]] = {}
    for section in sections:
        rows = ((span.start, span.end, section.name) for span in section.spans)
        out.setdefault(section.page, []).extend(rows)
    return {page: sorted(rows) for page, rows in out.items()}


def earned(owners: Owned, page: str, spans: Iterable[Span]) -> list[str]:
    """The sections that a result of these stretches earns, best first."""
    held: dict[str, int] = {}
    whole: set[str] = set()
    for span in spans:
        for start, end, section in _touched(owners.get(page, ()), span):
            held[section] = held.get(section, 0) + min(end, span.end) - max(start, span.start)
            if span.contains(Span(start, end)):
                whole.add(section)
    # `held` is in document order, and sorting keeps it among equals.
    order = sorted(held, key=lambda section: -held[section])
    kept = [section for section in order if held[section] >= LEAST or section in whole]
    return kept or order[:1]


def _touched(rows: Sequence[tuple[int, int, str]], span: Span) -> list[tuple[int, int, str]]:
    first = max(0, bisect_right(rows, (span.start, 0, "")) - 1)
    last = bisect_right(rows, (span.end, 0, ""))
    return [row for row in rows[first:last] if row[0] < span.end and span.start < row[1]]
