"""A section's text and, if asked, its descendants'. Reads a store; cuts only where the limit makes it.

Breadth first, each once: the section, then its children, then theirs; within a level in document order. Whole
chunks are given while they fit. One that does not fit into an empty page is paged by characters. What the
text refers to is named below it, as far as the limit leaves room.
"""

from collections.abc import Iterator, Sequence

from storage.documents import page_content
from storage.errors import InputError
from storage.model import Unit
from tools import show
from tools.chunks import Chunk, cut, passages
from tools.cursor import Position, decode, encode
from tools.ports import Reader
from tools.references import Reference, line, outgoing
from tools.resolve import resolve
from tools.results import ToolResult

FETCH_LIMIT = 12_000
"""Characters of one answer: about 3,000 tokens, two sections of the largest size that is not cut."""
LEAST, MOST = 500, 200_000
"""Bounds of the limit. Below the first a marker may not fit; above the second one call returns a chapter."""


def fetch_section_chunks(
    reader: Reader,
    sectionid: str,
    *,
    recursive: bool = False,
    limit: int = FETCH_LIMIT,
    cursor: str | None = None,
) -> ToolResult:
    """The text of a section, page, piece or block; a cursor goes on where the last answer ended.

    A cursor remembers whether descendants were asked for. Raises InputError for an id, limit or cursor that
    cannot be used.
    """
    if not LEAST <= limit <= MOST:
        raise InputError(
            f"The limit is {limit:,}; it counts characters and may be from {LEAST:,} to {MOST:,}."
        )
    resolved = resolve(sectionid, reader)
    root, build = resolved.unit, reader.record.build
    start = decode(cursor, build=build, root=root.unitid) if cursor else Position(recursive=recursive)
    chunks, after = _fill(breadth_first(reader, root, recursive=start.recursive), start, limit=limit)
    following = encode(after, build=build, root=root.unitid) if after else None
    leads = outgoing([chunk.unit for chunk in chunks], reader)
    left = limit - sum(chunk.end - chunk.offset for chunk in chunks)
    return ToolResult(
        text=show.fetched(
            chunks,
            leads=line(leads, room=left),
            edition=root.edition,
            note=resolved.note,
            following=following,
        ),
        data=_data(root, chunks, leads, following, note=resolved.note),
        passages=tuple(passage for chunk in chunks for passage in passages(chunk)),
    )


def breadth_first(reader: Reader, root: Unit, *, recursive: bool) -> Iterator[Unit]:
    """The root, then level after level of its descendants, each in document order and once; one read a
    level."""
    level, seen = [root], {root.unitid}
    while level:
        yield from level
        below = [child for unit in level for child in unit.subsections] if recursive else []
        fresh = [child for child in dict.fromkeys(below) if child not in seen]
        seen.update(fresh)
        level = list(reader.units(fresh)) if fresh else []


def _fill(walk: Iterator[Unit], start: Position, *, limit: int) -> tuple[list[Chunk], Position | None]:
    """Chunks from `start` on that fit into the limit together, and the position after them, if anything is
    left."""
    chunks: list[Chunk] = []
    room = limit
    for place, unit in enumerate(walk):
        if place < start.place:
            continue
        offset = start.offset if place == start.place else 0
        content = page_content(unit)
        if len(content) - offset > room:
            if chunks:
                return chunks, Position(place, offset, start.recursive)
            end = cut(content, offset, room)
            return [Chunk(unit, offset, end)], Position(place, end, start.recursive)
        chunks.append(Chunk(unit, offset, len(content)))
        room -= len(content) - offset
    return chunks, None


def _data(
    root: Unit, chunks: list[Chunk], leads: Sequence[Reference], following: str | None, *, note: str
) -> dict[str, object]:
    return {
        "sectionid": root.unitid,
        "edition": root.edition,
        "note": note,
        "chunks": [
            {
                "sectionid": chunk.unit.unitid,
                "secnum": chunk.unit.secnum,
                "title": chunk.unit.title,
                "level": chunk.unit.level.value,
                "kind": chunk.unit.kind.value,
                "text": chunk.text,
                "offset": chunk.offset,
                "size": len(page_content(chunk.unit)),
                "parentsectionid": chunk.unit.parentsectionid,
                "subsections": list(chunk.unit.subsections),
            }
            for chunk in chunks
        ],
        "references": [
            {"sectionid": one.sectionid, "name": one.name, "operation": one.operation} for one in leads
        ],
        "truncated": following is not None,
        "next": following,
    }
