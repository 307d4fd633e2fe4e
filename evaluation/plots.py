"""Plots of shares as SVG: lines over a few places, or dots in named rows. Pure: numbers in, text out.

What a study stores as a plot (`title`, `kind`, `x`, `y`, `places`, `series`) is drawn here, in the
colours and letters of `evaluation.figures`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

WIDTH = 760
TOP, BOTTOM, RIGHT = 44, 56, 20
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#6b7280")
"""Told apart by colour-blind readers too (Okabe and Ito)."""
ROW, LEGEND = 22, 18
_INK, _GRID = "#111827", "#d1d5db"

Series = Mapping[str, Sequence[float]]


def drawn(plot: Mapping[str, Any]) -> str:
    """A stored plot as a whole SVG file."""
    body, height = (_dots if plot["kind"] == "dots" else _lines)(plot)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(plot['title'])}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(WIDTH / 2, 22, plot["title"], anchor="middle", size=14),
        *body,
        *_legend(list(plot["series"]), height),
    ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def ticks(series: Series) -> list[float]:
    """Round values, evenly spaced, that enclose all of the series; inside 0 to 1 where they all are."""
    values = [value for held in series.values() for value in held]
    low, high = min(values, default=0.0), max(values, default=1.0)
    step = next(
        (step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if (high - low) / step <= 6),
        max(0.5, 10 ** math.floor(math.log10(max(high - low, 1.0)))),
    )
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * number, 6) for number in range(first, max(last, first + 1) + 1)]


def _lines(plot: Mapping[str, Any]) -> tuple[list[str], int]:
    places, series = plot["places"], plot["series"]
    height = 380 + LEGEND * _legend_rows(len(series))
    bottom, marks = 380 - BOTTOM, ticks(series)
    across = _scale(0, max(1, len(places) - 1), 90, WIDTH - RIGHT - 20)
    down = _scale(marks[0], marks[-1], bottom, TOP)
    out = [_line(70, down(mark), WIDTH - RIGHT, down(mark), _GRID) for mark in marks]
    out += [_text(62, down(mark) + 4, f"{mark:g}", anchor="end") for mark in marks]
    out += [_text(across(n), bottom + 18, name, anchor="middle") for n, name in enumerate(places)]
    out.append(_text((WIDTH + 70) / 2, bottom + 40, plot["x"], anchor="middle"))
    middle = (TOP + bottom) / 2
    out.append(
        f'<g transform="rotate(-90 18 {middle:g})">{_text(18, middle, plot["y"], anchor="middle")}</g>'
    )
    for number, values in enumerate(series.values()):
        points = [(across(n), down(value)) for n, value in enumerate(values)]
        path = "M" + " L".join(f"{x:.0f},{y:.0f}" for x, y in points)
        out.append(f'<path d="{path}" fill="none" stroke="{_colour(number)}" stroke-width="2"/>')
        out += [_dot(x, y, number) for x, y in points]
    return out, height


def _dots(plot: Mapping[str, Any]) -> tuple[list[str], int]:
    places, series = plot["places"], plot["series"]
    bottom = TOP + ROW * len(places)
    height = bottom + BOTTOM + LEGEND * _legend_rows(len(series))
    left = 20 + 7 * max((len(name) for name in places), default=0)
    marks = ticks(series)
    across = _scale(marks[0], marks[-1], left + 10, WIDTH - RIGHT - 10)
    out = [_line(across(mark), TOP, across(mark), bottom, _GRID) for mark in marks]
    out += [_text(across(mark), bottom + 18, f"{mark:g}", anchor="middle") for mark in marks]
    out.append(_text((left + WIDTH) / 2, bottom + 40, plot["y"], anchor="middle"))
    for row, name in enumerate(places):
        level = TOP + ROW * (row + 0.5)
        out += [
            _text(left, level + 4, name, anchor="end"),
            _line(left + 10, level, WIDTH - 30, level, "#f3f4f6"),
        ]
        out += [_dot(across(values[row]), level, number) for number, values in enumerate(series.values())]
    return out, height


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda value: start + (value - low) / ((high - low) or 1) * (end - start)


def _legend_rows(count: int) -> int:
    return -(-count // 3)


def _legend(names: Sequence[str], height: int) -> list[str]:
    """Three names a row, under the plot."""
    out = []
    for number, name in enumerate(names):
        x = 70 + (WIDTH - 90) / 3 * (number % 3)
        y = height - LEGEND * (_legend_rows(len(names)) - number // 3) + 6
        out += [_dot(x, y, number), _text(x + 12, y + 4, name)]
    return out


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _dot(x: float, y: float, number: int) -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{_colour(number)}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 12) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" fill="{_INK}">'
        f"{escape(words)}</text>"
    )
