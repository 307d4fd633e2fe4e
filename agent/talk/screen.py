"""Where a conversation is shown: answers on standard output, everything about it on standard error, dimmed.

Colour and links only where they are wanted: a terminal, and no `NO_COLOR`. Text is cleaned before it comes
here, and nothing of it is read as markup.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.links import followable
from agent.render import can_show_marks, terminal
from tools.clean import clean

if TYPE_CHECKING:
    from rich.text import Text

_MARK = re.compile(r"^\[\d+\] (?P<mark>[✓✗] [a-z ]+)", re.MULTILINE)


def say(line: str) -> None:
    """About the conversation, for the person; never in the way of a pipe."""
    line = clean(line)
    sys.stderr.write(f"\x1b[2m{line}\x1b[0m\n" if coloured(sys.stderr) else f"{line}\n")
    sys.stderr.flush()


def show_answer(answer: Answer) -> None:
    """An answer, its sections clickable where the terminal can."""
    text = terminal(answer, marks=can_show_marks(sys.stdout.encoding))
    links = {one.sectionid: one.url for one in answer.citations if followable(one.url)}
    _show(text, lambda shown: _dress(shown, links))


def show_text(text: str) -> None:
    """What a command gave."""
    _show(clean(text), lambda _: None)


def _show(text: str, dress: "Callable[[Text], None]") -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(f"{text}\n\n")
    else:
        from rich.console import Console
        from rich.text import Text

        shown = Text(text)
        if coloured(sys.stdout):
            dress(shown)
        Console(highlight=False, markup=False, emoji=False).print(shown, end="\n\n")
    sys.stdout.flush()


def _dress(text: "Text", links: Mapping[str, str]) -> None:
    for found in _MARK.finditer(text.plain):
        text.stylize("green" if found["mark"].startswith("✓") else "red", *found.span("mark"))
    for sectionid, url in links.items():
        for found in re.finditer(rf"(?<![\w.-]){re.escape(sectionid)}(?![\w-])", text.plain):
            text.stylize(f"link {url}", *found.span())


def coloured(stream: object) -> bool:
    """Whether escape sequences may be written; see no-color.org."""
    isatty = getattr(stream, "isatty", lambda: False)
    able = os.environ.get("TERM", "") not in ("", "dumb")
    return bool(isatty()) and able and not os.environ.get("NO_COLOR")
