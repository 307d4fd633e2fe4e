"""The budget and its basket."""

import pytest

from storage.errors import InputError
from storage.model import Kind, Level, Span
from storage.reading import Candidate
from tools.budget import Basket, Budget, parse_budget
from tools.packet import Reason, Selected


def unit(unitid: str, start: int, end: int) -> Selected:
    hit = Candidate(unitid, "s", Level.BLOCK, Kind.PARAGRAPH, start, end, 1.0)
    return Selected(unitid, "s", Level.BLOCK, "p.html", "e", (Span(start, end),), "x" * (end - start), (hit,))


def test_a_unit_inside_a_held_one_adds_its_children_and_takes_no_room() -> None:
    basket = Basket(Budget(units=1, characters=100))
    assert basket.offer(unit("outer", 0, 100)) is None
    assert basket.offer(unit("inner", 10, 20)) is None
    assert [one.unitid for one in basket.held] == ["outer"]
    assert [child.unitid for child in basket.held[0].children] == ["outer", "inner"]


def test_a_unit_that_covers_held_ones_takes_the_place_of_the_first() -> None:
    basket = Basket(Budget(units=3, characters=1_000))
    for one in (unit("a", 0, 10), unit("other", 500, 510), unit("b", 20, 30)):
        basket.offer(one)
    assert basket.offer(unit("outer", 0, 100)) is None
    assert [one.unitid for one in basket.held] == ["outer", "other"]


def test_a_refused_offer_changes_nothing() -> None:
    basket = Basket(Budget(units=2, characters=50))
    basket.offer(unit("a", 0, 30))
    assert basket.offer(unit("b", 40, 60)) is Reason.TOO_LONG
    assert basket.offer(unit("c", 40, 59)) is None
    assert basket.offer(unit("d", 70, 71)) is Reason.TOO_MANY_UNITS
    assert [one.unitid for one in basket.held] == ["a", "c"]
    assert basket.characters == 50


def test_stretches_of_different_pages_never_cover_each_other() -> None:
    from dataclasses import replace

    assert not unit("a", 0, 10).covers(replace(unit("b", 2, 3), source="q.html"))
    assert not unit("a", 0, 10).covers(replace(unit("b", 2, 3), edition="f"))


def test_a_unit_of_two_stretches_is_covered_only_if_both_are() -> None:
    from dataclasses import replace

    two = replace(unit("a", 0, 10), spans=(Span(0, 3), Span(20, 30)))
    assert not unit("b", 0, 10).covers(two)
    assert two.covers(unit("c", 22, 30))
    assert not two.covers(unit("d", 0, 30))


@pytest.mark.parametrize("text", ["", "4", "4/", "/900", "four/900", "-1/900", "0/900", "4/0", "4/900/1"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="budget"):
        parse_budget(text)
