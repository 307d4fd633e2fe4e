"""From a library's results back to sections and evidence, on texts that one can count by hand."""

import pytest

from evaluation.peers.contestant import clipped, contestant
from evaluation.peers.credit import LEAST, earned, owned
from evaluation.peers.haystack_auto_merging import by_best_leaf
from evaluation.peers.material import Found
from evaluation.peers.sources import JOINT, Source, joined
from storage.model import Span
from tools.budget import Budget


def source(name: str, *spans: tuple[int, int], page: str = "p") -> Source:
    cut = tuple(Span(*span) for span in spans)
    return Source(name, page, "", JOINT.join("x" * len(span) for span in cut), cut)


OWNERS = owned(
    [
        source("outer", (0, 100), (400, 500)),
        source("first", (100, 200)),
        source("second", (200, 400)),
        source("tiny", (500, 510)),
        source("elsewhere", (0, 1000), page="q"),
    ]
)
"""An outer section around two others, text of its own before and after them; then a tiny one."""


def of(*spans: tuple[int, int], page: str = "p") -> list[str]:
    return earned(OWNERS, page, [Span(*span) for span in spans])


def test_a_result_inside_a_section_earns_that_section_alone() -> None:
    assert of((120, 180)) == ["first"]


def test_text_after_a_child_belongs_to_the_section_around_it() -> None:
    assert of((410, 480)) == ["outer"]


def test_a_result_over_several_sections_earns_them_by_how_much_of_it_is_theirs() -> None:
    assert of((150, 400)) == ["second", "first"]


def test_equal_shares_stand_in_document_order() -> None:
    assert of((50, 150)) == ["outer", "first"]


def test_both_stretches_of_a_section_count_together() -> None:
    # 60 + 100 characters of outer; 100 of first; 200 of second.
    assert of((40, 500)) == ["second", "outer", "first"]


def test_a_crumb_of_the_next_section_earns_nothing_unless_it_is_all_that_there_is() -> None:
    assert of((120, 200 + LEAST - 1)) == ["first"]
    assert of((120, 200 + LEAST)) == ["first", "second"]
    assert of((205, 210)) == ["second"]


def test_a_short_section_that_is_wholly_there_is_no_crumb() -> None:
    assert of((420, 510)) == ["outer", "tiny"]


def test_another_page_and_text_of_no_section_earn_nothing_here() -> None:
    assert of((10, 60), page="q") == ["elsewhere"]
    assert of((10, 60), page="r") == []
    assert of((600, 700)) == []


def test_stretches_lead_from_a_cut_text_back_to_its_page() -> None:
    cut = source("outer", (0, 100), (400, 500))
    assert cut.stretches(0, len(cut.text)) == (Span(0, 100), Span(400, 500))
    assert cut.stretches(90, 111) == (Span(90, 100), Span(400, 410))
    assert cut.stretches(100, 101) == ()


def test_a_section_and_the_pieces_cut_from_it_are_one_stretch() -> None:
    assert joined([Span(30, 40), Span(0, 10), Span(10, 30), Span(50, 60)]) == [Span(0, 40), Span(50, 60)]


def test_a_result_is_cut_to_the_room_with_the_stretches_that_are_left() -> None:
    result = Found("p", (Span(0, 3), Span(10, 13)), "abc\ndef")
    assert clipped(result, 7) == result
    assert clipped(result, 5) == Found("p", (Span(0, 3), Span(10, 11)), "abc\nd")
    assert clipped(result, 2) == Found("p", (Span(0, 2),), "ab")


def test_a_merged_result_stands_where_its_best_leaf_stood() -> None:
    def found(start: int, end: int, page: str = "p") -> Found:
        return Found(page, (Span(start, end),), "x" * (end - start))

    leaves = [found(20, 30), found(0, 10, "q"), found(0, 10), found(40, 50)]
    results = [found(0, 10, "q"), found(40, 50), found(0, 35)]
    assert by_best_leaf(results, leaves) == [found(0, 35), found(0, 10, "q"), found(40, 50)]


class Edition:
    """As much of the material as a contestant looks at."""

    edition = "e"
    owners = OWNERS


@pytest.mark.parametrize("error", [ValueError("no\nparent"), KeyError("id")])
def test_what_a_library_raises_is_its_answer_and_is_named(error: Exception) -> None:
    def peer(query: str) -> list[Found]:
        raise error

    outcome = contestant(peer, Edition(), Budget())("q")  # type: ignore[arg-type]
    assert outcome.ranked == ()
    assert outcome.texts == ()
    assert outcome.packet["raised"].startswith(type(error).__name__)
    assert "\n" not in outcome.packet["raised"]


def test_evidence_keeps_to_the_budget_and_ranks_go_on_behind_it() -> None:
    results = [
        Found("p", (Span(start, start + 60),), letter * 60)
        for start, letter in ((110, "a"), (210, "b"), (410, "c"))
    ]
    outcome = contestant(lambda _: results, Edition(), Budget(units=4, characters=100))("q")  # type: ignore[arg-type]
    assert outcome.ranked == ("first", "second", "outer")
    assert outcome.texts == ("a" * 60, "b" * 39)
    assert outcome.packet["characters"] == 100
    assert outcome.packet["candidates"] == 3
