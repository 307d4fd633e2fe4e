"""The promises of the ingest on the real specifications: complete, exact, in order."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from bs4 import BeautifulSoup
from bs4.element import Tag

from setup.nodes import Node
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


@dataclass(frozen=True, slots=True)
class Html:
    """What the tests want to know of the HTML, read off in one pass by BeautifulSoup."""

    bare: list[str]
    """Ids of sections that are only a heading and children."""
    ids: set[str]
    captions: list[str]
    steps: set[tuple[str, str]]
    """Ids of steps, each with what a reference to it prints."""
    deepest: int
    """How deep steps nest."""


@cache
def html(name: str) -> Html:
    """All pages of one specification."""
    bare, ids, captions, steps, deepest = [], set(), [], set(), 0
    for path in sorted((SHARED / "spec" / name).glob("*.html")):
        page = BeautifulSoup(path.read_bytes(), "html5lib").find(id="spec-container")
        assert page is not None
        sections = page.find_all(["emu-clause", "emu-annex"])
        bare += [
            str(section["id"])
            for section in sections
            if _only_heading_and_children(section) and section.find(["emu-clause", "emu-annex"])
        ]
        ids |= {str(tag["id"]) for tag in page.find_all(id=True)}
        tables = page.find_all("emu-table")
        captions += [" ".join(table.select("figcaption")[0].get_text().split()) for table in tables]
        links = page.select('emu-xref[href^="#step-"]')
        steps |= {(str(link["href"])[1:], link.get_text().strip()) for link in links}
        items = [item for algorithm in page.find_all("emu-alg") for item in algorithm.find_all("li")]
        deepest = max([deepest, *(len(item.find_parents("ol")) for item in items)])
    return Html(bare, ids, captions, steps, deepest)


def test_every_section_that_is_only_a_heading_and_children_is_kept() -> None:
    bare = html(ES2026).bare
    assert len([htmlid for htmlid in bare if units(ES2026)[htmlid].kind is Kind.CLAUSE]) == 90
    for htmlid in bare:
        unit = units(ES2026)[htmlid]
        assert unit.subsections
        assert len(MARKER.findall(unit.text)) == len(unit.subsections)
        assert MARKER.sub("", unit.text).strip().endswith(unit.title)


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
    assert deepest.count(".") == html(ES2026).deepest - 1
    level = r"\d+\.[a-z]+\.[ivx]+"
    assert re.fullmatch(rf"{level}\.{level}\.[ivx]+\.[ivx]+", deepest)


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
    ids = html(name).ids
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


def test_steps_are_labelled_as_the_specification_refers_to_them() -> None:
    """Where the text says "step 3.a.ii.1", ecmarkup wrote the number: our label must be the same."""
    names = edition(ES2026).assembled.built.names
    steps = {name.name: name.detail for name in names if name.detail.startswith("step ")}
    printed = {(htmlid, f"step {label}") for htmlid, label in html(ES2026).steps}
    assert len(printed) > 50
    assert {(htmlid, steps[htmlid]) for htmlid, _ in printed} == printed


def test_a_step_s_id_leads_to_its_section_and_to_the_block_that_is_the_step() -> None:
    found = units(ES2026)
    ids = [name for name in edition(ES2026).assembled.built.names if name.name.startswith("step-")]
    assert len(ids) == 80
    for name in ids:
        blocks = [u for u in found.values() if u.level is Level.BLOCK and u.sectionid == name.sectionid]
        (step,) = [block for block in blocks if block.start <= name.start < block.end]
        assert name.detail == f"step {step.step}"


def test_attributes_of_sections_and_steps_are_lines_of_their_own() -> None:
    tagged = [
        unit
        for unit in units(ES2026).values()
        if unit.level is Level.BLOCK
        and unit.text.split("\n")[0].split(". ")[-1]
        in {"Legacy", "Normative Optional", "Normative Optional, Legacy"}
    ]
    assert Counter(unit.kind for unit in tagged) == {Kind.PARAGRAPH: 7, Kind.STEP: 11}


def test_all_tables_have_their_caption_and_their_spanning_cells_in_every_place() -> None:
    nodes = [node for root in edition(ES2026).assembled.parts for node in _nodes(root.node)]
    found = [node for node in nodes if node.tag == "emu-table"]
    assert len(found) == 97
    assert sum(1 for node in found if node.htmlid) == 96
    assert all(node.title.startswith("Table ") for node in found)
    assert Counter(node.title for node in found) == Counter(html(ES2026).captions)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def test_a_cell_that_spans_rows_stands_in_each_of_them() -> None:
    section = units(ES2026)["sec-runtime-semantics-unicodematchproperty-p"]
    text = next(p.text for p in edition(ES2026).assembled.built.pages if p.source == section.source)
    rows = [
        row for row in text[section.start : section.end].split("\n") if row.endswith("`Script_Extensions` |")
    ]
    assert rows == ["| `Script_Extensions` | `Script_Extensions` |", "| `scx` | `Script_Extensions` |"]
