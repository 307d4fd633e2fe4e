"""Reciprocal rank fusion and one hit a section, on lists one can see through."""

import itertools
from dataclasses import replace

import pytest

from storage.model import Kind, Level
from storage.reading import Candidate
from tests.test_tools.fake import small
from tools.fusion import RRF_K, Ranking, by_section, fuse, group, referenced


def found(unitid: str, *, start: int = 0, end: int = 10) -> Candidate:
    level = Level.BLOCK if "~" in unitid else Level.SECTION
    return Candidate(unitid, unitid.partition("~")[0], level, Kind.CLAUSE, start, end, 1.0)


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
    assert referenced([]) == []


def test_a_section_stands_where_its_best_unit_does() -> None:
    ranking = text(found("s~2"), found("t"), found("s"))
    assert [unitid for unitid, _ in fuse(by_section([ranking]))] == ["s", "t"]


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


def test_what_the_first_seeds_and_most_seeds_refer_to_comes_first() -> None:
    units = [unit for unit in small().all_units if unit.level is Level.SECTION][:3]
    seeds = [
        replace(unit, references=references)
        for unit, references in zip(units, (("x", "y"), ("y",), ("z",)), strict=True)
    ]
    assert referenced(seeds) == ["y", "x", "z"]
