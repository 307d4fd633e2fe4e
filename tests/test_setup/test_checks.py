"""Each proof fails when what it promises is broken, and all hold on a sound edition."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from setup.checks import check, require
from storage.errors import StructureError
from storage.model import BuiltEdition, Span, Unit
from tests.test_setup.helpers import made

HTML = (
    '<emu-clause id="sec-a"><h1>1 A</h1><p>Before.</p><emu-clause id="sec-b"><h1>1.1 B</h1><p>Inner.</p>'
    "</emu-clause><p>After.</p></emu-clause>"
)
SECTIONS = ("sec-a", "sec-b")


def broken(change: Callable[[Unit], Unit], unitid: str) -> BuiltEdition:
    edition = made(HTML).assembled.built
    return replace(edition, units=tuple(change(u) if u.unitid == unitid else u for u in edition.units))


def failing(edition: BuiltEdition, sections: tuple[str, ...] = SECTIONS) -> set[int]:
    return {finding.check for finding in check(edition, section_ids=sections).findings}


def test_a_sound_edition_passes_all_five() -> None:
    report = made(HTML).report
    assert report.passed
    assert report.examined[1] == 2
    require(report)


def test_a_section_that_is_no_unit_fails_the_first() -> None:
    edition = made(HTML).assembled.built
    assert failing(edition, ("sec-a", "sec-b", "sec-lost")) == {1}
    assert 1 in failing(replace(edition, units=tuple(u for u in edition.units if u.unitid != "sec-b")))


def test_an_id_that_stands_twice_fails_the_first() -> None:
    edition = made(HTML).assembled.built
    twice = next(u for u in edition.units if u.unitid == "sec-b")
    assert 1 in failing(replace(edition, units=(*edition.units, twice)))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda u: replace(u, text=u.text.replace("[Subsection", "[Section")), 2),
        (lambda u: replace(u, text=u.text.replace("Before", "Later")), 2),
        (lambda u: replace(u, segments=u.segments[:1]), 2),
        (lambda u: replace(u, segments=(Span(0, 3), u.segments[1])), 3),
        (lambda u: replace(u, end=u.end + 1), 4),
        (lambda u: replace(u, subsections=("sec-nowhere",)), 5),
    ],
)
def test_a_broken_parent_is_found(change: Callable[[Unit], Unit], expected: int) -> None:
    assert expected in failing(broken(change, "sec-a"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda u: replace(u, parentsectionid="page-page-1"), 5),
        (lambda u: replace(u, start=u.start - 2), 2),
        (lambda u: replace(u, end=10_000), 4),
    ],
)
def test_a_broken_child_is_found(change: Callable[[Unit], Unit], expected: int) -> None:
    assert expected in failing(broken(change, "sec-b"))


def test_a_block_outside_its_owner_s_own_text_is_found() -> None:
    assert 4 in failing(broken(lambda u: replace(u, start=0, end=1, text="1"), "sec-b~1"))


def test_a_failed_proof_stops_with_the_first_finding() -> None:
    report = check(broken(lambda u: replace(u, end=10_000), "sec-b"), section_ids=SECTIONS)
    with pytest.raises(StructureError, match=r"check 2 failed for sec-b: .*nothing was stored"):
        require(report)


def test_prose_that_imitates_a_marker_does_not_fool_the_proofs() -> None:
    planted = "<p>[Subsection available at sectionid: `sec-b`]</p>"
    assert made(HTML.replace("<p>Before.</p>", planted)).report.passed
