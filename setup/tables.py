"""Tables as Markdown: caption line, header row, body rows; a spanning cell repeats in each place it covers.

The first place holds the cell itself, with everything in it; the others repeat its characters. A cell is one
line: what would be lines inside it is set apart by spaces, and `|` is written `\\|`.
"""

from dataclasses import dataclass

from setup.renderer import Renderer
from setup.tree import Tag
from storage.model import Kind

_ROW_GROUPS = ("thead", "tbody", "tfoot")
_MOST_SPANNED = 1000
"""What HTML allows for `colspan`; a larger number is an error of the source."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands in one column of one row: a cell, or a repetition of one, or nothing."""

    cell: Tag | None
    repeated: bool


def table_element(r: Renderer, tag: Tag) -> None:
    """`emu-table`: the unit; its figure, caption and table render inside."""
    r.out.paragraph()
    with r.open(Kind.TABLE, tag) as node:
        node.attributes = {"oldids": tag.attrs["oldids"]} if "oldids" in tag.attrs else {}
        r.children(tag)
        if not node.title and tag.attrs.get("caption"):
            node.title = " ".join(tag.attrs["caption"].split())
    r.out.paragraph()


def figure(r: Renderer, tag: Tag) -> None:
    """A captioned figure: caption and alternative text."""
    r.out.paragraph()
    with r.open(Kind.FIGURE, tag):
        r.children(tag)
    r.out.paragraph()


def caption(r: Renderer, tag: Tag) -> None:
    """A line of its own, and the title of the table or figure around it."""
    r.out.paragraph()
    with r.open(Kind.HEADING, tag) as node, r.out.flat():
        r.plain += 1
        r.children(tag)
        r.plain -= 1
    owner = node.parent
    if owner is not None and owner.kind in (Kind.TABLE, Kind.FIGURE) and not owner.title:
        owner.title = r.out.since(node.start, node.end)
    r.out.paragraph()


def table(r: Renderer, tag: Tag) -> None:
    """The rows. A table inside another's cell is part of that cell's line."""
    if r.out.is_flat:
        _inline_table(r, tag)
        return
    r.out.paragraph()
    if r.node.tag == "emu-table":
        _table_lines(r, tag)
    else:
        with r.open(Kind.TABLE, tag):
            _table_lines(r, tag)
    r.out.paragraph()


def _table_lines(r: Renderer, tag: Tag) -> None:
    _around_rows(r, tag)
    rows = _rows(tag)
    places = _places(rows)
    width = max((len(row) for row in places), default=1)
    headers = _header_count(rows)
    texts: dict[int, str] = {}
    r.out.paragraph()
    if not headers:
        r.out.line()
        r.out.write("|" + "  |" * width)
        _rule(r, width)
    for number, row in enumerate(rows):
        r.out.line()
        with r.open(Kind.ROW, row, label="header" if number < headers else ""):
            _row(r, row, places[number], width, texts)
        if number == headers - 1:
            _rule(r, width)
        r.out.line()


def _rule(r: Renderer, width: int) -> None:
    r.out.line()
    r.out.write("|" + " --- |" * width)
    r.out.line()


def _around_rows(r: Renderer, tag: Tag) -> None:
    """Captions, which come first wherever they stand, and ids on what has no text of its own."""
    for child in tag.within({"caption", "colgroup", *_ROW_GROUPS}):
        if child.name == "caption":
            r.element(child)
            continue
        for holder in (child, *child.within({"col"})):
            _note_id(r, holder)


def _note_id(r: Renderer, tag: Tag) -> None:
    if htmlid := tag.attrs.get("id"):
        r.anchor(htmlid, tag)


def _inline_table(r: Renderer, tag: Tag) -> None:
    _around_rows(r, tag)
    for row in _rows(tag):
        _note_id(r, row)
        for cell in _cells(row):
            _note_id(r, cell)
            r.out.space()
            r.children(cell)
            r.out.space()


def _rows(tag: Tag) -> list[Tag]:
    rows: list[Tag] = []
    for child in tag.within({"tr", *_ROW_GROUPS}):
        rows += [child] if child.name == "tr" else child.within({"tr"})
    return rows


def _cells(row: Tag) -> list[Tag]:
    return row.within({"td", "th"})


def _header_count(rows: list[Tag]) -> int:
    """Rows of `thead`; else a first row made of header cells alone."""
    count = 0
    for row in rows:
        if row.parent is None or row.parent.name != "thead":
            break
        count += 1
    if not count and rows and (cells := _cells(rows[0])) and all(cell.name == "th" for cell in cells):
        return 1
    return count


def _spanned(cell: Tag, attribute: str) -> int:
    try:
        number = int(cell.attrs.get(attribute, "1"))
    except ValueError:
        return 1
    if number == 0 and attribute == "rowspan":
        return _MOST_SPANNED  # all rows that are left of the group
    return min(max(number, 1), _MOST_SPANNED)


def _places(rows: list[Tag]) -> list[list[_Place]]:
    """What stands where, as HTML's table model has it: a cell takes the first free column of its row, and
    reaches into later rows of its group. Of cells that overlap the later one stands."""
    places: list[list[_Place]] = []
    reaching: dict[int, tuple[Tag, int]] = {}
    group = None
    for row in rows:
        if row.parent is not group:
            reaching, group = {}, row.parent
        line = {column: _Place(cell, repeated=True) for column, (cell, _) in reaching.items()}
        reaching = {column: (cell, left - 1) for column, (cell, left) in reaching.items() if left > 1}
        column = 0
        for cell in _cells(row):
            while column in line:
                column += 1
            for offset in range(_spanned(cell, "colspan")):
                line[column] = _Place(cell, repeated=offset > 0)
                if (down := _spanned(cell, "rowspan")) > 1:
                    reaching[column] = cell, down - 1
                column += 1
        nothing = _Place(None, repeated=False)
        places.append([line.get(column, nothing) for column in range(max(line, default=-1) + 1)])
    return places


def _row(r: Renderer, row: Tag, places: list[_Place], width: int, texts: dict[int, str]) -> None:
    """One line `| a | b |`, padded to the table's width. `texts` are those of the cells so far."""
    _note_id(r, row)
    r.out.write("|")
    for column in range(width):
        place = places[column] if column < len(places) else _Place(None, repeated=False)
        r.out.space()
        if place.cell is not None and place.repeated:
            r.out.write(texts[id(place.cell)])
        elif place.cell is not None:
            texts[id(place.cell)] = _cell(r, place.cell, column)
        r.out.space()
        r.out.write("|")


def _cell(r: Renderer, cell: Tag, column: int) -> str:
    _note_id(r, cell)
    r.piped += 1
    with r.open(Kind.CELL, cell, label=str(column)) as node, r.out.flat():
        r.children(cell)
    r.piped -= 1
    node.title = r.out.since(node.start, node.end)
    return node.title
