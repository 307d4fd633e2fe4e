"""Algorithms and lists: one step or item a line, labelled as printed, indented by depth.

Steps are labelled by depth as ecmarkup prints them and refers to them: `1.`, `a.`, `i.`, then again `1.`,
`a.`, `i.`; from the sixth level on always `i.`.
A step that replaces one of another clause starts where that clause's numbering stands (`start`, and a class
such as `nested-twice` for its depth).
"""

from collections.abc import Callable

from setup.renderer import Renderer
from setup.tree import Content, Tag
from storage.model import Kind

_NESTED = {"nested-once": 1, "nested-twice": 2, "nested-thrice": 3, "nested-four-times": 4, "nested-lots": 5}
"""Classes by which a lone list says how deep it stands in the algorithm it amends."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip

_LISTS = ("ol", "ul", "emu-alg")


def roman(number: int) -> str:
    """Lower-case Roman numeral of a positive number."""
    out = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        out += letters * count
    return out


def alphabetic(number: int) -> str:
    """`a` to `z`, then `aa`: of a positive number."""
    out = ""
    while number > 0:
        number, digit = divmod(number - 1, 26)
        out = chr(ord("a") + digit) + out
    return out


_STYLES: tuple[Callable[[int], str], ...] = (str, alphabetic, roman, str, alphabetic, roman)
"""By depth; the last one also for whatever is deeper."""


def step_label(number: int, depth: int) -> str:
    """The label of a step, without its full stop; the outermost depth is 0."""
    return _STYLES[min(depth, len(_STYLES) - 1)](number) if number > 0 else str(number)


def algorithm(r: Renderer, tag: Tag) -> None:
    """A whole algorithm; its steps count from the beginning wherever it stands."""
    r.out.paragraph()
    outer, r.steps, r.base_depth = (r.steps, r.base_depth), [], 0
    with r.open(Kind.ALGORITHM, tag):
        r.children(tag)
    r.steps, r.base_depth = outer
    r.out.paragraph()


def ordered_list(r: Renderer, tag: Tag) -> None:
    """Steps inside an algorithm, numbered items elsewhere."""
    in_algorithm = _inside_algorithm(r)
    outer = r.base_depth
    for name in tag.classes:
        r.base_depth = _NESTED.get(name, r.base_depth)
    depth = r.base_depth + len(r.steps)
    number = _start(tag)
    _begin(r)
    for child in tag.contents:
        if isinstance(child, Tag) and child.name == "li":
            if "value" in child.attrs:
                number = _integer(child.attrs["value"], number)
            label = step_label(number, depth) if in_algorithm else str(number)
            _item(r, child, f"{label}.", label if in_algorithm else "")
            number += 1
        else:
            _stray(r, child)
    r.base_depth = outer
    _begin(r)


def unordered_list(r: Renderer, tag: Tag) -> None:
    """Items with a dash."""
    _begin(r)
    for child in tag.contents:
        if isinstance(child, Tag) and child.name == "li":
            _item(r, child, "-", "")
        else:
            _stray(r, child)
    _begin(r)


def list_item(r: Renderer, tag: Tag) -> None:
    """An item outside any list: still a line of its own."""
    _item(r, tag, "-", "")


def _inside_algorithm(r: Renderer) -> bool:
    node = r.node
    while node is not None and not node.is_section:
        if node.kind is Kind.ALGORITHM:
            return True
        node = node.parent  # type: ignore[assignment]
    return False


def _begin(r: Renderer) -> None:
    if r.out.indent:
        r.out.line()
    else:
        r.out.paragraph()


def _start(tag: Tag) -> int:
    return _integer(tag.attrs.get("start", "1"), 1)


def _integer(text: str, otherwise: int) -> int:
    try:
        return int(text)
    except ValueError:
        return otherwise


def _stray(r: Renderer, child: Content) -> None:
    """Whatever stands in a list and is no item; lists nested without an item among it."""
    if isinstance(child, str):
        r.string(child)
    else:
        r.element(child)


def _item(r: Renderer, tag: Tag, label: str, step: str) -> None:
    """A labelled line, then what is nested in it, indented.

    A nested list ends the item's own line; text after it is a further line of the same step.
    """
    if step:
        r.steps.append(step)
    htmlid = tag.attrs.get("id")
    if htmlid:
        r.anchor(htmlid, tag)
    kind, path = (Kind.STEP, ".".join(r.steps)) if step else (Kind.ITEM, "")
    r.out.line()
    with r.out.tight(), r.out.indented(""):
        for number, (own, nested) in enumerate(_runs(tag)):
            if own or number == 0:
                with r.open(kind, tag, label=path):
                    if number == 0:
                        r.out.label(label)
                    with r.out.indented():
                        for child in own:
                            _stray(r, child)
            if nested is not None:
                with r.out.indented():
                    r.out.line()
                    r.element(nested)
            with r.out.indented():
                r.out.line()
    if step:
        r.steps.pop()
    r.out.line()


def _runs(tag: Tag) -> list[tuple[list[Content], Tag | None]]:
    """An item's content as stretches of its own, each with the list that follows it."""
    runs: list[tuple[list[Content], Tag | None]] = []
    own: list[Content] = []
    for child in tag.contents:
        if isinstance(child, Tag) and child.name in _LISTS:
            runs.append((own, child))
            own = []
        elif own or not _is_blank(child):
            own.append(child)
    if own or not runs:
        runs.append((own, None))
    return runs


def _is_blank(child: Content) -> bool:
    return isinstance(child, str) and not child.strip()
