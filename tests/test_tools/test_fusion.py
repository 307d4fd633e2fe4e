"""Fusion by score and by reciprocal rank, and one hit a section, on lists one can see through."""

import itertools
import math
from dataclasses import replace

import pytest

from storage.model import Kind, Level
from storage.reading import Candidate
from tests.test_tools.fake import small
from tools.fusion import RRF_K, Ranking, best_first, fuse, group, referenced, section_scores


def found(unitid: str, *, start: int = 0, end: int = 10, score: float = 1.0) -> Candidate:
    level = Level.BLOCK if "~" in unitid else Level.SECTION
    return Candidate(unitid, unitid.partition("~")[0], level, Kind.CLAUSE, start, end, score)


def text(*candidates: Candidate) -> Ranking:
    return Ranking("text", 1.0, candidates)


def vector(*candidates: Candidate) -> Ranking:
    return Ranking("vector", 1.0, candidates)


def test_the_score_is_the_sum_of_weighted_reciprocal_ranks() -> None:
    scores = dict(fuse([(1.0, ["a", "b"]), (2.0, ["b"])]))
    assert scores["a"] == pytest.approx(1 / (RRF_K + 1))
    assert scores["b"] == pytest.approx(1 / (RRF_K + 2) + 2 / (RRF_K + 1))


def test_what_two_rankings_agree_on_beats_the_top_of_one() -> None:
    assert [one for one, _ in fuse([(1, ["a", "c"]), (1, ["b", "c"])])] == ["c", "a", "b"]


def test_ties_are_broken_by_id_whatever_the_order_of_the_rankings() -> None:
    for one, other in itertools.permutations((["b"], ["a"])):
        assert [unitid for unitid, _ in fuse([(1, one), (1, other)])] == ["a", "b"]


def test_an_id_counts_once_in_a_ranking_at_its_best_place() -> None:
    assert fuse([(1, ["a", "a", "b", "a"])]) == fuse([(1, ["a", "b"])])


def test_nothing_in_gives_nothing_out() -> None:
    assert fuse([]) == []
    assert group([text()]) == {}
    assert section_scores([text()]) == {}
    assert referenced([], {}) == {}


def test_a_section_has_the_score_of_its_best_unit_between_the_first_and_the_last() -> None:
    hits = [found("s~2", score=9.0), found("t", score=6.0), found("s", score=5.0), found("u", score=3.0)]
    assert section_scores([Ranking("text", 1.0, hits, cut=True)]) == {"s": 1.0, "t": 0.5, "u": 0.0}


def test_the_last_of_a_ranking_that_holds_all_there_is_still_counts() -> None:
    assert section_scores([text(found("s", score=9.0), found("u", score=3.0))]) == {"s": 1.0, "u": 1 / 3}


def test_scores_of_two_searches_add_up_by_their_weights_whatever_their_scales() -> None:
    rankings = [
        Ranking("text", 1.0, [found("a", score=800.0), found("b", score=400.0)]),
        Ranking("vector", 2.0, [found("b", score=0.8), found("a", score=0.4)]),
    ]
    assert section_scores(rankings) == {"a": 2.0, "b": 2.5}


def test_what_is_found_alone_or_with_equal_scores_is_found_in_full() -> None:
    assert section_scores([text(found("a"), found("b"))]) == {"a": 1.0, "b": 1.0}


def test_equal_scores_are_in_the_order_of_ids_whatever_was_added_first() -> None:
    assert best_first({"b": 0.1 + 0.2, "a": 0.3, "c": 0.4}) == ["c", "a", "b"]


def test_three_units_of_one_section_are_one_hit_with_all_three_in_rank_order() -> None:
    sections = group([text(found("s~2"), found("t"), found("s~1"), found("s"))])
    assert list(sections) == ["s", "t"]
    assert [one.unitid for one in sections["s"].units] == ["s~2", "s~1", "s"]
    assert [one.unitid for one in sections["t"].units] == ["t"]


def test_units_that_two_searches_found_stand_before_those_of_one() -> None:
    sections = group([text(found("s~1"), found("s")), vector(found("s"))])
    assert [one.unitid for one in sections["s"].units] == ["s", "s~1"]


def test_of_one_unit_in_two_rankings_the_narrower_candidate_is_kept() -> None:
    wide, window = found("s", start=0, end=900), found("s", start=300, end=500)
    for rankings in itertools.permutations((text(wide), vector(window))):
        assert group(rankings)["s"].units == [window]


def test_why_names_the_kinds_of_search_that_found_a_section() -> None:
    sections = group([vector(found("a")), text(found("a"), found("b")), text(found("b~1"))])
    assert {clauseid: hits.why for clauseid, hits in sections.items()} == {"a": "text+vector", "b": "text"}


def test_a_reference_gives_its_share_once_and_the_less_the_more_sections_make_it() -> None:
    units = [unit for unit in small().all_units if unit.level is Level.SECTION][:2]
    seeds = [
        (replace(units[0], references=("x", "y")), 4.0),
        (replace(units[1], references=("y", "z")), 1.0),
    ]
    given = referenced(seeds, {"x": 1, "y": 1, "z": 50})
    assert (given["x"], given["y"]) == (4.0, 4.0)
    assert given["z"] == pytest.approx(1 / (1 + math.log(50)))
