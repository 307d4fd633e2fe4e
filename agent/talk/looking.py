"""Commands that look into the edition: sections, trees, names, searches, references. They change nothing."""

from collections.abc import Iterator, Sequence

from agent.talk.state import DEFAULT_STRATEGY, Conversation, More
from storage.errors import InputError
from storage.model import Level, Unit
from storage.reading import Reader
from tools import show
from tools.clean import one_line
from tools.packet import Packet
from tools.references import outgoing
from tools.resolve import offer, resolve, seek
from tools.results import ToolResult

DEPTH, DEEPEST = 2, 50
"""Levels that `/tree` shows without a number, and at most."""
REFERRING = 20
"""Sections that refer to one, before the rest is only counted: some are referred to by hundreds."""


def section(conversation: Conversation, asked: str) -> str:
    """The section's text; what does not fit is kept for `/more`."""
    wanted = _wanted(asked, "/section sec-tonumber")
    return _fetched(conversation, conversation.toolbox.fetch_section_chunks(wanted))


def more(conversation: Conversation, _: str) -> str:
    """The next page of the section shown last."""
    left = conversation.more
    if left is None:
        raise InputError("there is nothing more to show: /section ID shows a section")
    page = conversation.toolbox.fetch_section_chunks(left.sectionid, cursor=left.cursor)
    return _fetched(conversation, page)


def _fetched(conversation: Conversation, result: ToolResult) -> str:
    text = _told(result)
    following = result.data.get("next")
    conversation.more = More(str(result.data["sectionid"]), str(following)) if following else None
    if not following:
        return text
    # The cursor is for a model; a person types less.
    return "\n".join([*text.splitlines()[:-1], "More follows: /more shows it."])


def children(conversation: Conversation, asked: str) -> str:
    """The section's immediate children."""
    wanted = _wanted(asked, "/children 7.1")
    read, in_part = conversation.read(), conversation.read_in_part()
    return _told(conversation.toolbox.check_subsections(wanted, read=read, in_part=in_part))


def search(conversation: Conversation, words: str) -> str:
    """Hits of the search, or the packet of the strategy that was chosen."""
    wanted = _wanted(words, "/search property key")
    if conversation.strategy == DEFAULT_STRATEGY:
        return _told(conversation.toolbox.search_spec(wanted))
    from tools.budget import Budget
    from tools.stored_library import StoredLibrary
    from tools.strategies.table import run

    session = conversation.session
    library = StoredLibrary(session.reader, session.embedder)
    return packet(run(conversation.strategy, wanted, library, Budget()), strategy=conversation.strategy)


def packet(chosen: Packet, *, strategy: str) -> str:
    """A packet as text: what was selected, by which hits, and what was refused and why."""
    lines = [
        f"{strategy}: {len(chosen.selected)} units, {chosen.characters:,} characters,"
        f" from {chosen.candidates} candidates in {chosen.calls} calls"
    ]
    for place, unit in enumerate(chosen.selected, start=1):
        led = ", ".join(child.unitid for child in unit.children)
        hit = f" (hit: {led})" if led and led != unit.unitid else ""
        lines += [f"\n{place}. {unit.unitid}{hit}", unit.text]
    lines += [f"\nrefused: {one.unitid} ({one.reason})" for one in chosen.refusals]
    return "\n".join(lines)


def find(conversation: Conversation, name: str) -> str:
    """Every place that a name leads to: definitions first, then where it is only mentioned."""
    wanted, reader = _wanted(name, "/find ToNumber"), conversation.session.reader
    sought = seek(wanted, reader)
    if not sought.units:
        return f"No name is written like `{one_line(wanted)}`.{offer(sought.nearest)}"
    others = [one.unit for one in sought.found if one.unit not in sought.units]
    lines = [_entry(unit) for unit in sought.units]
    return "\n".join([*lines, *(f"{_entry(unit)} (mentions it)" for unit in dict.fromkeys(others))])


def _entry(unit: Unit) -> str:
    """An id that every command takes, and what it is called."""
    return f"{one_line(unit.unitid)}  {show.heading(unit)}"


def refs(conversation: Conversation, asked: str) -> str:
    """What a section refers to, and what refers to it, operations first."""
    reader = conversation.session.reader
    unit = resolve(_wanted(asked, "/refs sec-tonumber"), reader).unit
    to = outgoing([unit], reader)
    lines = [f"{show.heading(unit)} refers to:", *(f"  {one.sectionid}  {one_line(one.name)}" for one in to)]
    if not to:
        lines[0] = f"{show.heading(unit)} refers to no other section."
    by = _referring(reader, unit.clauseid)
    if not by:
        return "\n".join([*lines, "No section refers to it."])
    lines.append(f"{len(by):,} {'section refers' if len(by) == 1 else 'sections refer'} to it:")
    lines += [f"  {_entry(one)}" for one in by[:REFERRING]]
    return "\n".join(lines + ([f"  and {len(by) - REFERRING:,} more"] if len(by) > REFERRING else []))


def _referring(reader: Reader, sectionid: str) -> list[Unit]:
    """By what a piece of it refers to, a section refers; each once, those that define an operation first."""
    units = reader.matching({"level": Level.SECTION.value}) + reader.matching({"level": Level.PIECE.value})
    ids = [unit.clauseid for unit in units if sectionid in unit.references and unit.clauseid != sectionid]
    return sorted(reader.units(list(dict.fromkeys(ids))), key=lambda unit: not unit.aoid)


def tree(conversation: Conversation, asked: str) -> str:
    """What stands below a section, so many levels deep; without one the outermost sections."""
    words, reader = asked.split(), conversation.session.reader
    depth = DEPTH
    if words and words[-1].isascii() and words[-1].isdigit() and (len(words) > 1 or int(words[-1]) == 0):
        depth = int(words.pop())
    if not 1 <= depth <= DEEPEST:
        raise InputError(f"the depth is {depth}; it may be from 1 to {DEEPEST}")
    if words:
        root = resolve(" ".join(words), reader).unit
        return "\n".join([show.heading(root), *_below(reader, root.subsections, depth=depth, indent=1)])
    pages = reader.matching({"level": Level.PAGE.value})
    roots = [child for page in pages for child in page.subsections]
    return "\n".join(_below(reader, _by_number(reader.units(roots)), depth=1, indent=0))


def _by_number(units: Sequence[Unit]) -> list[str]:
    """Chapters by number, annexes after them."""

    def rank(unit: Unit) -> tuple[bool, int, str]:
        number = unit.secnum.partition(".")[0]
        return unit.annex, int(number) if number.isdigit() else 0, number

    return [unit.unitid for unit in sorted(units, key=rank)]


def _below(reader: Reader, ids: Sequence[str], *, depth: int, indent: int) -> Iterator[str]:
    for unit in reader.units(ids):
        below = len(unit.subsections)
        folded = f" ({below} below)" if below and depth == 1 else ""
        # A number is as good as an id; what has none shows its id.
        name = show.heading(unit) if unit.secnum else f"{show.heading(unit)} {one_line(unit.unitid)}"
        yield f"{'  ' * indent}{name}{folded}"
        if depth > 1:
            yield from _below(reader, unit.subsections, depth=depth - 1, indent=indent + 1)


def _wanted(text: str, example: str) -> str:
    if not text:
        raise InputError(f"say which, such as {example}")
    return text


def _told(result: ToolResult) -> str:
    if not result.ok:
        raise InputError(result.text)
    return result.text
