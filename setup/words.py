"""The words of an HTML page that a reader sees, in order, each with the elements around it.

Made to check the renderer, so it shares nothing with it: a plain tokenizer instead of html5lib's tree, and
lists of its own of what is shown and what sets words apart. A *word* is a run of letters and digits, or one
other visible character.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

WORD = re.compile(r"[𝔽ℤℝ]|[^\W_𝔽ℤℝ]+|[^\w\s]|_")
"""The marks of the number domains are words: a reader sees them as subscripts of the numeral before."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_UNSEEN = _names("script style template noscript head title svg")
_CHROME = frozenset({"menu", "shortcuts-help", "references-pane", "toc", "menu-toggle", "search"})
"""Ids of ecmarkup's menu, help and table of contents, in pages that do not mark the specification itself."""

_SET_APART = _names(
    """address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr img legend li main nav ol p pre rp rt search section sub
    summary sup table tbody td tfoot th thead tr ul
    emu-alg emu-annex emu-clause emu-example emu-figure emu-grammar emu-intro emu-note emu-production
    emu-rhs emu-table emu-geq emu-oneof emu-opt emu-mods emu-params emu-constraints emu-gann emu-gmod
    emu-gprose"""
)
"""Elements before and after which a new word begins: by HTML or by ecmarkup's style sheet."""
_BARE_CODE = _names("h1 h2 h3 h4 h5 h6 caption figcaption")
"""Where code is set like the words around it. Elsewhere its type sets it apart."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands."""

    text: str
    path: str
    """The three innermost elements around its beginning, outermost first: `emu-alg > ol > li`."""
    spaced: bool | None
    """Whether white space stands before it; None where an element sets it apart anyway."""


def visible_words(html: bytes | str) -> list[Word]:
    """All words of the specification on a page, in document order."""
    reader = _Reader()
    reader.feed(html.decode("utf-8", "replace") if isinstance(html, bytes) else html)
    reader.close()
    reader.end_run()
    return reader.inside if reader.has_container else reader.outside


class _Reader(HTMLParser):
    """Collects runs of text that nothing sets apart, then cuts them into words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.inside: list[Word] = []
        self.outside: list[Word] = []
        self.has_container = False
        self._open: list[tuple[str, str]] = []
        """Name of each open element, and what it means: `unseen`, `container` or nothing."""
        self._unseen = 0
        self._contained = 0
        self._run: list[tuple[str, str]] = []
        """Pieces of text and the path of each."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; one that sets words apart ends the run."""
        if self._is_apart(tag):
            self.end_run()
        if tag in _VOID:
            return
        htmlid = dict(attrs).get("id")
        role = ""
        if htmlid == "spec-container":
            role = "container"
            self.end_run()
            self.has_container = True
            self._contained += 1
        elif tag in _UNSEEN or (htmlid in _CHROME and not self._contained):
            role = "unseen"
            self._unseen += 1
        self._open.append((tag, role))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """HTML knows no self-closing element but the void ones: `<x />` opens `x`."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those inside it that were left open."""
        if self._is_apart(tag):
            self.end_run()
        if not any(name == tag for name, _ in self._open):
            return
        name = ""
        while name != tag:
            name, role = self._open.pop()
            if role == "container":
                self.end_run()
                self._contained -= 1
            self._unseen -= role == "unseen"

    def _is_apart(self, tag: str) -> bool:
        if tag == "code":
            return not any(name in _BARE_CODE for name, _ in self._open)
        return tag in _SET_APART

    def handle_data(self, data: str) -> None:
        """Text, if a reader sees it."""
        if not self._unseen:
            self._run.append((data, " > ".join(name for name, _ in self._open[-3:])))

    def end_run(self) -> None:
        """What comes next begins a new word."""
        if not self._run:
            return
        words = self.inside if self._contained else self.outside
        text = "".join(piece for piece, _ in self._run)
        pieces = iter(self._run)
        piece, path = next(pieces)
        reached, position = len(piece), None
        for found in WORD.finditer(text):
            while found.start() >= reached:
                piece, path = next(pieces)
                reached += len(piece)
            spaced = None if position is None else found.start() > position
            words.append(Word(found[0], path, spaced))
            position = found.end()
        self._run.clear()
