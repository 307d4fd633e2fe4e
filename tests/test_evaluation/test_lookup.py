"""The cases of `evaluation lookup`: what names there are, how else they are written, what counts as found."""

import random
from dataclasses import replace

import pytest

from evaluation.lookup import SLIPS, exact, judged, slipped, spelled, told
from evaluation.names import Case, cases, spellings
from storage.model import Level, NameKind
from tests.test_tools.fake import FakeReader, name, small


def reader() -> FakeReader:
    return small()


def asked() -> list[Case]:
    held = reader()
    return cases([unit for unit in held.all_units if unit.level is Level.SECTION], held.names())


def test_names_are_read_from_the_headings_and_numbers_of_sections() -> None:
    found = {(case.sort, case.name): case.sections for case in asked()}
    assert found["section ids", "sec-plant"] == {"sec-plant"}
    assert found["numbers", "1.2"] == {"sec-bed.prototype.water"}
    assert found["operation names", "Evaluation"] == {"sec-plant-evaluation"}
    assert found["method paths", "Bed.prototype.water"] == {"sec-bed.prototype.water"}
    assert found["functions and constructors", "PlantSeed"] == {"sec-plant"}


def test_an_attribute_tells_the_operation_before_the_heading() -> None:
    (plant,) = (unit for unit in reader().all_units if unit.unitid == "sec-plant")
    (case,) = (one for one in cases([replace(plant, aoid="Plant")], []) if one.sort == "operation names")
    assert case.name == "Plant"


@pytest.mark.parametrize(
    ("sort", "called", "written"),
    [
        ("method paths", "Bed.prototype.water", "Bed#water"),
        ("method paths", "Bed.prototype [ %Symbol.bloom% ]", "Bed.prototype[@@bloom]"),
        ("method paths", "Bed.prototype [ %Symbol.bloom% ]", "Bed.prototype[Symbol.bloom]"),
        ("method paths", "get Bed.prototype.size", "Bed.prototype.size"),
        ("operation names", "PlantSeed", "Plant Seed"),
        ("well-known symbols", "%Symbol.bloom%", "@@bloom"),
        ("nonterminals", "WaterStatement", "|WaterStatement|"),
    ],
)
def test_a_name_is_also_asked_as_people_write_it(sort: str, called: str, written: str) -> None:
    assert written in [text for _, text in spellings(Case(sort, called, frozenset()))]


def test_every_slip_is_one_edit_and_the_same_seed_gives_the_same() -> None:
    for slip in SLIPS.values():
        made = [slip("PlantSeed", random.Random(seed)) for seed in range(20)]
        assert made == [slip("PlantSeed", random.Random(seed)) for seed in range(20)]
        assert "PlantSeed" not in made
        assert all(abs(len(text) - len("PlantSeed")) <= 1 for text in made)


def test_a_name_counts_as_found_only_with_all_its_sections() -> None:
    both = Case("operation names", "Evaluation", frozenset({"sec-plant-evaluation", "sec-rain"}))
    assert judged("Evaluation", both, reader(), complete=True) == (True, True)
    more = replace(both, sections=both.sections | {"sec-old"})
    assert judged("Evaluation", more, reader(), complete=True) == (False, True)
    assert judged("PlantSeed", both, reader(), complete=True) == (False, False)


def test_rows_count_what_was_asked_and_name_what_was_missed() -> None:
    unknown = Case("operation names", "NoSuchThing", frozenset({"sec-old"}))
    (row,) = exact([Case("operation names", "PlantSeed", frozenset({"sec-plant"})), unknown], reader())
    assert (row.asked, row.first, row.misses) == (2, 1, ("NoSuchThing",))
    assert "in vain: NoSuchThing" in told("as written", [row], misses=1)
    assert row.share == 0.5


def test_what_is_another_name_is_no_spelling_and_numbers_have_no_slips() -> None:
    getter = Case("method paths", "get Bed.prototype.water", frozenset({"sec-rain"}))
    rows = {row.sort for row in spelled([*asked(), getter], reader())}
    assert "method paths: without get or set" not in rows
    assert not any(row.sort.startswith("numbers") for row in slipped(asked(), reader(), 1, 262))


def test_legacy_ids_come_from_the_table_of_names() -> None:
    table = [name("sec-planting", NameKind.LEGACY_ID, "sec-plant")]
    assert [case.sort for case in cases([], table)] == ["legacy ids"]
