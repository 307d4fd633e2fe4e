"""What fetched text refers to is named below it, operations first, and within the limit."""

from dataclasses import replace

from storage.model import Unit
from tests.test_tools.fake import FakeEmbedder, FakeReader, reader, section
from tools.fetch import fetch_section_chunks
from tools.references import NAMED, OTHERS, Reference, line
from tools.toolbox import Toolbox

OPERATION = Reference("sec-toprimitive", "ToPrimitive", operation=True)
OTHER = Reference("sec-object-type", "The Object Type", operation=False)


def garden() -> FakeReader:
    """A parent with a child; the parent refers to the child, to itself, to a type and to an operation."""
    store = reader(
        section("sec-plant", "1", "Plant", "Long text. " * 40, section("sec-inner", "1.1", "Inner", "Deep.")),
        section("sec-soil", "2", "The Soil Type", "Soil."),
        section("sec-water", "3", "WaterBed ( bed )", "Water."),
    )

    def refer(unit: Unit) -> Unit:
        if unit.unitid == "sec-plant":
            told = ("sec-plant", "sec-inner", "sec-soil", "sec-water", "sec-gone")
            return replace(unit, references=told)
        return replace(unit, aoid="WaterBed") if unit.unitid == "sec-water" else unit

    store.all_units = [refer(unit) for unit in store.all_units]
    return store


def test_a_fetch_names_what_its_text_refers_to_with_ids_that_can_be_fetched() -> None:
    store = garden()
    found = fetch_section_chunks(store, "sec-plant")
    assert found.text.endswith("Refers to: WaterBed (`sec-water`), The Soil Type (`sec-soil`)")
    references = found.data["references"]
    assert [(one["sectionid"], one["operation"]) for one in references] == [
        ("sec-water", True),
        ("sec-soil", False),
    ]
    for one in references:
        assert Toolbox(store, FakeEmbedder()).fetch_section_chunks(one["sectionid"]).ok


def test_what_the_fetch_shows_itself_is_no_reference() -> None:
    told = {
        one["sectionid"]
        for one in fetch_section_chunks(garden(), "sec-plant", recursive=True).data["references"]
    }
    assert told.isdisjoint({"sec-plant", "sec-inner"})


def test_references_take_no_more_room_than_the_limit_leaves() -> None:
    found = fetch_section_chunks(garden(), "sec-plant", limit=500)
    assert "Refers to:" not in found.text
    assert len(found.data["references"]) == 2


def test_the_line_is_cut_to_its_room_and_says_how_many_are_missing() -> None:
    assert line([OPERATION, OTHER], room=1_000) == (
        "Refers to: ToPrimitive (`sec-toprimitive`), The Object Type (`sec-object-type`)"
    )
    assert line([OPERATION, OTHER], room=60) == "Refers to: ToPrimitive (`sec-toprimitive`), and 1 more"
    assert line([OPERATION, OTHER], room=10) == ""
    assert line([], room=1_000) == ""


def test_a_long_list_names_so_many_operations_and_a_few_others() -> None:
    many = [OPERATION] * (NAMED + 5) + [OTHER] * (OTHERS + 2)
    text = line(many, room=10_000)
    assert (text.count("ToPrimitive"), text.count("The Object Type")) == (NAMED, OTHERS)
    assert text.endswith(", and 7 more")
