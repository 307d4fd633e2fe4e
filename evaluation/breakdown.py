"""What the breakdown rules do to a specification: parts by rule, sizes before and after, what remains long.

    python -m evaluation breakdown SOURCE --out docs/breakdown.md
    python -m evaluation breakdown SOURCE --threshold 8000 --threshold 3000

Every figure on the page, and the drawing beside it, comes from this command. Of the specification's text the
page has ids only.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.figures import Axis, longer_than
from setup.breakdown import RULES, Part
from setup.nodes import Node
from setup.pipeline import Build, Reading, cut, read
from setup.sources import read_source
from storage.model import REPRESENTATION, BreakdownRules, Kind, Level
from storage.reporting import reporter
from storage.settings import load_settings

THRESHOLDS = (5_000, 2_000)
"""The default, and a finer one to compare it with."""

UNCUT = 10**9
"""A threshold that no section reaches."""

_LARGEST = 10


@dataclass(frozen=True, slots=True)
class Cut:
    """A specification cut by some rules."""

    rules: BreakdownRules
    build: Build

    @property
    def parts(self) -> list[Part]:
        """Sections and pieces."""
        roots = self.build.assembled.parts
        return [part for root in roots for part in root.walk() if part.level is not Level.PAGE]

    @property
    def sizes(self) -> list[int]:
        """Characters of own text, rising."""
        return sorted(part.own_length for part in self.parts)

    @property
    def name(self) -> str:
        """How it is called in tables."""
        return "sections only" if self.rules.threshold == UNCUT else f"over {self.rules.threshold:,}"


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", metavar="SOURCE", nargs="?", help="as for setup.ingest")
    parser.add_argument("--sample", action="store_true", help="measure the sample specification")
    parser.add_argument("--out", type=Path, metavar="PAGE", help="write the page here, its drawing beside it")
    parser.add_argument("--threshold", type=int, action="append", help="compare these (default: 5000, 2000)")


def run(options: argparse.Namespace) -> int:
    """Read once, cut by each threshold, write the page."""
    settings, progress = load_settings(), reporter()
    source = read_source(options.source, sample=options.sample, settings=settings, progress=progress)
    reading = read(source, progress=progress)
    progress.close()
    cuts = measure(reading, settings.rules, options.threshold or THRESHOLDS)
    figure = options.out.with_suffix(".svg") if options.out else None
    text = page(cuts, figure=figure.name if figure else "")
    if options.out is None or figure is None:
        sys.stdout.write(text)
        return 0
    options.out.write_text(text, encoding="utf-8")
    figure.write_text(drawing(cuts), encoding="utf-8")
    sys.stderr.write(f"wrote {options.out} and {figure}\n")
    return 0


def measure(reading: Reading, rules: BreakdownRules, thresholds: Sequence[int]) -> list[Cut]:
    """The source uncut, then cut over each threshold."""
    cuts = []
    for threshold in (UNCUT, *thresholds):
        chosen = replace(rules, threshold=threshold)
        cuts.append(Cut(chosen, cut(reading, edition=None, rules=chosen)))
    return cuts


# -- the page ----------------------------------------------------------------------------------------------


def page(cuts: Sequence[Cut], *, figure: str = "") -> str:
    """The whole page, in Markdown."""
    built, rules = cuts[0].build.assembled.built, cuts[0].rules
    lines = [
        f"# What the breakdown rules do to {built.edition}",
        "",
        "Written by `python -m evaluation breakdown SOURCE --out docs/breakdown.md`; not edited by hand.",
        f"Source: {built.title}, {len(built.pages)} pages, SHA-256 `{built.sourcedigest[:16]}…`, "
        f"as `{REPRESENTATION}`, {sum(len(page.text) for page in built.pages):,} characters. At most "
        f"{rules.max_depth} levels of pieces; parts under {rules.smallest:,} characters stay inline. "
        "All proofs hold at every threshold."
        if all(c.build.report.passed for c in cuts)
        else "NOT PROVEN.",
        "",
        "Sections are always cut out of their parent. The other rules apply, in this order, only while a",
        "section's own text is over the threshold, and stop once it fits.",
        "",
        "## Parts by rule",
        "",
        *_by_rule(cuts),
        "",
        "## Own text of sections and pieces, in characters",
        "",
        *_sizes(cuts),
        "",
    ]
    if figure:
        lines += [f"![How many sections and pieces are longer than a length, before and after]({figure})", ""]
    for made in cuts[1:]:
        lines += [f"## The largest that remain, cut {made.name}", "", *_largest(made), ""]
    return "\n".join(lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table; a column of figures stands on the right."""
    rule = [_alignment([row[place] for row in rows]) for place in range(len(head))]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]


def _alignment(column: Sequence[str]) -> str:
    return (
        "---:"
        if all(cell.strip("%").replace(",", "").replace(".", "").isdigit() for cell in column)
        else "---"
    )


def _by_rule(cuts: Sequence[Cut]) -> list[str]:
    counts = [Counter(part.rule for part in made.parts) for made in cuts]
    rows = [[rule.name, *(f"{count[rule.name]:,}" for count in counts)] for rule in RULES]
    cutup = [{p.parent.partid for p in m.parts if p.level is Level.PIECE and p.parent} for m in cuts]
    rows.append(["parts cut into pieces", *(f"{len(parents):,}" for parents in cutup)])
    depths = [max((_depth(part) for part in made.parts), default=0) for made in cuts]
    rows.append(["deepest piece, levels under its section", *(str(depth) for depth in depths)])
    rows.append(["stopped by the depth limit", *(f"{sum(p.too_deep for p in m.parts):,}" for m in cuts)])
    return table(["", *(made.name for made in cuts)], rows)


def _depth(part: Part) -> int:
    depth, at = 0, part
    while at.level is Level.PIECE and at.parent is not None:
        depth, at = depth + 1, at.parent
    return depth


def _sizes(cuts: Sequence[Cut]) -> list[str]:
    rows = [["sections and pieces", *(f"{len(made.sizes):,}" for made in cuts)]]
    for name, share in (
        ("median", 0.5),
        ("90th percentile", 0.9),
        ("99th percentile", 0.99),
        ("largest", 1.0),
    ):
        rows.append([name, *(f"{made.sizes[round((len(made.sizes) - 1) * share)]:,}" for made in cuts)])
    bounds = sorted({made.rules.threshold for made in cuts} - {UNCUT})
    rows += [
        [f"over {bound:,}", *(f"{sum(s > bound for s in made.sizes):,}" for made in cuts)] for bound in bounds
    ]
    return table(["", *(made.name for made in cuts)], rows)


def _largest(made: Cut) -> list[str]:
    found = sorted(made.parts, key=lambda part: (-part.own_length, part.partid))[:_LARGEST]
    rows = []
    for part in found:
        kinds = composition(part, made.rules.smallest)
        rows.append([f"`{part.partid}`", f"{part.own_length:,}", why(part, kinds, made.rules)])
    return table(["id", "characters", "why"], rows)


def why(part: Part, kinds: Counter[str], rules: BreakdownRules) -> str:
    """Why a part is as long as it is, by what it is made of."""
    if part.own_length <= rules.threshold:
        return "it fits"
    if part.too_deep:
        return "the depth limit"
    return ", ".join(
        f"{share:,} in {kind}" for kind, share in kinds.most_common() if share * 20 > part.own_length
    )


def composition(part: Part, smallest: int) -> Counter[str]:
    """Characters of a part's own text by what no rule cuts: algorithms, small parts, and the rest."""
    found: Counter[str] = Counter()
    taken = {id(child.node) for child in part.children}
    for node in _uncut(part.node, taken):
        if node.kind is Kind.ALGORITHM:
            found["algorithms, which are never cut"] += len(node.span)
        elif node.kind in (Kind.GRAMMAR, Kind.PRODUCTION, Kind.PARAGRAPH, Kind.CELL):
            found[f"{_PLURALS[node.kind]} under {smallest:,}"] += len(node.span)
        else:
            found[_PLURALS.get(node.kind, "other elements")] += len(node.span)
    found["words of no smaller element"] += part.own_length - found.total()
    return found


_PLURALS = {
    Kind.GRAMMAR: "grammars",
    Kind.PRODUCTION: "productions",
    Kind.PARAGRAPH: "paragraphs",
    Kind.CELL: "cells",
    Kind.ITEM: "lists",
    Kind.CODE: "code",
}


def _uncut(node: Node, taken: set[int]) -> Iterator[Node]:
    """The outermost elements that a rule would cut, could not cut, or does not know."""
    for child in node.children:
        if id(child) in taken:
            continue
        if child.kind in (Kind.HEADING, Kind.NOTE, Kind.TABLE, Kind.ROW, Kind.EXAMPLE, Kind.FIGURE):
            yield from _uncut(child, taken)
        else:
            yield child


def drawing(cuts: Sequence[Cut]) -> str:
    """How many sections and pieces are longer than a length, before and after."""
    edition = cuts[0].build.assembled.built.edition
    longest = max(max(made.sizes) for made in cuts)
    most = max(len(made.sizes) for made in cuts)
    return longer_than(
        f"{edition}: sections and pieces whose own text is longer than …",
        {made.name: made.sizes for made in cuts},
        Axis("characters of own text", 200, longest * 1.1, _ticks(200, longest)),
        Axis("sections and pieces", 1, most, _ticks(1, most)),
    )


def _ticks(low: int, high: int) -> tuple[int, ...]:
    steps = [lead * 10**power for power in range(7) for lead in (1, 2, 5)]
    return tuple(step for step in steps if low <= step <= high)
