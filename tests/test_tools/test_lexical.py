"""BM25 over the texts handed in."""

from tools.lexical import Index, rank

TEXTS = [("a", "green key"), ("b", "amber key"), ("c", "no match here at all")]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    assert [key for key, _ in rank("amber key", TEXTS, limit=5)] == ["b", "a"]


def test_statistics_are_those_of_the_texts_alone() -> None:
    more = [*TEXTS, *((f"k{number}", "key key") for number in range(50))]
    (few, *_), (many, *_) = rank("key", TEXTS[:1], limit=5), rank("key", more, limit=99)
    assert few != many


def test_equal_scores_are_in_the_order_of_keys() -> None:
    same = [(key, "one two three") for key in ("c", "a", "b")]
    assert [key for key, _ in rank("three one", same, limit=5)] == ["a", "b", "c"]


def test_identifiers_are_found_by_their_parts() -> None:
    assert [key for key, _ in rank("property key", [("x", "ToPropertyKey")], limit=1)] == ["x"]


def test_nothing_is_found_in_nothing_or_for_nothing() -> None:
    assert Index([]).search("key", limit=5) == []
    assert rank("", TEXTS, limit=5) == []
    assert rank("key", TEXTS, limit=0) == []
