"""Tables of results as Markdown and for the screen. Pure; rounds, computes nothing.

A cell is words, a number, or a mean with its interval (`value`, `low`, `high`; `signed` for a difference).
"""

from collections.abc import Sequence
from typing import Any


def shown(cell: Any) -> str:
    """A cell in words: shares to three places, with the interval behind where there is one."""
    if isinstance(cell, dict):
        sign = "+" if cell.get("signed") else ""
        return f"{cell['value']:{sign}.3f} ({cell['low']:{sign}.2f} to {cell['high']:{sign}.2f})"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell.is_integer() and abs(cell) > 1 else f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def plain(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Columns in line for a terminal."""
    cells = [list(columns), *([shown(cell) for cell in row] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """A Markdown table; a column whose cells all begin with a figure stands on the right."""
    cells = [[shown(cell).replace("|", "\\|") for cell in row] for row in rows]
    rule = [_alignment([row[place] for row in cells]) for place in range(len(columns))]
    return [f"| {' | '.join(row)} |" for row in (list(columns), rule, *cells)]


def _alignment(column: Sequence[str]) -> str:
    return "---:" if column and all(cell[:1] in "+-.0123456789" for cell in column) else "---"
