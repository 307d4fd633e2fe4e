"""An answer as HTML: one self-contained fragment, and a page around it.

No script, no style from elsewhere, no image. Every text is escaped, and a link leads to the public page of a
section or nowhere. A report puts fragments side by side: all class names begin with `ask262`.
"""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from agent.answer import NEAREST_HERE, Answer, Citation, Claim, Place, Verdict
from agent.claims import doubt
from agent.links import followable
from agent.render import VERDICTS, facts, headline, reasons, says
from agent.repair import differences_of
from tools.clean import clean, one_line

STYLE = """
.ask262 { max-width: 48rem; margin: 2rem auto; font: 1rem/1.5 system-ui, sans-serif; }
.ask262 p { white-space: pre-wrap; }
.ask262 blockquote { margin: .3rem 0 .8rem; padding-left: .8rem; border-left: 3px solid #888;
  white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: .9rem; }
.ask262-verified { color: #1a6e2e; }
.ask262-not_shown, .ask262-not_found, .ask262-unverified, .ask262-status { color: #a3290f; }
.ask262-facts { color: #666; font-size: .85rem; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e4e4e4; }
  .ask262-verified { color: #6fcf87; }
  .ask262-not_shown, .ask262-not_found, .ask262-unverified, .ask262-status { color: #ff9a80; }
  .ask262-facts { color: #aaa; } }
""".strip()


def page(answer: Answer) -> str:
    """A whole page with this answer."""
    title = _text(one_line(answer.question))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{fragment(answer)}\n</body>\n</html>\n"
    )


def fragment(answer: Answer, *, anchor: str = "") -> str:
    """The answer as one element. `anchor` begins the ids in it; without one they begin with the answer's own,
    so that answers to different questions fit on one page."""
    anchor = anchor or f"ask262-{quote(answer.id, safe='')}"
    return "\n".join(
        [f'<article class="ask262" data-status="{answer.status}">', *_parts(answer, anchor), "</article>"]
    )


def _parts(answer: Answer, anchor: str) -> Iterator[str]:
    yield f"<h2>{_text(one_line(answer.question))}</h2>"
    if warning := headline(answer):
        yield f'<p class="ask262-status">{_text(warning)}</p>'
    yield from (_claim(claim, answer, anchor) for claim in answer.claims)
    yield from (f"<p>{_text(part)}</p>" for part in reasons(answer))
    if answer.nearest:
        yield f"<p>{NEAREST_HERE}{'; '.join(map(_place, answer.nearest))}</p>"
    if answer.citations:
        cited = "\n".join(_citation(place, one, answer, anchor) for place, one in enumerate(answer.citations))
        yield f"<ol>\n{cited}\n</ol>"
    yield f'<p class="ask262-facts">{"<br>".join(_text(fact) for fact in facts(answer))}</p>'


def _claim(claim: Claim, answer: Answer, anchor: str) -> str:
    numbers = "".join(f'<a href="#{anchor}-{place + 1}">[{place + 1}]</a>' for place in claim.citations)
    mark = doubt(claim, answer.citations)
    doubted = f'<span class="ask262-unverified">({mark})</span>' if mark else ""
    return f"<p>{' '.join(part for part in (_text(claim.text), numbers, doubted) if part)}</p>"


def _place(place: Place) -> str:
    return f"{_link(place.url, f'{place.secnum} {place.title}')} (<code>{_text(place.sectionid)}</code>)"


def _citation(place: int, cited: Citation, answer: Answer, anchor: str) -> str:
    heading = _link(cited.url, one_line(f"{cited.secnum} {cited.title}") or "no title")
    step = f", step {_text(cited.step)}" if cited.step else ""
    edition = f" ({_text(cited.edition)})" if cited.edition else ""
    note = f": {_text(cited.note)}" if cited.note else ""
    verdict = f'<span class="ask262-{cited.verdict}">{VERDICTS[cited.verdict]}{note}</span>'
    where = f"<code>{_text(cited.sectionid)}</code>" if cited.sectionid else ""
    where += f", piece <code>{_text(cited.piece)}</code>" if cited.piece else ""
    line = f'<li id="{anchor}-{place + 1}">{verdict} {heading}{step}{edition} {where}'
    quoted = "" if says(answer, cited) else f"<blockquote>{_text(cited.quote)}</blockquote>"
    return f"{line}{quoted}{_near(cited)}</li>"


def _near(cited: Citation) -> str:
    if cited.verdict is Verdict.VERIFIED or not cited.near:
        return ""
    return (
        f"<p>The text has:</p><blockquote>{_text(cited.near)}</blockquote>"
        f"<p>{_text(differences_of(cited.differences))}</p>"
    )


def _link(url: str, text: str) -> str:
    """Only to a page of the web: nothing else is worth following from an answer."""
    shown = _text(one_line(text))
    return f'<a href="{escape(url, quote=True)}">{shown}</a>' if followable(url) else shown


def _text(text: str) -> str:
    return escape(clean(text), quote=True)
