"""All proofs over one source, and how they are told: to a person line by line, to a program as JSON.

The five of `setup.checks` look at what was made; the sixth (`setup.completeness`) compares it with the HTML
and shares nothing with what made it. Opens no store.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from setup.checks import TITLES, CheckReport
from setup.completeness import Completeness, compare
from setup.pipeline import build
from setup.sources import Source
from storage.model import REPRESENTATION, BreakdownRules, BuiltEdition

if TYPE_CHECKING:
    from storage.progress import Progress

SCHEMA = "ask262/proofs/1"
SIXTH = 6
SIXTH_TITLE = "every visible word of the HTML is in the text, in order"

_SHOWN = 10
"""Findings of one check that a person is shown; a program gets all."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the six proofs say of one source."""

    source: str
    """The name of its folder or file."""
    built: BuiltEdition
    report: CheckReport
    words: Completeness

    @property
    def passed(self) -> bool:
        """Whether all six hold."""
        return self.report.passed and self.words.passed


def prove(source: Source, *, edition: str | None, rules: BreakdownRules, progress: "Progress") -> Proof:
    """Make an edition of a source, in memory, and prove that nothing was lost.

    Raises what `setup.pipeline.build` raises.
    """
    made = build(source, edition=edition, rules=rules, progress=progress)
    texts = {page.source: page.text for page in made.assembled.built.pages}
    pages = [(file.html, texts[file.name]) for file in source.files if file.name in texts]
    return Proof(source.name, made.assembled.built, made.report, compare(pages))


def data(proofs: Sequence[Proof]) -> dict[str, Any]:
    """The report as JSON has it."""
    return {
        "schema": SCHEMA,
        "representation": REPRESENTATION,
        "passed": all(proof.passed for proof in proofs),
        "editions": [_edition(proof) for proof in proofs],
    }


def _edition(proof: Proof) -> dict[str, Any]:
    built = proof.built
    return {
        "source": proof.source,
        "edition": built.edition,
        "title": built.title,
        "sourcedigest": built.sourcedigest,
        "pages": len(built.pages),
        "characters": sum(len(page.text) for page in built.pages),
        "passed": proof.passed,
        "checks": [*(_check(proof, number) for number in TITLES), _sixth(proof.words)],
        "words": _words(proof.words),
    }


def _check(proof: Proof, number: int) -> dict[str, Any]:
    found = [finding for finding in proof.report.findings if finding.check == number]
    return {
        "check": number,
        "promise": TITLES[number],
        "examined": proof.report.examined[number],
        "findings": [{"unitid": finding.unitid, "message": finding.message} for finding in found],
    }


def _sixth(words: Completeness) -> dict[str, Any]:
    wrong = [] if words.passed else words.examples
    return {
        "check": SIXTH,
        "promise": SIXTH_TITLE,
        "examined": words.words,
        "findings": [{"unitid": "", "message": f"{d.word!r} in {d.around!r} ({d.why})"} for d in wrong],
    }


def _words(words: Completeness) -> dict[str, Any]:
    return {
        "visible": words.words,
        "in_order": words.in_order,
        "share": words.share,
        "lost": words.lost,
        "moved": words.moved,
        "missing": dict(words.missing),
        "respaced": dict(words.respaced),
        "generated": dict(words.generated),
    }


def lines(proof: Proof) -> list[str]:
    """The proofs of one source as a person reads them."""
    told = _edition(proof)
    out = [f"{told['edition']}: {'all six proofs hold' if proof.passed else 'NOT proven'}"]
    for check in told["checks"]:
        findings = check["findings"]
        verdict = f"{len(findings):,} findings" if findings else "holds"
        out.append(f"  {check['check']}. {check['promise']}: {verdict} ({check['examined']:,} examined)")
        out += [f"     {found['unitid'] or 'word'}: {found['message']}" for found in findings[:_SHOWN]]
    out.append(f"     {proof.words.share:.4%} in order; what the text has besides:")
    out += [f"     {count:>9,}  {reason}" for reason, count in proof.words.generated.items()]
    return out
