"""Spellings, mentions and slips, as text."""

import pytest

from tools.spelling import allowed_slips, edits, mentions, shorter_paths


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("abc", "abxc", 1),
        ("abc", "xyz", 3),
    ],
)
def test_edits_count_inserts_deletes_replacements_and_swaps(one: str, other: str, distance: int) -> None:
    assert edits(one, other, most=3) == distance == edits(other, one, most=3)


def test_edits_stop_counting_above_the_most() -> None:
    assert edits("abcdef", "uvwxyz", most=2) == 3
    assert edits("a", "abcdefgh", most=2) == 3


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
