"""The table of element renderers, and the ones that need no module of their own.

What an element means is decided here and in the three modules for algorithms, grammar and tables; an
element that is not listed is inline and renders as its content. The table in ARCHITECTURE.md says the same
in words.
"""

import re
from collections.abc import Mapping

from setup.algorithms import algorithm, list_item, ordered_list, unordered_list
from setup.grammar import grammar, nonterminal_modifiers, optional, production
from setup.nodes import Definition, Reference
from setup.renderer import Element, Renderer
from setup.sections import heading, section
from setup.tables import caption, figure, table, table_element
from setup.tree import Tag
from storage.model import Kind

_SIMPLE_SCRIPT = re.compile(r"[-+–−]?[\w.∞?]+")
"""A superscript or subscript that needs no brackets."""

_BLOCKS = (
    "address", "article", "aside", "blockquote", "center", "details", "fieldset", "footer", "form", "header",
    "hgroup", "hr", "legend", "main", "nav", "search", "section", "summary",
)  # fmt: skip
"""What HTML sets on lines of its own, besides what has a renderer of its own."""

_DOMAIN_MARKS = frozenset("𝔽ℤℝ")
"""Subscripts that say which numbers a value belongs to; they attach bare, as printed."""


def block(r: Renderer, tag: Tag) -> None:
    """A stretch of lines of its own."""
    r.out.paragraph()
    r.children(tag)
    r.out.paragraph()


def division(r: Renderer, tag: Tag) -> None:
    """A block; a note's contents follow its label on the next line."""
    if "note-contents" in tag.classes:
        r.children(tag)
    else:
        block(r, tag)


def paragraph(r: Renderer, tag: Tag) -> None:
    """A paragraph, which may become a block or a piece."""
    r.out.paragraph()
    with r.open(Kind.PARAGRAPH, tag):
        r.children(tag)
    r.out.paragraph()


def line_break(r: Renderer, _tag: Tag) -> None:
    """A new line in the same paragraph."""
    r.out.line()


def nothing(_r: Renderer, _tag: Tag) -> None:
    """Not part of what a reader sees."""


def superscript(r: Renderer, tag: Tag) -> None:
    """`2^53`, `10^(n - 1)`: never run together with what stands before."""
    _script(r, tag, "^")


def subscript(r: Renderer, tag: Tag) -> None:
    """`x_1`; marks of number domains and grammar parameters attach bare: `+0𝔽`, `List[Return]`."""
    text = tag.words().strip()
    if text in _DOMAIN_MARKS or text.startswith("["):
        r.children(tag)
        return
    _script(r, tag, "_")


def _script(r: Renderer, tag: Tag, mark: str) -> None:
    text = tag.words().strip()
    if not text:
        return
    if _is_bracketed(text) or (_SIMPLE_SCRIPT.fullmatch(text) and not _touches_word(tag)):
        r.out.write(mark)
        r.out.glue()
        r.children(tag)
        return
    r.out.write(mark + "(")
    r.out.glue()
    r.children(tag)
    r.out.glue()
    r.out.write(")")


def _is_bracketed(text: str) -> bool:
    """Whether one pair of round brackets already holds the whole."""
    depth = 0
    for place, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth:
            return text[0] == "(" and place == len(text) - 1
    return False


def _touches_word(tag: Tag) -> bool:
    """Whether a letter or digit follows at once, with which the script would run together."""
    after = tag.next_sibling
    text = after.words() if isinstance(after, Tag) else str(after or "")
    return text[:1].isalnum()


def code(r: Renderer, tag: Tag) -> None:
    """Backticked, inner spacing kept; bare in headings."""
    _note_ids(r, tag)
    raw = tag.words()
    if r.plain or not raw.strip():
        r.string(raw)
        return
    text = raw.replace("\n", " ").strip()
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    if raw[0].isspace():
        r.out.space()
    r.out.write(f"{ticks}{padding}{_escaped(r, text)}{padding}{ticks}")
    if raw[-1].isspace():
        r.out.space()


def preformatted(r: Renderer, tag: Tag) -> None:
    """Fenced, line by line as in the source."""
    text = tag.words().rstrip()
    if r.out.is_flat:
        _note_ids(r, tag)
        r.out.space()
        r.out.write(f"`{_escaped(r, ' '.join(text.split()))}`")
        r.out.space()
        return
    r.out.paragraph()
    with r.open(Kind.CODE, tag):
        _note_ids(r, tag)
        lines = ["```", *(line.rstrip() for line in text.strip("\n").split("\n")), "```"]
        r.out.write(("\n" + r.out.indent).join(lines))
    r.out.paragraph()


def _note_ids(r: Renderer, tag: Tag) -> None:
    """Ids inside what is written as one piece."""
    for inner in tag.with_ids():
        r.anchor(inner.attrs["id"], inner)


def _escaped(r: Renderer, text: str) -> str:
    return text.replace("|", "\\|") if r.piped else text


def note(r: Renderer, tag: Tag) -> None:
    """A line that says what sort of note it is, then its text."""
    _boxed(r, tag, Kind.NOTE)


def example(r: Renderer, tag: Tag) -> None:
    """A line that says so, then the example."""
    _boxed(r, tag, Kind.EXAMPLE)


def _boxed(r: Renderer, tag: Tag, kind: Kind) -> None:
    r.out.paragraph()
    with r.open(kind, tag):
        r.children(tag)
    r.out.paragraph()


def span(r: Renderer, tag: Tag) -> None:
    """Inline, but for the label of a note, which is a line."""
    r.children(tag)
    if "note" in tag.classes:
        r.out.line()
        r.out.stay()


def equation(r: Renderer, tag: Tag) -> None:
    """Inline where the source has it inline; else lines of its own."""
    if "inline" in tag.classes:
        r.children(tag)
        return
    r.out.paragraph()
    with r.open(Kind.EQUATION, tag), r.out.tight():
        r.children(tag)
    r.out.paragraph()


def annotation(r: Renderer, tag: Tag) -> None:
    """What ruby says of the word before: beside it, not run together with it."""
    r.out.space()
    r.children(tag)
    r.out.space()


def image(r: Renderer, tag: Tag) -> None:
    """Its alternative text."""
    alternative = tag.attrs.get("alt", "").strip()
    if alternative:
        r.out.line()
        r.string(f"[Image: {alternative}]")
        r.out.line()


def drawing(r: Renderer, tag: Tag) -> None:
    """The words in a drawing, its title first as the source has it."""
    _note_ids(r, tag)
    words = " ".join(tag.words(" ").split())
    if words:
        r.out.line()
        r.string(f"[Image: {words}]")
        r.out.line()


def cross_reference(r: Renderer, tag: Tag) -> None:
    """Its text; the link is kept beside the text."""
    target = tag.attrs.get("href", "")
    aoid = tag.attrs.get("aoid", "")
    if target.startswith("#") or aoid:
        reference = Reference(target[1:] or aoid, not target, r.section)
        r.references.append(reference)
        r.out.await_start(reference)
    r.children(tag)


def definition(r: Renderer, tag: Tag) -> None:
    """Its text; the term is kept beside the text."""
    term = " ".join(tag.words().split())
    variants = tuple(v.strip() for v in tag.attrs.get("variants", "").split(",") if v.strip())
    found = Definition(term, variants, r.section)
    r.definitions.append(found)
    r.out.await_start(found)
    r.children(tag)


def definition_body(r: Renderer, tag: Tag) -> None:
    """What a definition list says of a term, indented under it."""
    with r.out.indented(), r.out.tight():
        r.out.line()
        with r.open(Kind.ITEM, tag):
            r.children(tag)
    r.out.line()


def definition_term(r: Renderer, tag: Tag) -> None:
    """A line of its own."""
    r.out.line()
    with r.open(Kind.ITEM, tag):
        r.children(tag)
    r.out.line()


ELEMENTS: Mapping[str, Element] = {
    "emu-clause": section,
    "emu-annex": section,
    "emu-intro": section,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), heading),
    "p": paragraph,
    "emu-alg": algorithm,
    "ol": ordered_list,
    "ul": unordered_list,
    "li": list_item,
    "dl": block,
    "dt": definition_term,
    "dd": definition_body,
    "emu-grammar": grammar,
    "emu-production": production,
    "emu-mods": nonterminal_modifiers,
    "emu-opt": optional,
    "emu-table": table_element,
    "table": table,
    "emu-figure": figure,
    "figure": block,
    "figcaption": caption,
    "caption": caption,
    "emu-note": note,
    "emu-example": example,
    "emu-eqn": equation,
    "sup": superscript,
    "sub": subscript,
    "code": code,
    "pre": preformatted,
    "img": image,
    "svg": drawing,
    "br": line_break,
    "span": span,
    "emu-xref": cross_reference,
    "dfn": definition,
    "div": division,
    **dict.fromkeys(_BLOCKS, block),
    "rt": annotation,
    **dict.fromkeys(("script", "style", "template", "noscript", "head", "link", "meta"), nothing),
}
