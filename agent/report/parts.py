"""The parts of a report below an answer, as HTML: quotations in their sections, calls, markers, budget.

Every text is escaped. No script, no image, no address but the public page of a section.
"""

from collections.abc import Iterator, Sequence
from html import escape

from agent.answer import Answer, Citation, Step
from agent.report.places import Passage, passage_of
from agent.report.reads import Read, tree_of
from storage.reading import Reader
from tools.clean import clean, one_line

WIDTH, HEIGHT = 1_000, 24
"""Of the bar, in its own units; it is as wide as the page."""


def below(answer: Answer, *, reader: Reader | None, budget: int) -> Iterator[str]:
    """What can be unfolded below an answer. Without a reader, or for another edition, no passages."""
    if reader is not None:
        places = [passage_of(one, reader) for one in answer.citations]
        if shown := [
            _passage(n, one, place)
            for n, (one, place) in enumerate(zip(answer.citations, places, strict=True), 1)
            if place
        ]:
            yield _folded(f"Quotations in their sections ({len(shown)})", "\n".join(shown))
    unit = reader.unit if reader is not None and reader.record.edition == answer.edition else lambda _: None
    if answer.trace:
        yield _folded(f"Calls ({len(answer.trace)})", _reads(tree_of(answer.trace, unit)))
    if answer.unfollowed:
        listed = "".join(f"<li><code>{text(one)}</code></li>" for one in answer.unfollowed)
        yield _folded(f"Markers not followed ({len(answer.unfollowed)})", f"<ul>{listed}</ul>")
    if budget:
        yield _budget(answer, budget)


def _passage(number: int, cited: Citation, place: Passage) -> str:
    path = "".join(f"<li>{text(title)}</li>" for title in place.path)
    before, after = "…\n" if place.cut_before else "", "\n…" if place.cut_after else ""
    return (
        f'<h3>[{number}] {text(f"{cited.secnum} {cited.title}")}</h3>\n<ol class="path">{path}</ol>\n'
        f'<div class="passage">{before}{text(place.before)}<mark>{text(place.quoted)}</mark>'
        f"{text(place.after)}{after}</div>"
    )


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
    parts, at = [], 0.0
    for step in _counted(answer):
        wide = WIDTH * step.characters / budget
        label = text(f"{step.tool}: {step.characters:,} characters")
        parts.append(
            f'<rect class="part" x="{at:.1f}" width="{wide:.1f}" height="{HEIGHT}">'
            f"<title>{label}</title></rect>"
        )
        at += wide
    said = f"{answer.characters:,} of {budget:,} characters were shown"
    return (
        f'<p class="soft">{said}</p>'
        f'<svg class="budget" role="img" aria-label="{said}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' preserveAspectRatio="none">'
        f'<rect class="room" width="{WIDTH}" height="{HEIGHT}"/>{"".join(parts)}</svg>'
    )


def _counted(answer: Answer) -> list[Step]:
    return [step for step in answer.trace if step.ok]


def _folded(summary: str, inside: str) -> str:
    return f"<details><summary>{text(summary)}</summary><div>\n{inside}\n</div></details>"


def text(anything: str) -> str:
    """Safe inside an element and inside a quoted attribute."""
    return escape(clean(anything), quote=True)


def line(anything: str) -> str:
    """The same, on one line."""
    return text(one_line(anything))
