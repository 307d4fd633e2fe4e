"""Which stretch of a section to show under a hit. What it returns are offsets, never changed text."""

import re
from collections.abc import Sequence

from storage.model import Kind, Level, Span, Unit
from storage.reading import Candidate
from tools.lookup import Match
from tools.ports import Reader

SNIPPET_LENGTH = 300
"""Characters of a snippet: two or three steps, or a paragraph's first sentences. The whole is one fetch
away."""

# A line or a sentence. `a. ` and `iii. ` are a step's label, which stays with the step.
_STARTS = re.compile(r"(?:\A|(?<=\n)|(?<=\S{3}[.;:] )(?<![ivx]{3}\. ))[ \t]*(?=\S)")
_WORDS = re.compile(r"\w{2,}")


def snippet_span(
    section: Unit, query: str, reader: Reader, *, match: Match | None, units: Sequence[Candidate]
) -> Span:
    """The stretch of the page to show for a section, at most `SNIPPET_LENGTH` characters.

    From the best block that matched; else the best window; else, for a section that was only named, the block
    in which the name stands, or the first after the heading. Never runs into the text of a subsection.
    """
    wide = _matching(units, reader) or _named(section, reader, match=match)
    text = reader.slice(section.source, wide.start, wide.end)
    start, end = best_stretch(text, query)
    return Span(wide.start + start, wide.start + end)


def best_stretch(text: str, query: str, *, limit: int = SNIPPET_LENGTH) -> tuple[int, int]:
    """`[start, end)` of at most `limit` characters, from the start of a line or sentence, with most query
    words.

    Ends at a word boundary. Of equally good starts the one whose own line or sentence holds most of the words
    is taken, then the first; without any query word, the beginning.

    >>> text = "One thing. Another thing entirely. A third."
    >>> text[slice(*best_stretch(text, "entirely another", limit=26))]
    'Another thing entirely. A'
    """
    wanted = {word.lower() for word in _WORDS.findall(query)}
    starts = [found.end() for found in _STARTS.finditer(text)] or [0]
    stops = [*starts[1:], len(text)]

    def worth(pair: tuple[int, int]) -> tuple[int, int, int]:
        start, stop = pair
        return _distinct(text[start : start + limit], wanted), _distinct(text[start:stop], wanted), -start

    best, _ = max(zip(starts, stops, strict=True), key=worth)
    return best, clip(text, best, limit=limit)


def clip(text: str, start: int, *, limit: int) -> int:
    """Where to end so that at most `limit` characters are shown and no word is cut, unless one fills it
    all."""
    stop = start + limit
    if stop >= len(text):
        return start + len(text[start:].rstrip())
    cut = max((found.start() for found in re.finditer(r"\s", text[start : stop + 1])), default=0)
    return start + (len(text[start : start + cut].rstrip()) or limit)


def _matching(units: Sequence[Candidate], reader: Reader) -> Span | None:
    """The best block that is more than a heading, else what the best window holds of its unit's own text."""
    for one in units:
        if one.level is Level.BLOCK and one.kind is not Kind.HEADING:
            return Span(one.start, one.end)
    windows = [one for one in units if one.level is not Level.BLOCK]
    owner = reader.unit(windows[0].unitid) if windows else None
    return _own_stretch(owner, Span(windows[0].start, windows[0].end), reader) if owner else None


def _own_stretch(unit: Unit, window: Span, reader: Reader) -> Span | None:
    """The longest run of the unit's own text inside the window, without a heading at its start."""
    runs = [
        Span(max(window.start, own.start), min(window.end, own.end))
        for own in unit.segments
        if own.start < window.end and window.start < own.end
    ]
    if not runs:
        return None
    run = max(runs, key=lambda span: (len(span), -span.start))
    line, newline, rest = reader.slice(unit.source, run.start, run.end).partition("\n")
    is_heading = run.start == unit.start and unit.title in line and rest.strip()
    return Span(run.start + len(line) + len(newline), run.end) if is_heading else run


def _named(section: Unit, reader: Reader, *, match: Match | None) -> Span:
    blocks = reader.blocks(match.name.sectionid if match else section.unitid)
    told = [block for block in blocks if block.kind is not Kind.HEADING]
    at = match.name.start if match else -1
    around = [block for block in told if block.start <= at < block.end]
    for block in (*around, *told, *blocks):
        return block.span
    return Span(section.start, section.start)


def _distinct(text: str, wanted: set[str]) -> int:
    return len(wanted.intersection(word.lower() for word in _WORDS.findall(text)))
