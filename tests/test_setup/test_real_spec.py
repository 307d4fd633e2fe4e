"""The promises of the ingest on the real specifications: complete, exact, in order."""

import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup
from bs4.element import Tag

from storage.markers import MARKER, marker
from storage.model import Kind, Level, NameKind
from storage.names import fold
from tests.spec import SHARED, edition, needs_spec, units

pytestmark = [pytest.mark.spec, needs_spec]

ES2026 = "es2026"


@pytest.mark.parametrize(
    ("name", "clauses", "annexes", "introductions"),
    [
        ("es2026", 2182, 74, 1),
        ("es2025", 2086, 82, 1),
        ("ecma402", 378, 4, 1),
        ("es2025-multipage-sample", 270, 60, 1),
    ],
)
def test_every_section_is_a_unit_and_all_five_proofs_hold(
    name: str, clauses: int, annexes: int, introductions: int
) -> None:
    made = edition(name)
    kinds = Counter(u.kind for u in made.assembled.built.units if u.level is Level.SECTION)
    assert kinds == {Kind.CLAUSE: clauses, Kind.ANNEX: annexes, Kind.INTRO: introductions}
    assert made.report.findings == ()


def test_every_section_that_is_only_a_heading_and_children_is_kept() -> None:
    bare = [
        str(section["id"])
        for section in _html_sections(ES2026)
        if _only_heading_and_children(section) and section.find(["emu-clause", "emu-annex"])
    ]
    assert len([htmlid for htmlid in bare if units(ES2026)[htmlid].kind is Kind.CLAUSE]) == 90
    for htmlid in bare:
        unit = units(ES2026)[htmlid]
        assert unit.subsections
        assert len(MARKER.findall(unit.text)) == len(unit.subsections)
        assert MARKER.sub("", unit.text).strip().endswith(unit.title)


def _html_sections(name: str) -> list[Tag]:
    return [
        section
        for path in sorted((SHARED / "spec" / name).glob("*.html"))
        for section in BeautifulSoup(path.read_bytes(), "html5lib").find_all(["emu-clause", "emu-annex"])
    ]


def _only_heading_and_children(section: Tag) -> bool:
    return all(
        child.name in ("h1", "emu-clause", "emu-annex")
        for child in section.find_all(True, recursive=False)
        if child.get_text().strip()
    )


def test_a_parent_shows_each_child_once_where_it_stood() -> None:
    sort = units(ES2026)["sec-array.prototype.sort"]
    assert sort.subsections == ("sec-sortindexedproperties", "sec-comparearrayelements")
    found = [match["id"] for match in MARKER.finditer(sort.text)]
    assert found == list(sort.subsections)


def test_all_sections_of_one_title_are_there_by_id() -> None:
    titled = [u for u in units(ES2026).values() if u.title == "Runtime Semantics: Evaluation"]
    assert len({unit.unitid for unit in titled if unit.level is Level.SECTION}) == 69


def test_content_after_a_child_stays_with_the_parent() -> None:
    text = units(ES2026)["sec-conformance"].text
    last = MARKER.search(text)
    assert last is not None
    assert "must implement Legacy subclauses" in text[last.end() :]


def test_the_one_long_table_is_cut_into_cells_that_say_where_they_belong() -> None:
    found = units(ES2026)
    table = found["table-abstract-methods-of-environment-records"]
    assert table.level is Level.PIECE
    assert len(table.subsections) == 14
    cell = found["table-abstract-methods-of-environment-records-td-2"]
    assert cell.titlepath.endswith(
        "Table 14: Abstract Methods of Environment Records > HasBinding ( N ) / Purpose"
    )


def test_steps_are_labelled_as_deep_as_they_nest() -> None:
    deepest = max((u.step for u in units(ES2026).values()), key=lambda step: step.count("."))
    assert deepest.count(".") == max(
        len(item.find_parents("ol")) - 1 for item in _steps("ecmascript-language-scripts-and-modules.html")
    )
    level = r"\d+\.[a-z]+\.[ivx]+"
    assert re.fullmatch(rf"{level}\.{level}\.\d+\.[a-z]+", deepest)


def _steps(page: str) -> list[Tag]:
    soup = BeautifulSoup((SHARED / "spec" / ES2026 / page).read_bytes(), "html5lib")
    return [item for algorithm in soup.find_all("emu-alg") for item in algorithm.find_all("li")]


@pytest.mark.parametrize(
    ("name", "sectionid"),
    [
        ("prod-FieldDefinition", "sec-class-definitions"),
        ("table-well-known-symbols", "sec-well-known-symbols"),
        ("table-tonumber-conversions", "sec-tonumber"),
        ("7.1.4", "sec-tonumber"),
        ("ToNumber", "sec-tonumber"),
        ("B.3.1", "sec-labelled-function-declarations"),
        ("Array.prototype.sort", "sec-array.prototype.sort"),
        ("%Array.prototype%", "sec-properties-of-the-array-prototype-object"),
        ("Number::toString", "sec-numeric-types-number-tostring"),
        ("Map.prototype.size", "sec-get-map.prototype.size"),
        ("FieldDefinition", "sec-class-definitions"),
    ],
)
def test_names_lead_to_their_section(name: str, sectionid: str) -> None:
    names = edition(ES2026).assembled.built.names
    assert sectionid in {found.sectionid for found in names if found.key == fold(name)}


def test_a_syntax_directed_operation_lists_its_definitions_by_production() -> None:
    names = edition(ES2026).assembled.built.names
    details = [n.detail for n in names if n.key == fold("Evaluation") and n.kind is NameKind.OPERATION]
    assert len(details) == 69
    assert "IfStatement" in details


@pytest.mark.parametrize("name", ["es2026", "ecma402"])
def test_every_id_on_any_element_leads_to_a_section(name: str) -> None:
    keys = {found.key for found in edition(name).assembled.built.names}
    ids = set()
    for path in (SHARED / "spec" / name).glob("*.html"):
        container = BeautifulSoup(path.read_bytes(), "html5lib").find(id="spec-container")
        assert container is not None
        ids |= {str(tag["id"]) for tag in container.find_all(id=True)}
    assert not [htmlid for htmlid in ids if fold(htmlid) not in keys]
    assert len(ids) == {"es2026": 30_621, "ecma402": 1_671}[name]


def test_known_sections_read_as_printed() -> None:
    found = units(ES2026)
    assert "2. If argument is either a Symbol or a BigInt, throw a TypeError exception." in (
        found["sec-tonumber"].text
    )
    assert found["sec-if-statement"].text.startswith("14.6 The if Statement\n\nSyntax\n\nIfStatement[Yield, ")
    assert marker("sec-tonumber-applied-to-the-string-type", "ToNumber Applied to the String Type") in (
        found["sec-tonumber"].text
    )
