"""A section's immediate children: kind, title, size, their own children, and what was already read."""

from storage.model import Unit
from tools import show
from tools.ports import Reader
from tools.resolve import resolve
from tools.results import ToolResult


def check_subsections(
    reader: Reader,
    sectionid: str,
    *,
    read: frozenset[str] = frozenset(),
    in_part: frozenset[str] = frozenset(),
) -> ToolResult:
    """The outline one level below a section, page or piece; a leaf says that it is one.

    `read` holds the ids that this question was already shown, `in_part` those of which a rest is left.
    `size` counts the characters of a child's own text, `total` those of its subtree. Raises InputError for an
    id that cannot be used.
    """
    resolved = resolve(sectionid, reader)
    unit = resolved.unit
    children = list(reader.units(unit.subsections)) if unit.subsections else []
    return ToolResult(
        text=show.outline(unit, children, read=read, in_part=in_part, note=resolved.note),
        data={
            "sectionid": unit.unitid,
            "edition": unit.edition,
            "note": resolved.note,
            "secnum": unit.secnum,
            "title": unit.title,
            "parentsectionid": unit.parentsectionid,
            "subsections": [_entry(child, read=read, in_part=in_part) for child in children],
        },
    )


def _entry(child: Unit, *, read: frozenset[str], in_part: frozenset[str]) -> dict[str, object]:
    return {
        "sectionid": child.unitid,
        "secnum": child.secnum,
        "title": child.title,
        "level": child.level.value,
        "kind": child.kind.value,
        "size": len(child.text),
        "total": child.end - child.start,
        "subsections": len(child.subsections),
        "read": child.unitid in read - in_part,
        "read_in_part": child.unitid in in_part,
    }
