from dataclasses import fields

from storage.model import Name, Page, Unit
from storage.schema import (
    CLASS_INDICES,
    EXACT_INDICES,
    NAMES,
    PAGES,
    ROLES,
    TEXT_COLUMNS,
    UNIT_COLUMNS,
    UNITS,
    arrow_schemas,
    name_of,
    name_row,
    page_of,
    page_row,
    unit_of,
    unit_row,
)
from tests.test_storage.small import TEXT, names, small_edition


def test_a_unit_has_a_column_for_each_field() -> None:
    assert tuple(field.name for field in fields(Unit)) == UNIT_COLUMNS


def test_the_tables_have_exactly_the_columns_of_their_rows() -> None:
    schemas = arrow_schemas(3)
    built = small_edition()
    assert set(schemas[UNITS].names) == set(unit_row(built.units[0], TEXT))
    assert set(schemas[PAGES].names) == {field.name for field in fields(Page)}
    assert set(schemas[NAMES].names) == {field.name for field in fields(Name)}


def test_every_column_is_lower_case() -> None:
    assert all(name.islower() for schema in arrow_schemas(3).values() for name in schema.names)


def test_every_index_is_over_a_column_that_there_is() -> None:
    schemas = arrow_schemas(3)
    for role in ROLES:
        assert {*EXACT_INDICES[role], *CLASS_INDICES[role]} <= set(schemas[role].names)
    assert set(TEXT_COLUMNS) <= set(schemas[UNITS].names)


def test_rows_give_the_values_back() -> None:
    built = small_edition()
    assert [unit_of(unit_row(unit, TEXT)) for unit in built.units] == list(built.units)
    assert [page_of(page_row(page)) for page in built.pages] == list(built.pages)
    assert [name_of(name_row(name)) for name in names()] == list(names())


def test_what_is_searched_is_the_text_without_markers_and_the_words_of_heading_and_id() -> None:
    unit = next(unit for unit in small_edition().units if unit.unitid == "sec-key")
    row = unit_row(unit, TEXT)
    assert "Subsection available" in unit.text
    assert row["body"] == "1.1 ToPropertyKey ( argument )\n1. Let key be ? ToPrimitive(argument).\n\n"
    assert row["head"] == "Types > ToPropertyKey ( argument ) 1.1 key"
    assert row["idents"] == "to property key to property key to primitive"
