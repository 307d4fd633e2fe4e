from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.filters import Filter, equals, escape_like, every, like, literal, matching, one_of
from storage.lance import connect

HOSTILE = [
    "sec-%",
    "x' OR '1'='1",
    "_",
    "'",
    "''",
    "it's",
    '"double"',
    "`tick`",
    "back\\slash",
    "\\",
    "100%\\_done",
    "nul\0byte",
    "line\nbreak",
    "\x1b[31m",
    "); DROP TABLE units; --",
    "𝔽 ℤ é",
    "",
    "x" * 100_000,
]
"""Values that a filter must take as nothing but data."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Filter | None], list[str]]:
    """The values in a table of the hostile ones that a filter matches."""
    rows = [{"unitid": value, "annex": len(value) > 5} for value in HOSTILE]
    table: Any = connect(tmp_path_factory.mktemp("filters")).create_table("values", rows)
    return lambda filter: [row["unitid"] for row in table.search().where(filter).limit(100).to_list()]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: ascii(value[:20]))
def test_a_value_matches_itself_and_nothing_else(
    found: Callable[[Filter | None], list[str]], value: str
) -> None:
    assert found(equals("unitid", value)) == [value]
    assert found(one_of("unitid", [value, "absent"])) == [value]
    assert found(like("unitid", escape_like(value))) == [value]


def test_a_pattern_matches_by_its_wildcards_only(found: Callable[[Filter | None], list[str]]) -> None:
    assert found(like("unitid", escape_like("sec-%") + "%")) == ["sec-%"]
    assert found(like("unitid", "%" + escape_like("_done"))) == ["100%\\_done"]
    assert len(found(like("unitid", "%"))) == len(HOSTILE)


def test_an_empty_list_matches_nothing(found: Callable[[Filter | None], list[str]]) -> None:
    assert found(one_of("unitid", [])) == []


def test_all_of_several_filters_must_hold(found: Callable[[Filter | None], list[str]]) -> None:
    both = every(one_of("unitid", ["_", "sec-%", "back\\slash"]), equals("annex", True))
    assert found(both) == ["back\\slash"]


def test_a_mapping_says_column_and_value_or_values(found: Callable[[Filter | None], list[str]]) -> None:
    assert found(matching({"unitid": ["_", "it's", "back\\slash"], "annex": False})) == ["_", "it's"]


def test_no_filter_is_none() -> None:
    assert every() is None
    assert every(None, None) is None
    assert matching(None) is None
    assert matching({}) is None


@pytest.mark.parametrize("column", ["", "a b", "x` = 1 OR `y", "Level", "1=1 --"])
def test_a_column_that_is_not_a_name_is_a_fault_of_the_program(column: str) -> None:
    with pytest.raises(ValueError, match="not a column"):
        equals(column, "x")


@given(st.text())
def test_a_literal_is_one_quoted_string_whatever_it_holds(text: str) -> None:
    quoted = literal(text)
    inner = quoted[1:-1]
    assert quoted[0] == quoted[-1] == "'"
    assert "'" not in inner.replace("''", "")


def test_a_lone_surrogate_does_not_break_the_statement() -> None:
    literal("\ud800").encode("utf-8")
