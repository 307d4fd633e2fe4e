"""Figures as SVG, written by hand: a few lines and words, no library. Pure: numbers in, text out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log10

_WIDTH, _HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 44, 56
_COLOURS = ("#6b7280", "#0072b2", "#d55e00", "#009e73")
"""Told apart by colour-blind readers too (Okabe and Ito)."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis between two values, with a name and the values that are marked on it."""

    name: str
    low: float
    high: float
    ticks: tuple[int, ...]

    def share(self, value: float) -> float:
        """Where a value stands between the ends, from 0 to 1."""
        inside = min(max(value, self.low), self.high)
        return (log10(inside) - log10(self.low)) / (log10(self.high) - log10(self.low))


def longer_than(title: str, series: Mapping[str, Sequence[int]], x: Axis, y: Axis) -> str:
    """For each series a step line: how many of its values are longer than the length on the x axis."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_WIDTH / 2, 22, title, anchor="middle", size=14),
        *_axes(x, y),
    ]
    for place, (name, values) in enumerate(series.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        lines.append(
            f'<path d="{_steps(sorted(values), x, y)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        top = _TOP + 16 + 18 * place
        lines.append(f'<rect x="{_WIDTH - 190}" y="{top - 9}" width="18" height="4" fill="{colour}"/>')
        lines.append(_text(_WIDTH - 164, top, name))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _at(x: Axis, y: Axis, length: float, count: float) -> tuple[int, int]:
    across = _LEFT + x.share(length) * (_WIDTH - _LEFT - _RIGHT)
    down = _HEIGHT - _BOTTOM - y.share(count) * (_HEIGHT - _TOP - _BOTTOM)
    return round(across), round(down)  # whole pixels: finer than the eye sees, and a tenth of the file


def _steps(values: Sequence[int], x: Axis, y: Axis) -> str:
    """Down a step at each value; drawn no finer than the picture shows."""
    count = sum(1 for value in values if value > x.low)
    points = [_at(x, y, x.low, count)]
    for value in values:
        if value > x.low:
            across, _ = _at(x, y, value, count)
            if across != points[-1][0]:
                points.append((across, points[-1][1]))
            count -= 1
            points.append((across, _at(x, y, value, max(count, y.low))[1]))
    kept = [point for place, point in enumerate(points) if place == 0 or point != points[place - 1]]
    return "M" + " L".join(f"{across:g},{down:g}" for across, down in kept)


def _axes(x: Axis, y: Axis) -> list[str]:
    left, bottom = _at(x, y, x.low, y.low)
    right, top = _at(x, y, x.high, y.high)
    grid = '<line x1="{:g}" y1="{:g}" x2="{:g}" y2="{:g}" stroke="#d1d5db"/>'
    lines = []
    for tick in x.ticks:
        across, _ = _at(x, y, tick, y.low)
        lines += [
            grid.format(across, bottom, across, top),
            _text(across, bottom + 18, f"{tick:,}", anchor="middle"),
        ]
    for tick in y.ticks:
        _, down = _at(x, y, x.low, tick)
        lines += [grid.format(left, down, right, down), _text(left - 8, down + 4, f"{tick:,}", anchor="end")]
    middle = (top + bottom) / 2
    lines.append(_text((left + right) / 2, _HEIGHT - 14, x.name, anchor="middle"))
    turned = f'<g transform="rotate(-90 18 {middle:g})">{_text(18, middle, y.name, anchor="middle")}</g>'
    return [*lines, turned]


def _text(across: float, down: float, words: str, *, anchor: str = "start", size: int = 12) -> str:
    return (
        f'<text x="{across:g}" y="{down:g}" text-anchor="{anchor}" font-size="{size}" fill="#111827">'
        f"{escape(words)}</text>"
    )
