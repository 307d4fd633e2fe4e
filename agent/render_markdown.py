"""An answer as Markdown: for a file, an issue or a chat. One function a part.

Every text that comes from a specification, a model or a question is escaped, so that nothing in it becomes a
heading, a link, an image or HTML.
"""

import re
from collections.abc import Iterator

from agent.answer import NEAREST_HERE, Answer, Citation, Place, Verdict
from agent.claims import doubt, numbers
from agent.links import followable
from agent.render import VERDICTS, facts, headline, reasons, says
from agent.repair import differences_of
from tools.clean import clean, one_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+!|~&$@:])")
_LIST = re.compile(r"^(\s*)([-=]|\d+(?=\.))", re.MULTILINE)
_BARE_LINK = re.compile(r"(www)\.", re.IGNORECASE)


def escaped(text: str) -> str:
    r"""The text as Markdown shows it, letter for letter; a line's indentation, which makes code of it, is
    lost.

    >>> escaped("[[Get]] <b> 1_000")
    '\\[\\[Get\\]\\] \\<b\\> 1\\_000'
    >>> escaped("   2. Return x.")
    '2\\. Return x.'
    """
    plain = _SPECIAL.sub(r"\\\1", "\n".join(line.strip() for line in clean(text).splitlines()))
    return _BARE_LINK.sub(r"\1\\.", _LIST.sub(_unlisted, plain))


def _unlisted(found: re.Match[str]) -> str:
    """A line's first characters so written that they begin no list, rule or underline."""
    start = found[2]
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def markdown(answer: Answer) -> str:
    """The whole answer, its question as the heading."""
    return "\n\n".join(part for part in _parts(answer) if part) + "\n"


def _parts(answer: Answer) -> Iterator[str]:
    yield f"## {escaped(one_line(answer.question))}"
    if warning := headline(answer):
        yield f"**{escaped(warning)}**"
    for claim in answer.claims:
        mark = doubt(claim, answer.citations)
        said = (_broken(claim.text), escaped(numbers(claim)), f"**({mark})**" if mark else "")
        yield " ".join(part for part in said if part)
    yield from (_broken(part) for part in reasons(answer))
    if answer.nearest:
        yield f"{NEAREST_HERE}{'; '.join(map(_place, answer.nearest))}"
    for place, one in enumerate(answer.citations, start=1):
        yield _citation(place, one, repeat=not says(answer, one))
    yield "\n".join(f"- {escaped(fact)}" for fact in facts(answer))


def _citation(place: int, cited: Citation, *, repeat: bool) -> str:
    """`[1]` verdict, linked heading, step, edition, ids; below it the words, if they are to be repeated."""
    heading = escaped(one_line(f"{cited.secnum} {cited.title}") or "no title")
    linked = _linked(heading, cited.url)
    step = f", step {escaped(one_line(cited.step))}" if cited.step else ""
    edition = f" ({escaped(one_line(cited.edition))})" if cited.edition else ""
    note = f": {escaped(one_line(cited.note))}" if cited.note else ""
    section = f", {escaped(one_line(cited.sectionid))}" if cited.sectionid else ""
    piece = f", piece {escaped(one_line(cited.piece))}" if cited.piece else ""
    lines = [f"\\[{place}\\] {VERDICTS[cited.verdict]}{note}: {linked}{step}{edition}{section}{piece}"]
    if repeat:
        lines += ["", *(f"> {line}" for line in _broken(cited.quote).splitlines())]
    if cited.verdict is not Verdict.VERIFIED and cited.near:
        lines += ["", f"The text has: “{escaped(one_line(cited.near))}”"]
        lines[-1] += f" ({escaped(differences_of(cited.differences))})"
    return "\n".join(lines)


def _broken(text: str) -> str:
    """Escaped, with each line on a line of its own."""
    return "  \n".join(line for line in escaped(text).splitlines() if line)


def _place(place: Place) -> str:
    linked = _linked(escaped(one_line(f"{place.secnum} {place.title}")), place.url)
    return f"{linked} ({escaped(one_line(place.sectionid))})"


def _linked(text: str, url: str) -> str:
    return f"[{text}]({url})" if followable(url) else text
