"""The outline one level below."""

import pytest

from storage.errors import InputError
from tests.test_tools.fake import small
from tools.subsections import check_subsections


def test_children_come_in_document_order_with_kind_title_size_and_their_own_children() -> None:
    entries = check_subsections(small(), "sec-garden").data["subsections"]
    assert [entry["sectionid"] for entry in entries] == ["sec-plant", "sec-bed.prototype.water"]
    plant = small().unit("sec-plant")
    assert plant is not None
    assert entries[0]["kind"] == "clause"
    assert entries[0]["title"] == "PlantSeed ( seed, bed )"
    assert entries[0]["size"] == len(plant.text)
    assert entries[0]["total"] == len(plant.span)
    assert [entry["subsections"] for entry in entries] == [1, 0]


def test_what_this_question_has_read_is_marked() -> None:
    result = check_subsections(small(), "sec-garden", read=frozenset({"sec-plant", "sec-elsewhere"}))
    assert [entry["read"] for entry in result.data["subsections"]] == [True, False]
    assert result.text.count("already read") == 1


def test_a_child_of_which_a_rest_is_left_is_read_in_part_and_not_called_read() -> None:
    read = frozenset({"sec-plant", "sec-bed.prototype.water"})
    result = check_subsections(small(), "sec-garden", read=read, in_part=frozenset({"sec-plant"}))
    entries = result.data["subsections"]
    assert [(entry["read"], entry["read_in_part"]) for entry in entries] == [(False, True), (True, False)]
    assert (result.text.count("read in part"), result.text.count("already read")) == (1, 1)


def test_a_leaf_says_that_it_is_one() -> None:
    result = check_subsections(small(), "sec-rain")
    assert result.data["subsections"] == []
    assert "has no subsections: it is a leaf of 32 characters" in result.text


def test_a_block_says_which_section_it_is_part_of() -> None:
    assert "it is part of `sec-rain`" in check_subsections(small(), "sec-rain~2").text


def test_a_number_or_name_is_accepted_and_said() -> None:
    result = check_subsections(small(), "2")
    assert result.data["sectionid"] == "sec-weather"
    assert result.text.startswith("`2` is the number that leads to `sec-weather`.")


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no such section.*Nearest: `sec-garden`"):
        check_subsections(small(), "sec-gardening-book")
