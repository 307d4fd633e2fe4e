"""What must hold for every document, not only for those at hand: over a thousand generated ones."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from bs4 import BeautifulSoup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from setup.completeness import compare
from setup.pipeline import Build
from storage.markers import expand
from storage.model import BreakdownRules, BuiltEdition, Level, NameKind, Unit
from tests.test_setup.generated import REPEATED, Document
from tests.test_setup.helpers import made

RULES = st.builds(
    BreakdownRules,
    threshold=st.sampled_from((0, 20, 80, 300)),
    max_depth=st.integers(0, 3),
    smallest=st.sampled_from((1, 10, 60)),
)
CHANCE = st.randoms(use_true_random=True)


def documents(count: int) -> Callable[[Callable[..., None]], Any]:
    """Derandomised, so that a run can be repeated."""
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def tree(edition: BuiltEdition) -> dict[str, Unit]:
    return {unit.unitid: unit for unit in edition.units if unit.level is not Level.BLOCK}


def expanded(edition: BuiltEdition, unitid: str) -> str:
    unit = tree(edition)[unitid]
    text = next(page.text for page in edition.pages if page.source == unit.source)
    segments = [text[segment.start : segment.end] for segment in unit.segments]
    return expand(segments, unit.subsections, lambda child: expanded(edition, child))


def words(text: str) -> list[str]:
    return [word for word in text.split() if any(character.isalnum() for character in word)]


@documents(500)
@given(CHANCE, RULES)
def test_all_proofs_hold_however_sections_nest_and_words_repeat(
    chance: Random, rules: BreakdownRules
) -> None:
    first, second = Document(chance, REPEATED).page(), "<p>A page without a section.</p>"
    build = made(first, second, rules=rules)
    assert build.report.findings == ()
    for page in build.assembled.built.pages:
        assert expanded(build.assembled.built, page.pageid) == page.text
    every_word_is_in_one_block(build)


def every_word_is_in_one_block(build: Build) -> None:
    edition = build.assembled.built
    text = {page.source: page.text for page in edition.pages}
    blocks: dict[str, list[str]] = {}
    for unit in edition.units:
        if unit.level is Level.BLOCK:
            blocks.setdefault(unit.sectionid, []).extend(words(unit.text))
    for unit in tree(edition).values():
        own = [word for s in unit.segments for word in words(text[unit.source][s.start : s.end])]
        assert blocks.get(unit.unitid, []) == own


@documents(500)
@given(CHANCE)
def test_every_visible_word_is_in_the_text_in_order(chance: Random) -> None:
    body = Document(chance).page()
    page = made(body).assembled.built.pages[0]
    found = compare([(f'<div id="spec-container">{body}</div>', page.text)])
    assert found.in_order == found.words
    assert found.examples == ()


@documents(200)
@given(CHANCE, RULES)
def test_a_span_holds_the_words_of_its_element_and_no_others(chance: Random, rules: BreakdownRules) -> None:
    body = Document(chance).page()
    edition = made(body, rules=rules).assembled.built
    soup = BeautifulSoup(f'<div id="spec-container">{body}</div>', "html5lib")
    for unit in tree(edition).values():
        found = soup.find_all(id=unit.unitid)
        if len(found) != 1:
            continue
        text = edition.pages[0].text[unit.start : unit.end]
        # A cell that spans several places repeats, so each word counts once.
        assert list(dict.fromkeys(numbered(text))) == numbered(found[0].get_text(" "))


def numbered(text: str) -> list[str]:
    return re.findall(r"word\d+", text)


@documents(100)
@given(CHANCE)
def test_rules_change_what_is_cut_and_never_the_text_or_an_id(chance: Random) -> None:
    body = Document(chance).page()
    coarse = made(body, rules=BreakdownRules(threshold=10_000)).assembled.built
    fine = made(body, rules=BreakdownRules(threshold=0, max_depth=3, smallest=1)).assembled.built
    assert fine.pages[0].text == coarse.pages[0].text
    spans = {unitid: unit.span for unitid, unit in tree(fine).items()}
    for unitid, unit in tree(coarse).items():
        assert spans[unitid] == unit.span


@documents(100)
@given(CHANCE, RULES)
def test_every_id_leads_to_a_unit_that_holds_its_place(chance: Random, rules: BreakdownRules) -> None:
    body = Document(chance).page()
    edition = made(body, rules=rules).assembled.built
    soup = BeautifulSoup(f'<div id="spec-container">{body}</div>', "html5lib")
    found = tree(edition)
    leads = {name.name: name for name in edition.names if name.kind in (NameKind.ANCHOR, NameKind.LEGACY_ID)}
    for htmlid in {str(tag["id"]) for tag in soup.find_all(id=True)} - {"spec-container"}:
        if htmlid in leads:
            unit = found[leads[htmlid].sectionid]
            assert unit.start <= leads[htmlid].start <= unit.end
        else:
            assert htmlid in found
