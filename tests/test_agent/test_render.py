"""An answer in a terminal."""

from dataclasses import replace
from typing import Any

import pytest

from agent.answer import Citation, Claim, Status, Verdict
from agent.render import citation, terminal
from tests.golden import matches_golden
from tests.test_agent.test_answer import answer

TONUMBER = Citation(
    "sec-tonumber", "7.1.4", "ToNumber ( argument )", "es2026", "2",
    "If argument is either a Symbol or a BigInt,\n  throw a TypeError exception.", Verdict.VERIFIED,
)  # fmt: skip


def test_a_citation_shows_verdict_number_title_step_edition_id_and_words() -> None:
    assert citation({1: TONUMBER}).splitlines() == [
        "[1] ✓ verified: 7.1.4 ToNumber ( argument ), step 2 (es2026), sec-tonumber",
        '    "If argument is either a Symbol or a BigInt, throw a TypeError exception."',
    ]


def test_words_that_the_answer_has_just_said_are_not_said_again() -> None:
    quoting = answer(text=f"“{TONUMBER.quote}” [1]", citations=(TONUMBER,))
    assert terminal(quoting).count("throw a TypeError exception") == 1


def test_a_quotation_from_a_piece_names_the_section_and_the_piece() -> None:
    cited = replace(TONUMBER, piece="sec-tonumber-table-1")
    assert citation({1: cited}).splitlines()[0].endswith("(es2026), sec-tonumber, piece sec-tonumber-table-1")


def told(*citations: Citation, text: str = "") -> list[str]:
    """The lines about citations."""
    shown = terminal(answer(claims=(Claim(text or "c", ()),), citations=citations))
    return [line for line in shown.splitlines() if line.startswith(("[", "    "))]


def test_citations_of_which_the_same_is_to_be_said_stand_on_one_line_with_their_words_numbered() -> None:
    other = replace(TONUMBER, step="3", quote="If argument is undefined, return NaN.")
    again = replace(TONUMBER, quote="words of the same step")
    assert told(TONUMBER, other, again) == [
        "[1][3] ✓ verified: 7.1.4 ToNumber ( argument ), step 2 (es2026), sec-tonumber",
        '    [1] "If argument is either a Symbol or a BigInt, throw a TypeError exception."',
        '    [3] "words of the same step"',
        "[2] ✓ verified: 7.1.4 ToNumber ( argument ), step 3 (es2026), sec-tonumber",
        '    "If argument is undefined, return NaN."',
    ]
    assert told(TONUMBER, again, text=f"“{TONUMBER.quote}” “{again.quote}”") == [
        "[1][2] ✓ verified: 7.1.4 ToNumber ( argument ), step 2 (es2026), sec-tonumber"
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {"verdict": Verdict.NOT_SHOWN}, {"step": "3"}, {"note": "cited as sec-x"}, {"piece": "sec-a-p-1"},
        {"sectionid": "sec-x"}, {"edition": "es2025"}, {"verdict": Verdict.NOT_FOUND, "near": "words"},
    ],
)  # fmt: skip
def test_what_differs_in_verdict_or_place_is_told_apart(changed: dict[str, Any]) -> None:
    both = told(TONUMBER, replace(TONUMBER, quote="other words", **changed))
    assert [line[:4] for line in both if line.startswith("[")] == ["[1] ", "[2] "]


def test_near_misses_stand_each_beside_what_the_text_has() -> None:
    near = replace(TONUMBER, verdict=Verdict.NOT_FOUND, near="words")
    assert sum(line.startswith("[") for line in told(near, replace(near, quote="other"))) == 2


def test_what_failed_is_shown_as_failed_and_says_why() -> None:
    invented = Citation("sec-nix", "", "", "", "", "made up words", Verdict.NOT_FOUND, note="no such section")
    assert citation({2: invented}).splitlines() == [
        "[2] ✗ not found (no such section): no title, sec-nix",
        '    "made up words"',
    ]


def test_the_whole_answer_is_the_golden_one() -> None:
    unsupported = Citation(
        "sec-b", "1.3", "Beta", "es1", "", "nowhere at all", Verdict.NOT_FOUND, note="not found"
    )
    shown = answer(
        status=Status.PARTIAL,
        text="It throws. [1]\n\nIt waters. [2]",
        claims=(Claim("It throws.", (0,)), Claim("It waters.", (1,))),
        citations=(TONUMBER, unsupported),
        notes=("1 of 2 quotations could not be verified.",),
        read=tuple(f"sec-{number}" for number in range(10)),
    )
    assert matches_golden("test_agent/golden/answer.txt", terminal(shown))


def test_a_refusal_is_the_golden_one() -> None:
    refused = answer(
        status=Status.REFUSED, text="Not defined here.\n\nSearched for: “setTimeout”",
        claims=(), citations=(),
        refusal="Not defined here.", read=(), unfollowed=(), searched=("setTimeout",),
    )  # fmt: skip
    assert matches_golden("test_agent/golden/refusal.txt", terminal(refused))


def test_nothing_in_an_answer_acts_on_the_terminal() -> None:
    hostile = "\x1b]0;title\x07\x1b[31mred\u202e"
    cited = Citation(
        hostile, hostile, hostile, hostile, hostile, f"some words {hostile}", Verdict.NOT_SHOWN, note=hostile
    )
    shown = terminal(
        answer(
            text=hostile,
            citations=(cited,),
            notes=(hostile,),
            read=(hostile,),
            unfollowed=(hostile,),
            model=hostile,
            edition=hostile,
        )
    )
    assert not any(character in shown for character in "\x1b\x07\u202e")
