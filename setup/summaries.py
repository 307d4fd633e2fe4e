"""The tree of summaries of an edition: sections in, a summary for each that is more than a passage.

After RAPTOR (Sarthi et al., ICLR 2024), which clusters passages and summarises each cluster, layer upon
layer. Here the specification's own sections are the clusters, so the tree is the one that readers know and
the same on every run. Its leaves are the embedded windows. A section has a summary if it is outermost, has
child sections, or is longer than about one window; a shorter one is a leaf of the section around it. Text of
a page outside any section is in no summary.

A summary is made from the bottom up, of the section's own text and what was chosen of its parts, whose
headings count too. By default its text is the chosen sentences themselves. A chat model, where one is asked
to, writes it in its own words; the chosen sentences still say what it stands for.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from setup.sentences import Sentence, chosen, rarity, sentences, words
from setup.writing import Scribe
from storage.generated import TOP, Summary
from storage.model import BuiltEdition, Kind, Level, Span, Unit
from storage.prompts import render

if TYPE_CHECKING:
    from storage.progress import Progress

EXTRACTIVE, MODEL = "extractive", "model"
"""Who wrote a summary; the model's name follows after a colon."""

PASSAGE_CHARACTERS = 1_000
"""About one embedded window: a summary of a shorter section would only say it again."""

MATERIAL_CHARACTERS = 6_000
"""What a model is given of one section: what small models read well, about 1,500 tokens."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A section that gets a summary."""

    unit: Unit
    above: str
    members: tuple[str, ...]
    """Itself, and its child sections without a summary of their own."""
    below: tuple[str, ...]
    layer: int


class _Outline:
    """The sections of an edition and their blocks."""

    def __init__(self, built: BuiltEdition) -> None:
        self.pages = {page.source: page.text for page in built.pages}
        self.units = {unit.unitid: unit for unit in built.units}
        self.children: dict[str, list[Unit]] = defaultdict(list)
        self.blocks: dict[str, list[Unit]] = defaultdict(list)
        for unit in sorted(built.units, key=lambda one: (one.source, one.start, -one.end, one.unitid)):
            if unit.level is Level.BLOCK:
                self.blocks[unit.clauseid].append(unit)
            elif unit.level is Level.SECTION:
                self.children[self._around(unit)].append(unit)

    def nodes(self) -> Iterator[_Node]:
        """Every section that gets a summary, those below a section before it."""
        for unit in self.children[TOP]:
            yield from self._nodes(unit, TOP)

    def _nodes(self, unit: Unit, above: str) -> Iterator[_Node]:
        inner = [child for child in self.children[unit.unitid] if self._large(child)]
        layer = 0
        for child in inner:
            for node in self._nodes(child, unit.unitid):
                layer = max(layer, node.layer)
                yield node
        below = tuple(child.unitid for child in inner)
        short = [child.unitid for child in self.children[unit.unitid] if child.unitid not in below]
        yield _Node(unit, above, (unit.unitid, *short), below, layer + 1)

    def _large(self, unit: Unit) -> bool:
        return bool(self.children[unit.unitid]) or len(unit.span) > PASSAGE_CHARACTERS

    def _around(self, unit: Unit) -> str:
        """The nearest enclosing section; `TOP` for an outermost one."""
        parent = self.units.get(unit.parentsectionid or "")
        while parent is not None and parent.level is not Level.SECTION:
            parent = self.units.get(parent.parentsectionid or "")
        return parent.unitid if parent is not None else TOP


def summarise(
    built: BuiltEdition, *, scribe: Scribe | None = None, progress: "Progress"
) -> tuple[Summary, ...]:
    """The summaries of an edition, the lower ones first; in the words of `scribe` where there is one."""
    outline = _Outline(built)
    nodes = list(outline.nodes())
    rare = rarity(_own_text(outline, clauseid) for clauseid in list(outline.blocks))
    spans: dict[str, tuple[Span, ...]] = {}
    for done, node in enumerate(nodes, start=1):
        spans[node.unit.unitid] = chosen(_candidates(node, outline, spans), rare)
        progress("summaries", done, len(nodes))
    texts = {
        node.unit.unitid: " ".join(_slices(node.unit, spans[node.unit.unitid], outline)) for node in nodes
    }
    maker = EXTRACTIVE
    if scribe is not None:
        maker = f"{MODEL}:{scribe.name}"
        texts = _by_model(nodes, outline, scribe, progress)
    return tuple(
        Summary(
            unit=node.unit,
            above=node.above,
            layer=node.layer,
            members=node.members,
            spans=spans[node.unit.unitid],
            text=texts[node.unit.unitid],
            maker=maker,
        )
        for node in nodes
    )


def _candidates(node: _Node, outline: _Outline, spans: Mapping[str, tuple[Span, ...]]) -> list[Sentence]:
    """The sentences of its members, the headings of all its parts, and what was chosen of those below."""
    page = outline.pages[node.unit.source]
    out = [
        one
        for clauseid in node.members
        for block in outline.blocks[clauseid]
        # Its own heading stands in front of the summary already.
        if block.kind is not Kind.HEADING or clauseid != node.unit.unitid
        for one in sentences(block, page)
    ]
    for clauseid in node.below:
        headings = [block for block in outline.blocks[clauseid] if block.kind is Kind.HEADING][:1]
        out += [one for block in headings for one in sentences(block, page)]
        out += [_sentence(span, page) for span in spans[clauseid]]
    return list(dict.fromkeys(out))


def _sentence(span: Span, page: str) -> Sentence:
    return Sentence(span, frozenset(words(page[span.start : span.end])))


def _by_model(nodes: list[_Node], outline: _Outline, scribe: Scribe, progress: "Progress") -> dict[str, str]:
    """What the model says of each section, layer by layer: the upper ones are told what it said below."""
    texts: dict[str, str] = {}
    for layer in range(1, max((node.layer for node in nodes), default=0) + 1):
        level = [node for node in nodes if node.layer == layer]
        prompts = [
            render("ingest/summary", path=node.unit.titlepath, material=_material(node, outline, texts))
            for node in level
        ]
        told = scribe.texts(prompts, stage=f"layer {layer}", progress=progress)
        texts |= {node.unit.unitid: text for node, text in zip(level, told, strict=True)}
    return texts


def _material(node: _Node, outline: _Outline, texts: Mapping[str, str]) -> str:
    parts = [f"{outline.units[one].title}: {texts[one]}" for one in node.below]
    own = [_own_text(outline, clauseid) for clauseid in node.members]
    return "\n\n".join(["\n".join(parts), *own]).strip()[:MATERIAL_CHARACTERS]


def _own_text(outline: _Outline, clauseid: str) -> str:
    return "\n".join(
        outline.pages[block.source][block.start : block.end] for block in outline.blocks[clauseid]
    )


def _slices(unit: Unit, spans: tuple[Span, ...], outline: _Outline) -> Iterator[str]:
    page = outline.pages[unit.source]
    return (page[span.start : span.end] for span in spans)
