"""Every name of the whole real specification, as written, as people write it, and with one slip."""

import re
from functools import cache

import pytest

from evaluation.held import HeldEdition
from evaluation.lookup import Row, exact, slipped, spelled
from evaluation.names import Case, cases
from storage.model import Level
from tests.spec import edition, needs_spec, reading
from tools.resolve import seek

pytestmark = [needs_spec, pytest.mark.spec]

EVERY = 20
"""One name in so many is asked with a slip: `python -m evaluation lookup` asks them all."""


@cache
def held() -> HeldEdition:
    return HeldEdition(edition("es2026").assembled.built)


@cache
def asked() -> tuple[Case, ...]:
    built = edition("es2026").assembled.built
    return tuple(cases([unit for unit in built.units if unit.level is Level.SECTION], built.names))


@cache
def written() -> dict[str, Row]:
    return {row.sort: row for row in exact(asked(), held())}


@pytest.mark.parametrize(("sort", "least"), [("section ids", 2_257), ("numbers", 2_253), ("legacy ids", 600)])
def test_every_id_legacy_id_and_number_leads_to_its_section(sort: str, least: int) -> None:
    assert written()[sort].misses == ()
    assert written()[sort].asked >= least


def test_every_id_that_the_html_calls_an_old_one_leads_to_the_section_that_it_stands_on() -> None:
    opening = re.compile(r'<emu-(?:clause|annex|intro)\b([^>]*)>((?:\s*<span id="[^"]+"></span>)*)')
    pairs = []
    for file in reading("es2026").source.files:
        for attributes, spans in opening.findall(file.html.decode()):
            (own,) = re.findall(r'\bid="([^"]+)"', attributes)
            olds = ",".join(re.findall(r'\boldids="([^"]+)"', attributes)).split(",")
            pairs += [(old, own) for old in (*olds, *re.findall(r'id="([^"]+)"', spans)) if old]
    assert len(pairs) > 500
    assert [
        pair for pair in pairs if [unit.unitid for unit in seek(pair[0], held()).units] != [pair[1]]
    ] == []


@pytest.mark.parametrize(
    "sort", ["operation names", "method paths", "internal methods", "nonterminals", "slots"]
)
def test_every_operation_method_and_nonterminal_leads_to_all_its_definitions(sort: str) -> None:
    assert written()[sort].share >= 0.99, written()[sort].misses


def test_the_other_ways_to_write_a_name_lead_there_too() -> None:
    rows = spelled([case for case in asked() if case.sort in ("operation names", "method paths")], held())
    assert [(row.sort, row.misses) for row in rows if row.share < 0.99] == []
    assert {row.sort.partition(": ")[2] for row in rows} >= {
        "with #",
        "with @@",
        "with Symbol.x",
        "as a call",
    }


def test_a_name_with_one_slip_is_found_or_offered() -> None:
    rows = slipped(asked()[::EVERY], held(), 1, 262)
    total = sum(row.asked for row in rows)
    assert total > 900
    assert sum(row.first for row in rows) / total >= 0.9
    assert sum(row.offered for row in rows) / total >= 0.98


@pytest.mark.parametrize("operation", ["Evaluation", "[[Get]]", "CompileAtom", "InstantiateFunctionObject"])
def test_the_message_about_several_definitions_names_every_one(operation: str) -> None:
    (wanted,) = (
        case.sections
        for case in asked()
        if case.name == operation and case.sort in ("operation names", "internal methods")
    )
    sought = seek(operation, held())
    assert wanted <= {one.unit.unitid for one in sought.found}
    if len(sought.units) > 1:
        assert wanted <= {unit.unitid for unit in sought.units}


@pytest.mark.parametrize(
    ("written", "sectionid"),
    [
        ("Evaluation of IfStatement", "sec-if-statement-runtime-semantics-evaluation"),
        ("VariableDeclaration", "sec-variable-statement"),
        ("ForStatement", "sec-for-statement"),
        ("ArgumentList", "sec-left-hand-side-expressions"),
    ],
)
def test_a_production_is_itself_and_not_its_example(written: str, sectionid: str) -> None:
    assert [unit.unitid for unit in seek(written, held()).units] == [sectionid]
