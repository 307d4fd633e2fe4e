"""What makes two texts the same: digests of source, page and unit, and the renderer's own name."""

import hashlib

import pytest

from setup.assemble import digest
from storage.model import REPRESENTATION, BuiltEdition, Level, Unit
from tests.spec import edition, needs_spec
from tests.test_setup.helpers import assembled

SECTION = '<emu-clause id="sec-{0}"><h1>{0} S</h1><p>{1}</p></emu-clause>'


def built(*texts: str) -> BuiltEdition:
    """Two pages: the first texts on one, the last on another."""
    *first, last = (SECTION.format(number, text) for number, text in enumerate(texts, start=1))
    return assembled("".join(first), last).built


def units(edition: BuiltEdition) -> dict[str, Unit]:
    return {unit.unitid: unit for unit in edition.units}


def test_digests_are_those_of_the_file_the_page_s_text_and_the_unit_s_slice() -> None:
    edition = built("one", "two", "three")
    pages = {page.source: page for page in edition.pages}
    for page in edition.pages:
        assert page.digest == hashlib.sha256(page.text.encode()).hexdigest()
        assert len(page.sourcedigest) == 64
        assert page.sourcedigest != page.digest
    for unit in edition.units:
        page = pages[unit.source]
        assert unit.digest == page.digest
        assert unit.unitdigest == digest(page.text[unit.start : unit.end])


def test_a_changed_section_changes_its_own_digest_its_page_s_and_the_edition_s() -> None:
    before, after = built("one", "two", "three"), built("one", "2", "three")
    old, new = units(before), units(after)
    changed = {unitid for unitid in old if old[unitid].unitdigest != new[unitid].unitdigest}
    assert changed == {"page-page-1", "sec-2", "sec-2~2"}
    assert old["sec-1"].digest != new["sec-1"].digest
    assert old["sec-3"].digest == new["sec-3"].digest
    assert before.sourcedigest != after.sourcedigest


def test_the_same_source_gives_the_same_edition() -> None:
    assert built("one", "two", "three") == built("one", "two", "three")


def test_a_parent_s_digest_covers_its_children() -> None:
    html = '<emu-clause id="sec-a"><h1>A</h1><emu-clause id="sec-b"><p>{}</p></emu-clause></emu-clause>'
    texts = [assembled(html.format(word)).built for word in ("x", "y")]
    first, second = (units(edition)["sec-a"] for edition in texts)
    assert first.text == second.text
    assert first.unitdigest != second.unitdigest


def test_the_representation_names_the_renderer_and_its_version() -> None:
    name, version = REPRESENTATION.split("/")
    assert name == "ask262-text"
    assert int(version) >= 1


@pytest.mark.spec
@needs_spec
def test_a_text_that_stands_in_hundreds_of_places_has_a_span_for_each() -> None:
    edition_ = edition("es2026").assembled.built
    texts = {page.source: page.text for page in edition_.pages}
    same = [u for u in edition_.units if u.level is Level.BLOCK and u.text.endswith(". Return true.")]
    assert len(same) >= 100
    assert len({(unit.source, unit.start) for unit in same}) == len(same)
    assert all(texts[unit.source][unit.start : unit.end] == unit.text for unit in same)
    assert len({unit.unitdigest for unit in same}) < len(same)
