"""Spellings, mentions and slips, as text."""

import re

import pytest

from tools.spelling import (
    allowed_slips,
    distances,
    last_part,
    lone_spellings,
    mentions,
    one_name,
    operation_and_production,
    shorter_paths,
    spellings,
)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("abc", "abxc", 1),
        ("abcd", "abxy", 2),
        ("abc", "xyz", 3),
    ],
)
def test_distances_count_inserts_deletes_replacements_and_swaps(one: str, other: str, distance: int) -> None:
    assert distances(one, [other], most=3) == {0: distance}
    assert distances(one, ["other", other], most=distance) == {1: distance}


def test_distances_leave_out_what_is_further_than_the_most() -> None:
    assert distances("abcdef", ["uvwxyz", "abcdefghi", "abcdxx", ""], most=2) == {2: 2}


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("arr.map()", "Array.prototype.map"),
        ("arr.prototype.map()", "Array.prototype.map"),
        ("[].map", "Array.prototype.map"),
        ("str#split", "String.prototype.split"),
        ("fn.call", "Function.prototype.call"),
        ("get TypedArray [ %Symbol.species% ]", "get %TypedArray% [ %Symbol.species% ]"),
        ("%Promise%.all", "Promise.all"),
    ],
)
def test_variables_and_percent_signs_are_read_as_what_they_stand_for(written: str, name: str) -> None:
    assert name in list(lone_spellings(written))


@pytest.mark.parametrize(
    "text",
    [
        "Evaluation of IfStatement",
        "Runtime Semantics: Evaluation of an IfStatement",
        "Evaluation for |IfStatement|",
        "IfStatement Evaluation",
        "IfStatement: Evaluation",
    ],
)
def test_an_operation_may_be_named_with_what_it_is_defined_for(text: str) -> None:
    assert ("Evaluation", "IfStatement") in list(operation_and_production(text))


def test_names_written_with_spaces_are_one_name_and_phrases_are_not() -> None:
    names = ("get Map.prototype.size", "Map.prototype [ %Symbol.iterator% ]", "ToNumber")
    assert all(map(one_name, names))
    assert not any(map(one_name, ("get a value", "an array [ of them ] is", "7.1", "")))


@pytest.mark.parametrize(
    ("key", "last"), [("array.prototype.map", "map"), ("a#b", "b"), ("sec-a.b", ""), ("get", "")]
)
def test_the_last_part_of_a_path_is_its_property(key: str, last: str) -> None:
    assert last_part(key) == last


def test_short_names_allow_no_slip() -> None:
    assert [allowed_slips(key) for key in ("get", "await", "tonumber")] == [0, 1, 2]


def test_a_path_is_also_tried_without_what_is_called_on_it() -> None:
    assert list(shorter_paths("Array.prototype.sort.call")) == [
        "Array.prototype.sort.call",
        "Array.prototype.sort",
        "Array.prototype",
    ]


def test_hyphenated_words_and_version_numbers_are_at_most_ids() -> None:
    assert mentions("a left-hand side in ES5.1 on Node v20.1.0") == [
        ("id", "left-hand"),
        ("path", "ES5.1"),
        ("path", "v20.1.0"),
    ]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Does Atomics[Symbol.toStringTag] change?", "Atomics[Symbol.toStringTag]"),
        ("What is Set.Symbol.species?", "Set.Symbol.species"),
        ("Array.prototype[Symbol.unscopables is cut off", "Array.prototype[Symbol.unscopables"),
    ],
)
def test_a_symbol_as_key_belongs_to_its_path(question: str, path: str) -> None:
    assert ("path", path) in mentions(question)
    assert re.sub(r"\[?\.?Symbol\.(\w+)\]?", r"[%Symbol.\1%]", path) in list(spellings(path))
