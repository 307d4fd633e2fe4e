"""How values look in a notebook: HTML for a unit and a packet. Every text is escaped; nothing is loaded."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from storage.model import Unit
from tools.clean import clean, one_line

if TYPE_CHECKING:
    from tools.packet import Packet, Refusal, Selected

LISTED = 8
"""Refusals that are shown before the rest is only counted."""
_TEXT = "white-space:pre-wrap;font-family:ui-monospace,monospace;font-size:.85em;margin:.3em 0 .8em 1em"
_SOFT = "color:GrayText;font-size:.9em"


@dataclass(frozen=True, slots=True)
class Section:
    """A section, piece or block that shows itself in a notebook."""

    unit: Unit

    def _repr_html_(self) -> str:
        return unit_html(self.unit)


def unit_html(unit: Unit) -> str:
    """A section, piece or block: where it stands, what it is, its text, its children."""
    heading = _line(f"{unit.secnum} {unit.title}")
    where = (
        f"{' › '.join(unit.titlepath.split(' > '))}; {unit.level.value}, {unit.kind.value}, {unit.edition},"
        f" characters {unit.start:,} to {unit.end:,} of {unit.source};"
        f" subsections: {', '.join(unit.subsections) or 'none'}"
    )
    return (
        f"<div><strong>{heading}</strong> <code>{_line(unit.unitid)}</code><br>"
        f'<span style="{_SOFT}">{_line(where)}</span><div style="{_TEXT}">{_text(unit.text)}</div></div>'
    )


def packet_html(packet: "Packet") -> str:
    """What was selected, which hits led there, and what was refused and why."""
    head = (
        f"<strong>{_line(packet.strategy)}</strong>: {len(packet.selected)} units,"
        f" {packet.characters:,} characters, {packet.candidates} candidates, {packet.calls} calls"
    )
    return f"<div>{head}{_listed(_selected(one) for one in packet.selected)}{_refused(packet.refusals)}</div>"


def _selected(one: "Selected") -> str:
    hits = ", ".join(child.unitid for child in one.children)
    return (
        f"<code>{_line(one.unitid)}</code>"
        f' <span style="{_SOFT}">{one.level.value}; hits: {_line(hits) or "none"}</span>'
        f'<div style="{_TEXT}">{_text(one.text)}</div>'
    )


def _refused(refusals: Iterable["Refusal"]) -> str:
    lines = [f"<code>{_line(one.unitid)}</code>: {one.reason.value}" for one in refusals]
    more = f"and {len(lines) - LISTED} more" if len(lines) > LISTED else ""
    return f'<span style="{_SOFT}">refused</span>{_listed(lines[:LISTED])}{more}' if lines else ""


def _listed(items: Iterable[str]) -> str:
    return f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>"


def _text(text: str) -> str:
    return escape(clean(text), quote=True)


def _line(text: str) -> str:
    return escape(one_line(text), quote=True)
