"""Tables as Markdown: caption line, header row, body rows; a spanning cell repeats in each place it covers.

The first place holds the cell itself, with everything in it; the others repeat its characters. A cell is one
line: what would be lines inside it is set apart by spaces, and `|` is written `\\|`.
"""

from dataclasses import dataclass

from bs4.element import Tag

from setup.renderer import Renderer
from storage.model import Kind

_ROW_GROUPS = ("thead", "tbody", "tfoot")
_MOST_SPANNED = 1000
"""What HTML allows for `colspan`; a larger number is an error of the source."""


@dataclass(slots=True)
class _Spanned:
    """A cell that reaches into later rows."""

    text: str
    rows_left: int


def table_element(r: Renderer, tag: Tag) -> None:
    """`emu-table`: the unit; its figure, caption and table render inside."""
    r.out.paragraph()
    with r.open(Kind.TABLE, tag) as node:
        node.attributes = {"oldids": str(tag.attrs["oldids"])} if "oldids" in tag.attrs else {}
        r.children(tag)
        if not node.title and tag.attrs.get("caption"):
            node.title = " ".join(str(tag.attrs["caption"]).split())
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
    for child in tag.find_all("caption", recursive=False):
        r.element(child)
    for group in tag.find_all(_ROW_GROUPS, id=True, recursive=False):
        r.anchor(str(group["id"]), group)
    rows = _rows(tag)
    width = _width(rows)
    headers = _header_count(rows)
    pending: dict[int, _Spanned] = {}
    r.out.paragraph()
    if not headers:
        r.out.line()
        r.out.write("|" + "  |" * width)
        _rule(r, width)
    for number, row in enumerate(rows):
        r.out.line()
        with r.open(Kind.ROW, row, label="header" if number < headers else ""):
            _row(r, row, width, pending)
        if number == headers - 1:
            _rule(r, width)
        r.out.line()


def _rule(r: Renderer, width: int) -> None:
    r.out.line()
    r.out.write("|" + " --- |" * width)
    r.out.line()


def _inline_table(r: Renderer, tag: Tag) -> None:
    for row in _rows(tag):
        for cell in _cells(row):
            r.out.space()
            r.element(cell) if cell.name not in ("td", "th") else r.children(cell)
            r.out.space()


def _rows(tag: Tag) -> list[Tag]:
    rows: list[Tag] = []
    for child in tag.find_all(["tr", *_ROW_GROUPS], recursive=False):
        rows += [child] if child.name == "tr" else child.find_all("tr", recursive=False)
    return rows


def _cells(row: Tag) -> list[Tag]:
    return row.find_all(["td", "th"], recursive=False)


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
        return min(max(int(str(cell.attrs.get(attribute, 1))), 1), _MOST_SPANNED)
    except ValueError:
        return 1


def _width(rows: list[Tag]) -> int:
    """Columns of the widest row, cells reaching down from above included."""
    width = 0
    reaching: list[tuple[int, int]] = []
    for row in rows:
        here = sum(columns for columns, left in reaching if left > 0)
        reaching = [(columns, left - 1) for columns, left in reaching if left > 1]
        for cell in _cells(row):
            columns = _spanned(cell, "colspan")
            here += columns
            if (rows_down := _spanned(cell, "rowspan")) > 1:
                reaching.append((columns, rows_down - 1))
        width = max(width, here)
    return max(width, 1)


def _row(r: Renderer, row: Tag, width: int, pending: dict[int, _Spanned]) -> None:
    """One line `| a | b |`, padded to the table's width."""
    htmlid = row.attrs.get("id")
    if htmlid:
        r.anchor(str(htmlid), row)
    cells = iter(_cells(row))
    r.out.write("|")
    column = 0
    while column < width or column in pending:
        if column in pending:
            _repeat(r, pending, column)
            column += 1
            continue
        cell = next(cells, None)
        if cell is None:
            _close_cell(r)
            column += 1
            continue
        column = _place(r, cell, column, pending)


def _place(r: Renderer, cell: Tag, column: int, pending: dict[int, _Spanned]) -> int:
    """Write a cell and its repetitions to the right; returns the next free column."""
    r.out.space()
    text = _cell(r, cell, column)
    rows_down = _spanned(cell, "rowspan")
    columns = _spanned(cell, "colspan")
    for offset in range(columns):
        if offset:
            r.out.space()
            r.out.write(text)
        if rows_down > 1:
            pending[column + offset] = _Spanned(text, rows_down - 1)
        _close_cell(r)
    return column + columns


def _cell(r: Renderer, cell: Tag, column: int) -> str:
    htmlid = cell.attrs.get("id")
    if htmlid:
        r.anchor(str(htmlid), cell)
    r.piped += 1
    with r.open(Kind.CELL, cell, label=str(column)) as node, r.out.flat():
        r.children(cell)
    r.piped -= 1
    node.title = r.out.since(node.start, node.end)
    return node.title


def _repeat(r: Renderer, pending: dict[int, _Spanned], column: int) -> None:
    spanned = pending[column]
    spanned.rows_left -= 1
    if not spanned.rows_left:
        del pending[column]
    r.out.space()
    r.out.write(spanned.text)
    _close_cell(r)


def _close_cell(r: Renderer) -> None:
    r.out.space()
    r.out.write("|")
