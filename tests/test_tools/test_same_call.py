"""Which calls of a tool ask the same."""

from typing import Any

import pytest

from tests.test_tools.fake import small
from tools.same_call import as_written, asks

FETCH, SEARCH, CHILDREN = "fetch_section_chunks", "search_spec", "check_subsections"


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-plant", "recursive": False}),
        (
            FETCH,
            {"sectionid": "sec-plant"},
            {"recursive": "false", "limit": "12000", "sectionid": "sec-plant"},
        ),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-plant", "cursor": None, "page": 1}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": " `1.1` "}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "PlantSeed"}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-planting"}),
        (FETCH, {"sectionid": "sec-nowhere"}, {"sectionid": "sec-nowhere "}),
        (CHILDREN, {"sectionid": "sec-garden"}, {"sectionid": "§ 1"}),
        (SEARCH, {"query": "seed"}, {"query": "seed "}),
        (SEARCH, {"query": "seed bed"}, {"query": "seed\n  bed", "limit": 8}),
        (SEARCH, {"query": "seed", "chapter": "sec-garden"}, {"query": "seed", "chapter": "The Garden"}),
        ("no_such_tool", {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
)
def test_calls_that_differ_in_spelling_alone_ask_the_same(
    name: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert asks(name, one, small()) == asks(name, other, small())


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-rain"}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-plant", "recursive": True}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-plant", "cursor": "abc"}),
        (FETCH, {"sectionid": "sec-plant"}, {"sectionid": "sec-plant~1"}),
        (FETCH, {"sectionid": "sec-nowhere"}, {"sectionid": "sec-elsewhere"}),
        (FETCH, {"sectionid": ""}, {"sectionid": "x" * 5_000}),
        (FETCH, {"sectionid": "Evaluation"}, {"sectionid": "sec-plant-evaluation"}),
        (SEARCH, {"query": "toString"}, {"query": "ToString"}),
        (SEARCH, {"query": 7}, {"query": "7"}),
        (SEARCH, {"query": "seed"}, {"query": "seed", "annex": False}),
    ],
)
def test_calls_that_bring_something_else_do_not(
    name: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert asks(name, one, small()) != asks(name, other, small())


def test_a_tool_is_part_of_what_is_asked() -> None:
    assert asks(FETCH, {"sectionid": "sec-plant"}, small()) != asks(
        CHILDREN, {"sectionid": "sec-plant"}, small()
    )


def test_what_was_written_is_compared_letter_for_letter() -> None:
    assert as_written("look", {"a": "x"}) != as_written("look", {"a": "x "})
