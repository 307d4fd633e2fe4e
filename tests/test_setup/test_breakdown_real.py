"""What the rules do to real sections and to the sample, also where they cut finer than by default."""

import re

import pytest

from setup.breakdown import RULES, Part
from storage.markers import MARKER
from storage.model import BreakdownRules, Kind, Level, Unit
from tests.spec import edition, needs_spec

DEFAULT = BreakdownRules()
FINE = 2_000
FINEST = 400

SPECIFICATIONS = [
    "sample",
    pytest.param("es2026", marks=[pytest.mark.spec, needs_spec]),
    pytest.param("ecma402", marks=[pytest.mark.spec, needs_spec]),
]


def parts(name: str, threshold: int = DEFAULT.threshold) -> dict[str, Part]:
    return {part.partid: part for root in edition(name, threshold).assembled.parts for part in root.walk()}


def units(name: str, threshold: int = DEFAULT.threshold) -> dict[str, Unit]:
    built = edition(name, threshold).assembled.built
    return {unit.unitid: unit for unit in built.units if unit.level is not Level.BLOCK}


@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("threshold", [DEFAULT.threshold, FINE])
def test_all_proofs_hold_at_every_threshold(name: str, threshold: int) -> None:
    assert edition(name, threshold).report.findings == ()


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_a_parent_has_all_its_children_and_only_them_at_their_places(name: str) -> None:
    found = units(name, FINE)
    for unit in found.values():
        assert [match["id"] for match in MARKER.finditer(unit.text)] == list(unit.subsections)
        named = [other.unitid for other in found.values() if other.parentsectionid == unit.unitid]
        assert sorted(named) == sorted(unit.subsections)


@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("threshold", [DEFAULT.threshold, FINE])
def test_what_fits_is_not_cut_and_cutting_stops_with_the_rule_that_makes_it_fit(
    name: str, threshold: int
) -> None:
    order = [rule.name for rule in RULES]
    for part in parts(name, threshold).values():
        pieces = [child for child in part.children if child.level is Level.PIECE]
        if not pieces:
            continue
        last = max(order.index(piece.rule) for piece in pieces)
        before = part.own_length + sum(len(p.node.span) for p in pieces if order.index(p.rule) == last)
        assert before > threshold, part.partid


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_pieces_nest_by_rule_no_deeper_than_the_limit_under_their_immediate_parent(name: str) -> None:
    order = [rule.name for rule in RULES]
    for part in parts(name, FINEST).values():
        if part.level is not Level.PIECE:
            continue
        depth, parent = 0, part
        while parent.level is Level.PIECE:
            assert parent.parent is not None
            assert parent.parent.node.span.contains(parent.node.span)
            assert parent.parent.level is not Level.PIECE or order.index(parent.parent.rule) < order.index(
                parent.rule
            )
            depth, parent = depth + 1, parent.parent
        assert depth <= DEFAULT.max_depth


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_an_id_of_our_own_shows_the_path_and_the_kind(name: str) -> None:
    ending = re.compile(r"-(emu-table|emu-grammar|emu-production|td|p)-\d+(?:-\d+)?$")
    for part in parts(name, FINEST).values():
        if part.level is Level.PIECE and part.partid != part.node.htmlid:
            found = ending.search(part.partid)
            assert part.parent is not None
            assert found is not None
            assert found[1] == part.node.tag
            assert part.partid[: found.start()] == part.parent.partid


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_a_finer_cut_gives_more_pieces_and_renames_none(name: str) -> None:
    coarse, fine = parts(name), parts(name, FINE)
    kept = [partid for partid in coarse if partid in fine and coarse[partid].level is Level.PIECE]
    assert kept
    assert all(coarse[partid].node.span == fine[partid].node.span for partid in coarse if partid in fine)
    assert set(coarse) <= set(fine)


@pytest.mark.spec
@needs_spec
def test_a_query_by_id_pattern_finds_tables_and_cells_at_a_lower_threshold() -> None:
    assert not like(units("es2026"), "-emu-table-")  # all but one table have ids of their own
    fine = units("es2026", FINEST)
    assert like(fine, "-emu-table-") == ["sec-asyncgeneratorrequest-records-emu-table-1"]
    for threshold in (DEFAULT.threshold, FINE, FINEST):
        found = units("es2026", threshold)
        cells = [unit.unitid for unit in found.values() if unit.kind is Kind.CELL]
        assert cells
        assert [partid for partid in cells if "-td-" not in partid] == []
        parents = {found[found[partid].parentsectionid or ""].kind for partid in cells}
        assert parents <= {Kind.TABLE, Kind.CLAUSE}  # a clause: of a table without caption and `emu-table`


def like(found: dict[str, Unit], pattern: str) -> list[str]:
    return [unitid for unitid in found if pattern in unitid]


@pytest.mark.spec
@needs_spec
def test_a_long_section_is_cut_by_tables_and_a_long_table_again_by_cells() -> None:
    found = parts("es2026")
    table = found["table-abstract-methods-of-environment-records"]
    assert table.parent is not None
    assert table.parent.partid == "sec-the-environment-record-type-hierarchy"
    assert {child.rule for child in table.children} == {"cell"}
    assert table.own_length <= DEFAULT.threshold < len(table.node.span)
    rest = units("es2026")[table.partid]
    text = edition("es2026").assembled.built
    page = next(page.text for page in text.pages if page.source == rest.source)
    cells = [units("es2026")[child.partid] for child in table.children]
    pieces = [(s.start, s.end) for s in rest.segments] + [(cell.start, cell.end) for cell in cells]
    assert "".join(page[a:b] for a, b in sorted(pieces)) == page[rest.start : rest.end]
    for cell in cells:
        assert "> Table 14: Abstract Methods of Environment Records > " in cell.titlepath
        assert cell.titlepath.endswith((" / Purpose", " / Definitions"))


@pytest.mark.spec
@needs_spec
def test_a_cell_is_found_under_its_section_through_its_table() -> None:
    found = units("es2026")
    cell = found["table-abstract-methods-of-environment-records-td-2"]
    table = found[cell.parentsectionid or ""]
    section = found[table.parentsectionid or ""]
    assert (cell.kind, table.kind, section.kind) == (Kind.CELL, Kind.TABLE, Kind.CLAUSE)
    assert cell.clauseid == table.clauseid == section.unitid


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_no_piece_lies_in_an_algorithm(name: str) -> None:
    for part in parts(name, FINEST).values():
        node = part.node.parent
        while node is not None and part.level is Level.PIECE:
            assert node.kind is not Kind.ALGORITHM, part.partid
            node = node.parent


@pytest.mark.spec
@needs_spec
def test_a_section_that_is_one_long_algorithm_stays_whole() -> None:
    longest = parts("es2026")["sec-functiondeclarationinstantiation"]
    assert longest.own_length > DEFAULT.threshold
    assert not longest.too_deep
