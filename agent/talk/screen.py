"""Where a conversation is shown: answers on standard output, everything about it on standard error, dimmed.

Colour and links only where they are wanted: a terminal, and no `NO_COLOR`. Text is cleaned before it comes
here, and nothing of it is read as markup.
"""

import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.links import followable
from agent.render import can_show_marks, terminal
from tools.clean import clean, one_line

if TYPE_CHECKING:
    from rich.text import Text

_MARK = re.compile(r"^(?:\[\d+\])+ (?P<mark>[✓✗] [a-z ]+)", re.MULTILINE)
_DOUBT = re.compile(r"\(✗ [a-z ]+\)$", re.MULTILINE)
_ID = re.compile(r"(?<![\w%$@.-])[A-Za-z%][\w%$@.-]*[\w%$@]")
"""What may be the id of a section; whether it is one, the edition knows."""

Link = Callable[[str], str]
"""The public page of a section; empty for what has none, and for what is no section."""


def say(line: str) -> None:
    """About the conversation, for the person; never in the way of a pipe. More than a line is for reading,
    and is not dimmed."""
    _tell(line, "0" if "\n" in line else "2")


def complain(error: object) -> None:
    """An error: one line that is not overlooked, and that ends nothing."""
    _tell(f"error: {error}", "31")


def _tell(line: str, style: str) -> None:
    line = clean(line)
    sys.stderr.write(f"\x1b[{style}m{line}\x1b[0m\n" if coloured(sys.stderr) else f"{line}\n")
    sys.stderr.flush()


def show_answer(answer: Answer, *, link: Link) -> None:
    """An answer, its sections clickable where the terminal can.

    What it took stands below it, unless a person sees that on standard error, with how to see more.
    """
    seen = sys.stdout.isatty() and sys.stderr.isatty()
    text = terminal(answer, marks=can_show_marks(sys.stdout.encoding), counts=not seen)
    _show(text, _links(answer, link))
    if sys.stderr.isatty():
        say(took(answer))


def _links(answer: Answer, link: Link) -> Link:
    """What is cited leads to the edition that was asked then, whichever is asked now."""
    cited = {one.sectionid: one.url for one in answer.citations if followable(one.url)}
    return lambda sectionid: cited.get(sectionid) or link(sectionid)


def linked(text: str, answer: Answer, *, link: Link) -> str:
    """An answer as it is written once, its sections clickable where standard output is a terminal that can;
    elsewhere the text as it is. Colours and folding of lines cost a start more: a conversation has them."""
    if not coloured(sys.stdout):
        return text
    urls = _links(answer, link)

    def one(found: re.Match[str]) -> str:
        url = urls(found.group())
        return f"\x1b]8;;{url}\x1b\\{found.group()}\x1b]8;;\x1b\\" if url else found.group()

    return _ID.sub(one, text)


def took(answer: Answer) -> str:
    """The calls of an answer on one line.

    Such as `4 calls, 2 searches, 2 sections read, 3.5 s, offline, es2026; /trace shows them`.
    """
    counts = (
        (answer.calls, "call", "calls"),
        (len(answer.searched), "search", "searches"),
        (len(answer.read), "section read", "sections read"),
    )
    parts = [f"{number:,} {one if number == 1 else many}" for number, one, many in counts]
    parts += [f"{answer.seconds:.1f} s", one_line(answer.model), one_line(answer.edition)]
    return f"{', '.join(parts)}; /trace shows them"


def show_text(text: str, *, link: Link) -> None:
    """What a command gave."""
    _show(clean(text), link)


def _show(text: str, link: Link) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(f"{text}\n\n")
    else:
        from rich.console import Console
        from rich.text import Text

        shown = Text(text)
        if coloured(sys.stdout):
            _dress(shown, link)
        Console(highlight=False, markup=False, emoji=False).print(shown, end="\n\n")
    sys.stdout.flush()


def _dress(text: "Text", link: Link) -> None:
    for found in _MARK.finditer(text.plain):
        text.stylize("green" if found["mark"].startswith("✓") else "red", *found.span("mark"))
    for found in _DOUBT.finditer(text.plain):
        text.stylize("red", *found.span())
    for found in _ID.finditer(text.plain):
        if url := link(found.group()):
            text.stylize(f"link {url}", *found.span())


def coloured(stream: object) -> bool:
    """Whether escape sequences may be written; see no-color.org."""
    isatty = getattr(stream, "isatty", lambda: False)
    able = os.environ.get("TERM", "") not in ("", "dumb")
    return bool(isatty()) and able and not os.environ.get("NO_COLOR")
