"""Generates small ecmarkup documents: every element the renderer knows, in every order that HTML allows.

Ids are missing, doubled and wanted by others; sections are empty, nested deeply, and stand first or last in
their parent; cells hold lists, grammars and tables. Knows nothing of what is tested.
"""

from collections.abc import Callable
from random import Random

REPEATED = (
    "Let", "x", "be", "ToNumber", "true", "1", "a", "i", "Return", "2.", "|", "`", "-", "_", "^", "[[Get]]",
    "[Subsection available at sectionid: `p1`]",
)  # fmt: skip
"""Words that occur again and again, and look like labels, marks and markers."""

_IDS = ("p1", "sec-a-p-1", "sec-1-emu-table-1", "table-1", "step-x", "n")
_INLINE = (
    "", "", "", "", "var", "emu-val", "emu-const", "code", "sup", "sub", "dfn", "b", "ins", "emu-nt", "kbd",
    "ruby", 'emu-xref href="#sec-1"', "emu-not-ref", "emu-eqn class=inline",
)  # fmt: skip
_PARAMETERS = "<emu-mods><emu-params>[?In]</emu-params><emu-opt>opt</emu-opt></emu-mods>"
_RESTRICTIONS = (
    "",
    "",
    " <emu-gann>[lookahead ≠ <emu-t>else</emu-t>]</emu-gann>",
    " <emu-gmod>but not x</emu-gmod>",
)
_SPANS = ("", "", "", " rowspan=2", " colspan=2", " rowspan=2 colspan=2", " rowspan=0")


class Document:
    """Writes one document from one source of chance."""

    def __init__(self, chance: Random, words: tuple[str, ...] = ()) -> None:
        """`words` are taken again and again; without any, each word is a new one."""
        self._chance = chance
        self._words = words
        self._written = 0
        self._sections = 0

    def page(self) -> str:
        """The body of a page: perhaps loose text, then sections."""
        loose = self._blocks(1) if self._chance.random() < 0.2 else ""
        return loose + self._several(1, 2, lambda: self._section(0))

    # -- chance ----------------------------------------------------------------------------------------

    def _one(self, choices: tuple[str, ...]) -> str:
        return self._chance.choice(choices)

    def _several(self, low: int, high: int, make: Callable[[], str]) -> str:
        return "".join(make() for _ in range(self._chance.randint(low, high)))

    def _id(self) -> str:
        """Now and then an id, which may stand elsewhere too."""
        return f' id="{self._one(_IDS)}"' if self._chance.random() < 0.12 else ""

    # -- sections --------------------------------------------------------------------------------------

    def _section(self, depth: int) -> str:
        self._sections += 1
        name = self._one(("emu-clause", "emu-clause", "emu-annex", "emu-intro"))
        htmlid = f' id="sec-{self._sections}"' if self._chance.random() < 0.8 else ""
        parts = [self._blocks(2) for _ in range(self._chance.randint(0, 2))]
        if depth < 4:
            parts += [self._section(depth + 1) for _ in range(self._chance.choice((0, 0, 1, 1, 2)))]
            self._chance.shuffle(parts)
        if self._chance.random() < 0.85:
            number = self._one(("", f"<span class=secnum>{100 + self._sections}.1</span> "))
            place = self._chance.choice((0, 0, 0, len(parts)))
            parts.insert(place, f"<h1>{number}{self._inline()}</h1>")
        return f"<{name}{htmlid}>{''.join(parts)}</{name}>"

    # -- blocks ----------------------------------------------------------------------------------------

    def _blocks(self, budget: int) -> str:
        return self._several(0, 2, lambda: self._block(budget))

    def _block(self, budget: int) -> str:
        """One block; `budget` is how deep blocks may still nest."""
        leaves = (self._paragraph, self._text, self._production, self._code, self._figure, self._equation)
        if budget <= 0 or self._chance.random() < 0.3:
            return self._chance.choice(leaves)()
        nests = (self._list, self._algorithm, self._table, self._note, self._grammar, self._box, self._terms)
        return self._chance.choice(nests)(budget - 1)

    def _paragraph(self) -> str:
        """Perhaps empty, perhaps after the empty span of a former id."""
        span = '<span id="old-id"></span>' if self._chance.random() < 0.1 else ""
        return f"<p{self._id()}>{span}{self._several(0, 2, self._inline)}</p>"

    def _code(self) -> str:
        return f"<pre><code>\n{self._text()}\n  <span{self._id()}>{self._text()}</span></code></pre>"

    def _figure(self) -> str:
        caption = f"<figcaption>{self._inline()}</figcaption>"
        return f"<emu-figure><figure>{caption}<img alt='a b'></figure></emu-figure>"

    def _equation(self) -> str:
        return f"<emu-eqn><div>{self._inline()}</div><div>{self._inline()}</div></emu-eqn>"

    def _list(self, budget: int) -> str:
        name = self._one(("ul", "ol"))
        items = self._several(1, 2, lambda: f"<li{self._id()}>{self._inline()}{self._blocks(budget)}</li>")
        return f"<{name}{self._id()}>{items}</{name}>"

    def _note(self, budget: int) -> str:
        label = f'<span class="note">Note {self._word()}</span>'
        inner = self._paragraph() + self._blocks(budget)
        return f'<emu-note{self._id()}>{label}<div class="note-contents">{inner}</div></emu-note>'

    def _box(self, budget: int) -> str:
        """Blocks in an element that means little by itself."""
        name = self._one(("div", "details", "blockquote", "emu-example", "emu-unknown", "section"))
        return f"<{name}>{self._blocks(budget)}</{name}>"

    def _terms(self, budget: int) -> str:
        meaning = f"<dd>{self._paragraph()}{self._blocks(budget)}</dd>"
        return f"<dl><dt{self._id()}>{self._inline()}</dt>{meaning}</dl>"

    # -- algorithms, grammars, tables --------------------------------------------------------------------

    def _algorithm(self, _budget: int) -> str:
        return f"<emu-alg{self._id()}>{self._steps(self._chance.choice((1, 2, 8)))}</emu-alg>"

    def _steps(self, depth: int) -> str:
        """One list of steps, the last of which goes on as deep as is left."""
        first = self._several(0, 1, lambda: f"<li{self._id()}>{self._inline()}</li>")
        nested = self._steps(depth - 1) if depth > 1 else ""
        tail = self._text() if nested and self._chance.random() < 0.1 else ""
        return f"<ol>{first}<li{self._id()}>{self._inline()}{nested}{tail}</li></ol>"

    def _grammar(self, _budget: int) -> str:
        return f"<emu-grammar{self._id()}>{self._several(1, 2, self._production)}</emu-grammar>"

    def _production(self) -> str:
        head = f"<emu-nt>{self._word()}</emu-nt> <emu-geq>{self._one((':', '::'))}</emu-geq> "
        sides = self._several(1, 2, self._side)
        return f'<emu-production name="S"{self._one(("", " collapsed"))}>{head}{sides}</emu-production>'

    def _side(self) -> str:
        terminal = f"<emu-t>{self._one(('if', '|', '('))}</emu-t>"
        nonterminal = f"<emu-nt>{self._word()}{self._one(('', _PARAMETERS))}</emu-nt>"
        return f"<emu-rhs{self._id()}>{terminal} {nonterminal}{self._one(_RESTRICTIONS)}</emu-rhs>"

    def _table(self, budget: int) -> str:
        rows = self._several(1, 3, lambda: self._row(budget))
        head = f"<thead{self._id()}><tr><th>{self._inline()}</th></tr></thead>"
        head = head if self._chance.random() < 0.6 else ""
        lines = f"<colgroup><col{self._id()}></colgroup>{head}<tbody>{rows}</tbody>"
        if self._chance.random() < 0.2:
            return f"<table><caption>{self._inline()}</caption>{lines}</table>"
        caption = f"<figcaption>{self._inline()}</figcaption>"
        table = f"<table{self._id()}>{lines}</table>"
        return f"<emu-table{self._id()}><figure>{caption}{table}</figure></emu-table>"

    def _row(self, budget: int) -> str:
        return f"<tr{self._id()}>{self._several(1, 3, lambda: self._cell(budget))}</tr>"

    def _cell(self, budget: int) -> str:
        name = self._one(("td", "td", "td", "th"))
        return f"<{name}{self._one(_SPANS)}{self._id()}>{self._inline()}{self._blocks(budget)}</{name}>"

    # -- text ------------------------------------------------------------------------------------------

    def _inline(self) -> str:
        """Text with elements in it, some of them splitting a word or touching the next."""
        return self._several(1, 2, self._phrase)

    def _phrase(self) -> str:
        name = self._one(_INLINE)
        return f"<{name}{self._id()}>{self._text()}</{name.split()[0]}>" if name else self._text()

    def _text(self) -> str:
        """Words, with white space of several kinds around them."""
        words = " ".join(self._word() for _ in range(self._chance.randint(1, 3)))
        return self._one(("", " ", "\n  ")) + words + self._one(("", " ", "&nbsp;"))

    def _word(self) -> str:
        self._written += 1
        return self._one(self._words) if self._words else f"word{self._written}"
