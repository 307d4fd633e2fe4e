"""Measures and intervals on rankings one can check by hand."""

import math

import pytest

from evaluation.bootstrap import difference, interval
from evaluation.measures import MEASURES, means, measured, quoted


def test_measures_of_a_ranking() -> None:
    values = measured(["x", "a", "y", "b"], ["a", "b"], ["x"])
    assert tuple(values) == MEASURES
    assert (values["hit@1"], values["hit@5"], values["recall@10"], values["mrr"]) == (0.0, 1.0, 1.0, 0.5)
    assert (values["also_ok_hit@10"], values["also_ok_mrr"]) == (1.0, 1.0)
    best = 1 + 1 / math.log2(3)
    assert values["ndcg@10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)


def test_what_stands_below_the_tenth_place_does_not_count() -> None:
    values = measured([*map(str, range(10)), "a"], ["a"], [])
    assert set(values.values()) == {0.0}


def test_every_gold_section_counts_for_recall() -> None:
    assert measured(["a"], ["a", "b", "c"], [])["recall@10"] == pytest.approx(1 / 3)


def test_nothing_found_is_worth_nothing() -> None:
    assert set(measured([], ["a"], ["b"]).values()) == {0.0}


def test_a_quotation_counts_where_it_stands_in_one_text() -> None:
    assert quoted(["If v is\n NaN, return +0.", "Else, return v."], ["is NaN, return", "+0. Else"]) == 0.5


def test_a_mean_is_over_the_questions_that_have_the_measure() -> None:
    assert means([{"a": 1.0, "b": 0.5}, {"a": 0.0}]) == {"a": 0.5, "b": 0.5}


def test_an_interval_holds_the_mean_and_is_the_same_in_every_run() -> None:
    values = [1.0] * 30 + [0.0] * 20
    low, high = interval(values)
    assert low < 0.6 < high
    assert interval(values) == (low, high)
    assert interval([1.0] * 5) == (1.0, 1.0)


def test_a_difference_is_judged_question_by_question() -> None:
    ours = [1.0, 0.5, 0.3, 0.2]
    gap, low, high = difference([one + 0.1 for one in ours], ours)
    assert [gap, low, high] == pytest.approx([0.1, 0.1, 0.1])
