"""Measures and intervals on rankings one can check by hand."""

import math
import random

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


def test_a_ranking_worked_out_by_hand_place_by_place() -> None:
    # Gold at 1, 4 and 10 of four; the fourth is not found.
    ranked = ["g1", "x", "x2", "g2", "x3", "x4", "x5", "x6", "x7", "g3"]
    values = measured(ranked, ["g1", "g2", "g3", "g4"], [])
    gained = 1 / math.log2(2) + 1 / math.log2(5) + 1 / math.log2(11)
    ideal = sum(1 / math.log2(place + 1) for place in (1, 2, 3, 4))
    assert values["hit@1"] == values["hit@5"] == values["hit@10"] == values["mrr"] == 1.0
    assert values["recall@10"] == 0.75
    assert values["ndcg@10"] == pytest.approx(gained / ideal)
    assert values["ndcg@10"] == pytest.approx(0.671, abs=0.001)


def test_a_section_that_is_ranked_twice_counts_once() -> None:
    assert measured(["x", "a", "a", "b"], ["a", "b"], []) == measured(["x", "a", "b"], ["a", "b"], [])


def test_measures_keep_their_order_on_any_ranking() -> None:
    chance = random.Random(262)
    sections = [f"s{number}" for number in range(14)]
    for _ in range(300):
        ranked = chance.sample(sections, chance.randint(0, 14))
        wanted = chance.sample(sections, chance.randint(1, 14))
        values = measured(ranked, wanted, [])
        assert 0 <= values["hit@1"] <= values["mrr"] <= values["hit@10"] <= 1
        assert values["hit@1"] <= values["hit@5"] <= values["hit@10"]
        assert (values["recall@10"] > 0) == (values["hit@10"] == 1) == (values["ndcg@10"] > 0)
        best = measured([*wanted, *ranked], wanted, [])
        assert values["ndcg@10"] <= best["ndcg@10"] == pytest.approx(1)


def test_an_interval_is_about_as_wide_as_the_normal_one() -> None:
    # 400 coins with 0.3: standard error sqrt(.3 * .7 / 400) = .0229, so about .0449 to either side.
    low, high = interval([1.0] * 120 + [0.0] * 280)
    assert low == pytest.approx(0.3 - 0.0449, abs=0.006)
    assert high == pytest.approx(0.3 + 0.0449, abs=0.006)


def test_pairing_tells_apart_what_two_separate_intervals_could_not() -> None:
    hard = [number % 10 / 10 for number in range(60)]
    better = [min(1.0, one + 0.05) for one in hard]
    assert interval(better)[0] < interval(hard)[1]
    assert difference(better, hard)[1] > 0
