"""The parts of a report below an answer, as HTML: quotations in their sections, calls, markers, budget.

Every text is escaped. No script, no image, no address but the public page of a section.
"""

from collections.abc import Iterator, Sequence
from html import escape

from agent.answer import Answer
from agent.links import followable
from agent.render import unread
from agent.report.places import Part, Passage, passages_of
from agent.report.reads import Read, tree_of
from storage.reading import Reader
from tools.clean import clean, one_line

WIDTH, HEIGHT = 1_000, 24
"""Of the bar, in its own units; it is as wide as the page."""


def below(answer: Answer, *, reader: Reader | None, budget: int) -> Iterator[str]:
    """What can be unfolded below an answer. Without a reader, or for another edition, no passages."""
    if reader is not None and (shown := list(passages_of(answer.citations, reader))):
        yield _folded(f"Quotations in their sections ({len(shown)})", "\n".join(map(_passage, shown)))
    unit = reader.unit if reader is not None and reader.record.edition == answer.edition else lambda _: None
    if answer.trace:
        yield _folded(f"Calls ({len(answer.trace)})", _reads(tree_of(answer.trace, unit)))
    for label, entries in {"Markers followed": answer.followed, **unread(answer)}.items():
        if entries:
            listed = "".join(f"<li><code>{line(one)}</code></li>" for one in entries)
            yield _folded(f"{label} ({len(entries)})", f"<ul>{listed}</ul>")
    if budget:
        yield _budget(answer, budget)


def _passage(place: Passage) -> str:
    numbers = "".join(f"[{number}]" for number in place.numbers)
    heading = line(f"{place.first.secnum} {place.first.title}")
    if followable(place.first.url):
        heading = f'<a href="{escape(place.first.url, quote=True)}">{heading}</a>'
    path = "".join(f"<li>{line(title)}</li>" for title in place.path)
    inside = "".join(map(_part, place.parts))
    return (
        f'<h3>{numbers} {heading}</h3>\n<ol class="path" aria-label="Where it stands">{path}</ol>\n'
        f'<div class="passage">{inside}</div>'
    )


def _part(part: Part) -> str:
    if part.gap:
        return '<div class="soft">…</div>'
    return f"<mark>{text(part.text)}</mark>" if part.quoted else text(part.text)


def _reads(reads: Sequence[Read]) -> str:
    items = "".join(f"<li>{_read(one)}</li>" for one in reads)
    return f'<ul class="reads">{items}</ul>'


def _read(read: Read) -> str:
    step = read.step
    arguments = ", ".join(f"{key}={value!r}" for key, value in step.arguments.items())
    came = (
        f"{step.characters:,} characters: {', '.join(step.sections)}"
        if step.ok
        else f"turned away: {step.said}"
    )
    below = f"<ul>{''.join(f'<li>{_read(one)}</li>' for one in read.led_to)}</ul>" if read.led_to else ""
    return (
        f'<code>{text(f"{step.tool}({arguments})")}</code><br><span class="soft">{text(came)}</span>{below}'
    )


def _budget(answer: Answer, budget: int) -> str:
    """A bar: each call's share of the characters that a question may be shown."""
    bars, at, found = [], 0.0, 0
    for step in answer.trace:
        if not step.ok or step.characters <= 0:
            continue
        searched = "query" in step.arguments
        found += step.characters if searched else 0
        wide = min(WIDTH * step.characters / budget, WIDTH - at)
        bars.append(
            f'<rect class="part{" found" if searched else ""}" x="{at:.1f}" width="{wide:.1f}"'
            f' height="{HEIGHT}"><title>{line(f"{step.tool}: {step.characters:,} characters")}</title></rect>'
        )
        at += wide
    said = (
        f"{answer.characters:,} of {budget:,} characters were shown:"
        f" {found:,} found by searches, {max(0, answer.characters - found):,} read"
    )
    return (
        f'<p class="soft">{said}</p>'
        f'<svg class="budget" role="img" aria-label="{said}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' preserveAspectRatio="none">'
        f'<rect class="room" width="{WIDTH}" height="{HEIGHT}"/>{"".join(bars)}</svg>'
    )


def _folded(summary: str, inside: str) -> str:
    return f"<details><summary>{text(summary)}</summary><div>\n{inside}\n</div></details>"


def text(anything: str) -> str:
    """Safe inside an element and inside a quoted attribute."""
    return escape(clean(anything), quote=True)


def line(anything: str) -> str:
    """The same, on one line."""
    return text(one_line(anything))
