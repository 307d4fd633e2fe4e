from storage.documents import to_document
from storage.model import METADATA_KEYS
from tests.test_storage.small import ODD_ID, small_edition

UNITS = {unit.unitid: unit for unit in small_edition().units}


def test_metadata_has_exactly_the_keys_in_their_order() -> None:
    for unit in UNITS.values():
        assert tuple(to_document(unit).metadata) == METADATA_KEYS


def test_subsections_are_a_list_and_never_missing() -> None:
    assert to_document(UNITS["sec-types"]).metadata["subsections"] == ["sec-key", ODD_ID]
    assert to_document(UNITS[ODD_ID]).metadata["subsections"] == []


def test_metadata_is_plain_data() -> None:
    metadata = to_document(UNITS["sec-key"]).metadata
    assert type(metadata["level"]) is str
    assert type(metadata["kind"]) is str
    assert metadata["type"] == "specification"
    assert metadata["sectiontitle"] == "ToPropertyKey ( argument )"


def test_a_parent_names_itself_and_shows_its_markers() -> None:
    content = to_document(UNITS["sec-types"]).page_content
    assert content.startswith("[Section sec-types: Types]\n\n---\n\n1 Types\n")
    assert content.count("[Subsection available: title ") == 2
    assert content.endswith("Afterword.\n")


def test_a_leaf_is_its_text() -> None:
    unit = UNITS[ODD_ID]
    assert to_document(unit).page_content == unit.text
