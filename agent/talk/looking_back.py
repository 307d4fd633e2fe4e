"""Commands about the last answer: what it rests on, how it came about, what it cost."""

from collections.abc import Iterator

from agent.answer import Answer, Step
from agent.talk.state import Conversation
from storage.errors import InputError
from tools.clean import one_line
from tools.resolve import resolve

BAR = 30
"""Characters of the bar that shows how much of the budget was used."""


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
    filled = min(BAR, round(BAR * answer.characters / budget)) if budget else 0
    yield f"Shown: [{'#' * filled}{'.' * (BAR - filled)}] {answer.characters:,} of {budget:,} characters"
    yield from (f"  {sectionid}" for sectionid in answer.read)
    if answer.unfollowed:
        yield f"Markers not followed: {', '.join(answer.unfollowed)}"


def trace(conversation: Conversation, _: str) -> str:
    """The calls in order, each with what it was answered."""
    answer = _last(conversation)
    lines = [line for number, step in enumerate(answer.trace, start=1) for line in _step(number, step)]
    return "\n".join([*lines, *answer.notes]) or "The last answer made no call."


def _step(number: int, step: Step) -> Iterator[str]:
    arguments = ", ".join(f"{key}={value!r}" for key, value in step.arguments.items())
    yield f"{number}. {step.tool}({one_line(arguments)})"
    if not step.ok:
        yield f"   refused: {one_line(step.said)}"
        return
    yield f"   {step.characters:,} characters: {', '.join(step.sections) or 'nothing'}"


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
    if cited:
        yield f"{shown} is cited: {', '.join(f'[{place}]' for place in cited)}."
    elif ids & set(answer.read):
        yield f"{shown} was read, and nothing of it was quoted."
    elif ids & set(answer.unfollowed):
        yield f"A marker led to {shown}, and it was not followed."
    else:
        yield f"{shown} was not read."


def _searches(conversation: Conversation, answer: Answer, ids: set[str]) -> Iterator[str]:
    """Its place in each search. One that did not give it is asked again, for more hits."""
    from tools.search import MOST_HITS, search

    session = conversation.session
    if answer.edition != session.reader.record.edition:
        yield f"The answer is about {answer.edition}: its searches cannot be looked into from here."
        return
    for query in answer.searched:
        hits = search(query, session.reader, session.embedder, limit=MOST_HITS).hits
        places = [(place, hit) for place, hit in enumerate(hits, start=1) if hit.section.unitid in ids]
        said = f"not among the first {MOST_HITS}"
        if places:
            place, hit = places[0]
            led = ", ".join(f"{one.unitid} {one.score:.3f}" for one in hit.matched[:3])
            said = f"place {place}{f' ({hit.why})' if hit.why else ''}{f', by {led}' if led else ''}"
        yield f"Search “{one_line(query)}”: {said}."


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
