"""Reciprocal rank fusion and one hit a section, on lists one can see through."""

import itertools

import pytest

from storage.model import Kind, Level
from storage.reading import Candidate
from tools.fusion import RRF_K, fuse, group

EVEN = {"text": 1.0, "vector": 1.0}


def found(unitid: str, *, start: int = 0, end: int = 10) -> Candidate:
    level = Level.BLOCK if "~" in unitid else Level.SECTION
    return Candidate(unitid, unitid.partition("~")[0], level, Kind.CLAUSE, start, end, 1.0)


def test_the_score_is_the_sum_of_weighted_reciprocal_ranks() -> None:
    scores = dict(fuse({"text": ["a", "b"], "vector": ["b"]}, weights={"text": 1.0, "vector": 2.0}))
    assert scores["a"] == pytest.approx(1 / (RRF_K + 1))
    assert scores["b"] == pytest.approx(1 / (RRF_K + 2) + 2 / (RRF_K + 1))


def test_what_two_rankings_agree_on_beats_the_top_of_one() -> None:
    order = [one for one, _ in fuse({"text": ["a", "c"], "vector": ["b", "c"]}, weights=EVEN)]
    assert order == ["c", "a", "b"]


def test_ties_are_broken_by_id_whatever_the_order_of_the_rankings() -> None:
    for text, vector in itertools.permutations((["b"], ["a"])):
        assert [one for one, _ in fuse({"text": text, "vector": vector}, weights=EVEN)] == ["a", "b"]


def test_an_id_counts_once_in_a_ranking_at_its_best_place() -> None:
    once = fuse({"text": ["a", "b"]}, weights=EVEN)
    assert fuse({"text": ["a", "a", "b", "a"]}, weights=EVEN) == once


def test_nothing_in_gives_nothing_out() -> None:
    assert fuse({}, weights={}) == []
    assert group({"text": []}, order=[]) == {}


def test_three_units_of_one_section_are_one_hit_with_all_three_in_rank_order() -> None:
    ranking = [found("s~2"), found("t"), found("s~1"), found("s")]
    sections = group({"text": ranking}, order=["s~1", "s~2", "t", "s"])
    assert [one.unitid for one in sections["s"].units] == ["s~1", "s~2", "s"]
    assert [one.unitid for one in sections["t"].units] == ["t"]


def test_of_one_unit_in_two_rankings_the_narrower_candidate_is_kept() -> None:
    wide, window = found("s", start=0, end=900), found("s", start=300, end=500)
    for rankings in ({"text": [wide], "vector": [window]}, {"vector": [window], "text": [wide]}):
        sections = group(rankings, order=["s"])
        assert sections["s"].units == [window]


def test_why_names_the_kinds_of_search_that_found_a_section() -> None:
    sections = group(
        {
            "vector": [found("a")],
            "sections": [found("a"), found("b")],
            "blocks": [found("b~1"), found("c~1")],
        },
        order=["a", "b", "b~1", "c~1"],
    )
    assert {clauseid: hits.why for clauseid, hits in sections.items()} == {
        "a": "text+vector",
        "b": "text",
        "c": "text",
    }
