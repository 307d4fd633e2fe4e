"""Everything that a model or a person reads from a tool is made here. Plain text, compact, ids in backticks.

One function for a hit, a section, an outline. The specification's text passes through `clean`, so that
nothing in it can act on a terminal; the exact text travels beside it in passages and data.
"""

from collections.abc import Iterable, Sequence

from storage.documents import page_content
from storage.model import SECTION_KINDS, Level, Unit
from tools.chunks import Chunk
from tools.clean import clean, one_line, shortened
from tools.search import Hit, SearchResult


def heading(unit: Unit) -> str:
    """Number and title on one line: `7.1.4 ToNumber ( argument )`."""
    step = f", step {unit.step}" if unit.step else ""
    return one_line(f"{unit.secnum} {unit.title}{step}")


def hit(place: int, found: Hit) -> str:
    """One search hit: where, why, and its snippet, set off line by line."""
    unit = found.section
    above = one_line(unit.titlepath).removesuffix(one_line(unit.title)).removesuffix(" > ")
    lines = [f"{place}. `{unit.unitid}` {heading(unit)} [{found.why}]"]
    if above:
        lines.append(f"   in {above}")
    lines += [f"   | {line}" for line in clean(found.snippet).splitlines() if line.strip()]
    return "\n".join(lines)


def search(result: SearchResult) -> str:
    """All hits, best first, with what to do next; says so when there are none."""
    if not result.hits:
        return "\n".join([f"Nothing found for `{shortened(result.query)}`.", *result.notes])
    head = f"{_count(len(result.hits), 'section')} of {result.edition} for `{shortened(result.query)}`:"
    return "\n".join(
        [head, *result.notes, "", *(hit(n, found) for n, found in enumerate(result.hits, start=1))]
    )


def section(chunk: Chunk) -> str:
    """One fetched chunk under a line that says whose text it is and which part."""
    unit = chunk.unit
    head = f"`{unit.unitid}` {heading(unit)} ({_what(unit)}, {unit.edition})"
    if not chunk.whole:
        head += f", characters {chunk.offset:,} to {chunk.end:,} of {len(page_content(unit)):,}"
    return f"{head}\n\n{clean(chunk.text).strip(chr(10))}"


def fetched(chunks: Sequence[Chunk], *, leads: str, edition: str, note: str, following: str | None) -> str:
    """The chunks of one fetch, what they refer to, and the cursor when more is left."""
    parts = [note] if note else []
    parts += [section(chunk) for chunk in chunks]
    if leads:
        parts.append(leads)
    if following:
        parts.append(
            f"More of {edition} follows here: fetch the same section again with cursor `{following}`."
        )
    return "\n\n".join(parts)


def outline(
    unit: Unit, children: Iterable[Unit], *, read: frozenset[str], in_part: frozenset[str], note: str
) -> str:
    """A section's children, one a line, or that it has none."""
    lines = [child_line(child, read=_read(child, read, in_part)) for child in children]
    name = f"`{unit.unitid}` {heading(unit)} ({_what(unit)}, {unit.edition})"
    if lines:
        head = f"{name} has {_count(len(lines), 'subsection')}:"
    elif unit.level is Level.BLOCK:
        head = f"{name} has no subsections: it is part of `{unit.sectionid}`."
    else:
        head = f"{name} has no subsections: it is a leaf of {_count(len(unit.text), 'character')}."
    return "\n".join([*([note] if note else []), head, *lines])


def _read(child: Unit, read: frozenset[str], in_part: frozenset[str]) -> str:
    return "read in part" if child.unitid in in_part else "already read" if child.unitid in read else ""


def child_line(child: Unit, *, read: str) -> str:
    """One child of an outline: id, number, title, kind, size, its own children, and what was read of it."""
    facts = [_what(child), _count(len(child.text), "character")]
    if child.subsections:
        facts.append(_count(len(child.subsections), "subsection"))
    if read:
        facts.append(read)
    return f"- `{child.unitid}` {heading(child)} ({', '.join(facts)})"


def _what(unit: Unit) -> str:
    """The kind, and for sections whether it binds."""
    return (
        unit.kind.value if unit.normative or unit.kind not in SECTION_KINDS else f"{unit.kind}, informative"
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
