"""What an ingest made, in numbers: units by level and kind, sizes, the largest, what was cut and why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from setup.assemble import Assembled
from setup.breakdown import RULES, Part
from storage.model import BreakdownRules, Level

_LARGEST = 10
_BOUNDS = (0, 500, 1_000, 2_000, 5_000, 10_000)
"""Lower bounds of the size classes, in characters of own text."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts and sizes of one edition; `lines` prints them, `data` is their JSON."""

    edition: str
    title: str
    origin: str
    characters: int
    rules: BreakdownRules
    units: dict[str, dict[str, int]]
    """Level to kind to count."""
    sizes: dict[str, int]
    """Own text of sections and pieces: smallest, median, 90th and 99th percentile, largest."""
    classes: dict[str, int]
    """Sections and pieces by size class."""
    largest: tuple[tuple[str, int, str], ...]
    """Id, characters of own text, and why it was not cut further."""
    cut: dict[str, int]
    """Rule to number of parts that it cut out."""
    names: int
    skipped: tuple[str, ...]


def summarise(assembled: Assembled, skipped: Sequence[str]) -> Summary:
    """The numbers of an assembled edition."""
    built = assembled.built
    parts = [part for root in assembled.parts for part in root.walk()]
    sized = sorted((p.own_length, p.partid, p) for p in parts if p.level is not Level.PAGE)
    lengths = [length for length, _, _ in sized]
    units: dict[str, dict[str, int]] = {}
    for (level, kind), count in sorted(Counter((u.level, u.kind) for u in built.units).items()):
        units.setdefault(level.value, {})[kind.value] = count
    largest = sorted(sized, key=lambda entry: (-entry[0], entry[1]))[:_LARGEST]
    cut = Counter(part.rule for part in parts)
    return Summary(
        edition=built.edition,
        title=built.title,
        origin=built.origin,
        characters=sum(len(page.text) for page in built.pages),
        rules=built.rules,
        units=units,
        sizes=_sizes(lengths),
        classes=_classes(lengths),
        largest=tuple((partid, length, _why(part, built.rules)) for length, partid, part in largest),
        cut={rule.name: cut[rule.name] for rule in RULES},
        names=len(built.names),
        skipped=tuple(skipped),
    )


def _sizes(lengths: Sequence[int]) -> dict[str, int]:
    if not lengths:
        return {}
    last = len(lengths) - 1
    at = {"smallest": 0.0, "median": 0.5, "p90": 0.9, "p99": 0.99, "largest": 1.0}
    return {name: lengths[round(last * share)] for name, share in at.items()}


def _classes(lengths: Sequence[int]) -> dict[str, int]:
    out: dict[str, int] = {}
    for low, high in pairwise([*_BOUNDS, None]):
        name = f"{low:,} and more" if high is None else f"{low:,} to {high - 1:,}"
        out[name] = sum(1 for length in lengths if length >= (low or 0) and (high is None or length < high))
    return out


def _why(part: Part, rules: BreakdownRules) -> str:
    """Why a part is as long as it is."""
    if part.own_length <= rules.threshold:
        return "fits"
    if part.too_deep:
        return "depth limit"
    return "no part left that is long enough to cut; an algorithm never is"


def data(summary: Summary) -> dict[str, object]:
    """The summary as JSON has it."""
    from dataclasses import asdict

    return asdict(summary)


def lines(summary: Summary) -> list[str]:
    """The summary as a person reads it."""
    rules = summary.rules
    out = [
        f"{summary.edition}: {summary.title}",
        f"  from {summary.origin}",
        f"  {summary.characters:,} characters of text, {summary.names:,} names",
        f"  rules: cut over {rules.threshold:,} characters, at most {rules.max_depth} deep, "
        f"parts under {rules.smallest:,} stay inline",
        "units",
    ]
    for level, kinds in summary.units.items():
        listed = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda k: -k[1]))
        out.append(f"  {level:<8} {sum(kinds.values()):>7,}   {listed}")
    out.append("own text of sections and pieces, in characters")
    out.append("  " + ", ".join(f"{name} {size:,}" for name, size in summary.sizes.items()))
    out += [f"  {name:<18} {count:>6,}" for name, count in summary.classes.items()]
    out.append("cut out, by rule")
    out += [f"  {name:<10} {count:>6,}" for name, count in summary.cut.items()]
    out.append(f"the {len(summary.largest)} largest")
    out += [f"  {length:>7,}  {partid}  ({why})" for partid, length, why in summary.largest]
    if summary.skipped:
        out.append(f"left out, no specification in them: {', '.join(summary.skipped)}")
    return out
