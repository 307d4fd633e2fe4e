"""Grammar: productions as the specification prints them, one right-hand side a line.

`Name[Params] :` (or `::`, `:::`), then the right-hand sides, indented; a collapsed production with a single
one stands on its head's line, as printed. `one of` lists, parameters, lookahead, `but not`, prose and
annotations are kept as they are; the `opt` suffix is a subscript and is written `_opt`, so that it cannot be
read as part of the name.
"""

from setup.renderer import Renderer
from setup.tree import Tag
from storage.model import Kind

_INLINE_PARENTS = frozenset({"li", "p", "span", "td", "th", "dd", "dt", "emu-alg"})
"""A grammar inside running text is part of it."""

_SYMBOLS = frozenset({"emu-t", "emu-nt", "emu-gann", "emu-gmod", "emu-gprose", "emu-constraints"})


def grammar(r: Renderer, tag: Tag) -> None:
    """A block of productions, or a production inside a sentence."""
    if _is_inline(tag):
        r.out.space()
        with r.open(Kind.GRAMMAR, tag):
            r.children(tag)
        r.out.space()
        return
    r.out.paragraph()
    with r.open(Kind.GRAMMAR, tag):
        r.children(tag)
    r.out.paragraph()


def _is_inline(tag: Tag) -> bool:
    parent = tag.parent
    return parent is not None and parent.name in _INLINE_PARENTS and len(tag.named("emu-rhs")) <= 1


def production(r: Renderer, tag: Tag) -> None:
    """One production; a bare one, outside any grammar element, likewise."""
    bare = tag.parent is None or tag.parent.name != "emu-grammar"
    if (_is_inline(tag.parent) if not bare and tag.parent else _is_inline(tag)) or r.out.is_flat:
        r.out.space()
        _head_and_sides(r, tag, one_line=True)
        r.out.space()
        return
    r.out.paragraph()
    with r.open(Kind.PRODUCTION, tag) as node:
        node.title = tag.attrs.get("name", "")
        _head_and_sides(r, tag, one_line=_fits_one_line(tag))
    r.out.paragraph()


def _fits_one_line(tag: Tag) -> bool:
    return "collapsed" in tag.attrs and len(tag.within({"emu-rhs"})) == 1


def _head_and_sides(r: Renderer, tag: Tag, *, one_line: bool) -> None:
    for child in tag.contents:
        if isinstance(child, str):
            r.string(child)
        elif child.name == "emu-rhs":
            if one_line:
                r.out.space()
                _right_hand_side(r, child)
            else:
                with r.out.indented():
                    r.out.line()
                    _right_hand_side(r, child)
        else:
            r.out.space()
            r.element(child)
            r.out.space()


def _right_hand_side(r: Renderer, tag: Tag) -> None:
    htmlid = tag.attrs.get("id")
    if htmlid:
        r.anchor(htmlid, tag)
    for child in tag.contents:
        if isinstance(child, str):
            r.string(child)
            continue
        if child.name in _SYMBOLS:
            r.out.space()
        r.element(child)
        if child.name in _SYMBOLS:
            r.out.space()


def nonterminal_modifiers(r: Renderer, tag: Tag) -> None:
    """Parameters attach to the name: `Statement[?Yield]`."""
    r.out.glue()
    r.children(tag)


def optional(r: Renderer, tag: Tag) -> None:
    """`Initializer_opt`: the suffix attaches, and cannot be read as part of the name."""
    r.out.glue()
    r.out.write("_")
    r.out.glue()
    r.children(tag)
