"""What a kind of section is worth to a way of asking."""

from dataclasses import fields, replace

import pytest

from storage.reading import Place
from tools.prior import LONG_CHARACTERS, asking, evaluations, weighed, worth
from tools.weights import WEIGHTS

LONG = Place("Beds", "sec-garden", LONG_CHARACTERS, normative=True, childless=True)
SHORT = replace(LONG, characters=200)
EARLY = replace(LONG, title="Static Semantics: Early Errors")


def factor(query: str, place: Place, *, pointed: bool = False) -> float:
    return worth(place, asking(query), pointed=pointed, weights=WEIGHTS)


def test_a_long_normative_section_is_worth_its_score() -> None:
    assert factor("Where do the beds stand?", LONG) == 1
    assert factor("Where do the beds stand?", LONG, pointed=True) == 1


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (replace(LONG, normative=False), LONG),
        (SHORT, LONG),
        (replace(LONG, characters=40), SHORT),
        (replace(LONG, characters=40), replace(LONG, characters=40, childless=False)),
    ],
    ids=["informative", "short", "says only where to read on", "short, with sections inside"],
)
def test_some_kinds_of_sections_are_worth_less(less: Place, more: Place) -> None:
    assert 0 < factor("beds", less) < factor("beds", more)


@pytest.mark.parametrize(
    "query", ["Is `let let` a SyntaxError?", "A label is not permitted here", "early errors of a bed"]
)
def test_early_errors_are_worth_more_where_the_question_speaks_of_what_is_refused(query: str) -> None:
    assert factor(query, EARLY) > factor(query, LONG)


def test_early_errors_are_worth_no_more_otherwise() -> None:
    assert factor("What does a bed evaluate to?", EARLY) == factor("What does a bed evaluate to?", LONG)


def test_a_question_about_a_short_method_is_about_what_it_calls() -> None:
    assert factor("Does Bed.prototype.water throw?", SHORT, pointed=True) < factor("beds?", SHORT)


def test_whatever_is_no_question_means_the_method_that_it_names() -> None:
    told = "Bed.prototype.water throws a TypeError"
    assert factor(told, SHORT, pointed=True) == factor(told, SHORT)


def test_an_evaluation_has_the_score_of_the_section_around_it() -> None:
    outline = {
        "operator": LONG,
        "evaluation": replace(LONG, title="Runtime Semantics: Evaluation", parent="operator"),
        "other": replace(LONG, title="Runtime Semantics: Evaluation", parent="elsewhere"),
        "note": replace(LONG, title="Notes", parent="operator"),
    }
    assert evaluations({"operator": 2.0}, outline) == {"evaluation": 2.0}


def test_what_has_no_place_keeps_its_score() -> None:
    """The page's own text belongs to no section."""
    got = weighed({"page-x": 3.0, "a": 3.0}, "beds", {"a": SHORT}, pointed=(), weights=WEIGHTS)
    assert got["page-x"] == 3.0 > got["a"] > 0


def test_without_these_weights_every_section_is_worth_the_same() -> None:
    kinds = ("evaluation", "early", "pointer", "informative", "short", "aside")
    plain = replace(WEIGHTS, **dict.fromkeys(kinds, 0.0))
    assert set(kinds) < {field.name for field in fields(WEIGHTS)}
    for place in (LONG, SHORT, EARLY, replace(SHORT, normative=False, characters=1)):
        assert worth(place, asking("Is it a SyntaxError?"), pointed=True, weights=plain) == 1
