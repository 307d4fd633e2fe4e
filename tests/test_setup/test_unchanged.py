from dataclasses import replace

import pytest

from setup.sources import Source, source_file
from setup.unchanged import inputs_digest, program_digest
from storage.errors import InputError
from storage.identity import BUNDLED
from storage.model import BreakdownRules

A, B = source_file("a.html", b"<p>a</p>"), source_file("b.html", b"<p>b</p>")
SOURCE = Source("/spec", "spec", (A, B))
RULES = BreakdownRules()


def digest(source: Source = SOURCE, edition: str | None = "es2026", rules: BreakdownRules = RULES) -> str:
    return inputs_digest(source, edition=edition, rules=rules, embedder=BUNDLED)


def test_the_same_files_under_the_same_name_are_the_same_inputs_however_both_are_written() -> None:
    assert digest(edition=" ES 2026") == digest()
    assert digest(replace(SOURCE, files=(B, A))) == digest()


@pytest.mark.parametrize(
    "other",
    [
        replace(SOURCE, files=(A,)),
        replace(SOURCE, files=(A, source_file("b.html", b"<p>c</p>"))),
        replace(SOURCE, files=(A, source_file("c.html", b"<p>b</p>"))),
        replace(SOURCE, origin="/elsewhere"),
        replace(SOURCE, name="other"),
        replace(SOURCE, sample=True),
    ],
)
def test_whatever_an_edition_is_made_of_makes_other_inputs(other: Source) -> None:
    assert digest(other) != digest()


def test_name_rules_and_embedder_make_other_inputs() -> None:
    assert len({digest(), digest(edition="es2025"), digest(edition=None)}) == 3
    assert digest(rules=BreakdownRules(threshold=2_000)) != digest()
    remote = replace(BUNDLED, digest="x")
    assert inputs_digest(SOURCE, edition="es2026", rules=RULES, embedder=remote) != digest()
    # Only its server knows how many numbers a remote model gives; nobody is asked.
    unasked = replace(BUNDLED, dimension=0)
    assert inputs_digest(SOURCE, edition="es2026", rules=RULES, embedder=unasked) == digest()


def test_a_name_that_cannot_be_an_editions_is_refused_before_anything_is_read() -> None:
    with pytest.raises(InputError, match="cannot name an edition"):
        digest(edition="../x")


def test_the_program_is_one_of_the_inputs() -> None:
    assert len(program_digest()) == 64
    assert program_digest() == program_digest()
