"""Commands about the last answer: what it rests on, how it came about, what it cost."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agent.answer import Answer, Step
from agent.render import unread
from agent.talk.state import Conversation
from storage.errors import Ask262Error, InputError
from tools.clean import one_line, shortened
from tools.resolve import resolve

if TYPE_CHECKING:
    from tools.search import Hit

BAR = 30
"""Characters of the bar that shows how much of the budget was used."""
LED = 3
"""Units that led to a hit, before the rest is left out: the best decide."""


def sources(conversation: Conversation, _: str) -> str:
    """Each quotation in its section, and the packet: what this question was shown, against the budget."""
    answer = _last(conversation)
    budget = conversation.session.settings.budget_characters
    return "\n".join([*_quotations(answer), *_packet(answer, budget)])


def _quotations(answer: Answer) -> Iterator[str]:
    if not answer.citations:
        yield "The last answer quotes nothing."
    for place, one in enumerate(answer.citations, start=1):
        step = f", step {one.step}" if one.step else ""
        at = f"{one.source} {one.start:,}-{one.end:,}" if one.start >= 0 else "not in the text"
        heading = one_line(f"{one.secnum} {one.title}")
        yield f"[{place}] {one.verdict}: {heading}{step}, {one.sectionid} ({at})"
        yield f"    “{one_line(one.quote)}”"


def _packet(answer: Answer, budget: int) -> Iterator[str]:
    filled = max(0, min(BAR, round(BAR * answer.characters / budget))) if budget else 0
    yield f"Shown: [{'#' * filled}{'.' * (BAR - filled)}] {answer.characters:,} of {budget:,} characters"
    yield from (f"  {sectionid}" for sectionid in answer.read)
    for label, entries in unread(answer).items():
        if entries:
            yield f"{label}: {', '.join(map(one_line, entries))}"


def trace(conversation: Conversation, asked: str) -> str:
    """The calls in order, each with what it was answered; `on` and `off` say whether they show at once."""
    if asked:
        if asked not in ("on", "off"):
            raise InputError(f"/trace takes on, off or nothing, not {shortened(asked)}")
        conversation.full = asked == "on"
        return "Every step of an answer is shown." if conversation.full else "An answer's steps are counted."
    answer = _last(conversation)
    here = answer.edition == conversation.session.reader.record.edition
    lines: list[str] = []
    for number, step in enumerate(answer.trace, start=1):
        hits = _hits(conversation, step) if here and step.ok and _searched(step) else ()
        lines += _step(number, step, hits)
    return "\n".join([*lines, *answer.notes]) or "The last answer made no call."


def _step(number: int, step: Step, hits: "Sequence[Hit]") -> Iterator[str]:
    arguments = ", ".join(f"{key}={value!r}" for key, value in step.arguments.items())
    yield f"{number}. {step.tool}({one_line(arguments)})"
    if not step.ok:
        yield f"   refused: {one_line(step.said)}"
    elif [hit.section.unitid for hit in hits] == list(step.sections):
        yield f"   {step.characters:,} characters:"
        yield from (f"   {place}. {hit.section.unitid}{_led(hit)}" for place, hit in enumerate(hits, start=1))
    else:
        yield f"   {step.characters:,} characters: {', '.join(step.sections) or 'nothing'}"


def _searched(step: Step) -> bool:
    return "query" in step.arguments


def _hits(conversation: Conversation, step: Step, *, limit: int = 0) -> "tuple[Hit, ...]":
    """What a call of the search found, asked again: the same words find the same. Empty for other calls."""
    from tools.filters import Filters
    from tools.search import SEARCH_LIMIT, search

    session, given = conversation.session, step.arguments
    try:
        return search(
            str(given["query"]),
            session.reader,
            session.embedder,
            limit=limit or int(given.get("limit") or SEARCH_LIMIT),
            filters=Filters(given.get("chapter"), given.get("kind"), given.get("annex")),
        ).hits
    except (Ask262Error, TypeError, ValueError):
        # The call may be of a file that /resume read: anything can stand in it.
        return ()


def _led(hit: "Hit") -> str:
    """Why a section was found, and by which of its units with which scores."""
    own = hit.section.unitid
    led = ", ".join(
        f"{one.unitid.removeprefix(own) or 'itself'} {one.score:.3f}" for one in hit.matched[:LED]
    )
    return f"{f' ({hit.why})' if hit.why else ''}{f', by {led}' if led else ''}"


def why(conversation: Conversation, asked: str) -> str:
    """Where a section came up in the last answer, and where it did not."""
    if not asked:
        raise InputError("say which, such as /why sec-tonumber")
    answer = _last(conversation)
    unit = resolve(asked, conversation.session.reader).unit
    ids = {unit.unitid, unit.clauseid}
    return "\n".join([*_uses(answer, ids, unit.unitid), *_searches(conversation, answer, ids)])


def _uses(answer: Answer, ids: set[str], shown: str) -> Iterator[str]:
    cited = [str(place) for place, one in enumerate(answer.citations, start=1) if one.sectionid in ids]
    listed = [step for step in answer.trace if not _searched(step) and ids & set(step.sections)]
    if cited:
        yield f"{shown} is cited: {', '.join(f'[{place}]' for place in cited)}."
    elif ids & set(answer.read):
        in_part = ids & {one.sectionid for one in answer.cut}
        yield f"{shown} was read{' in part' if in_part else ''}, and nothing of it was quoted."
    elif ids & set(answer.unfollowed):
        yield f"A marker led to {shown}, and it was not followed."
    elif listed:
        yield f"{shown} was listed by {listed[0].tool}, and not read."
    else:
        yield f"{shown} was not read."
    for step in answer.trace:
        if not step.ok and str(step.arguments.get("sectionid")) in ids:
            yield f"A call of {step.tool} for it was refused: {one_line(step.said)}"


def _searches(conversation: Conversation, answer: Answer, ids: set[str]) -> Iterator[str]:
    """Its place in each search. One that did not show it is asked again, for more hits."""
    from tools.search import MOST_HITS

    if answer.edition != conversation.session.reader.record.edition:
        yield f"The answer is about {answer.edition}: its searches cannot be looked into from here."
        return
    for step in filter(_searched, answer.trace):
        hits = _hits(conversation, step, limit=MOST_HITS)
        places = [(place, hit) for place, hit in enumerate(hits, start=1) if hit.section.unitid in ids]
        said = f"not among the first {MOST_HITS}"
        if places:
            place, hit = places[0]
            shown = "" if ids & set(step.sections) else f", and {len(step.sections)} were shown"
            said = f"place {place}{shown}{_led(hit)}"
        yield f"Search “{shortened(str(step.arguments['query']))}”: {said}."


def cost(conversation: Conversation, _: str) -> str:
    """Of all answers together."""
    answers = [turn.answer for turn in conversation.turns]
    read, written = conversation.tokens
    lines = [
        f"{len(answers)} {'answer' if len(answers) == 1 else 'answers'},"
        f" {sum(one.calls for one in answers):,} calls,"
        f" {sum(one.characters for one in answers):,} characters,"
        f" {sum(one.seconds for one in answers):,.1f} s"
    ]
    if read or written:
        lines.append(f"{read:,} tokens read, {written:,} tokens written")
    return "\n".join(lines)


def _last(conversation: Conversation) -> Answer:
    if conversation.last is None:
        raise InputError("nothing was asked yet")
    return conversation.last
