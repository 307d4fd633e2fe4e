"""Expansion under a budget: the cases E1 to E9 and F4, and the ZX-68 manual, strategy by strategy."""

import itertools
import random

import pytest

from storage.errors import InputError
from storage.model import Span
from tests.test_tools.memory import with_path
from tests.test_tools.trees import tree
from tests.test_tools.zx68 import ACTION, HEADING, QUERY, manual
from tools.budget import Budget
from tools.packet import Order, Packet, Reason, Refusal
from tools.strategies.auto_merging import auto_merging
from tools.strategies.back_off import back_off
from tools.strategies.flat_blocks import flat_blocks
from tools.strategies.parent_expansion import parent_expansion
from tools.strategies.table import STRATEGIES, run, strategy

ROOMY = Budget(units=20, characters=9_000)
SEVEN = {"S": {f"s{number}": f"Text {number}." for number in range(7)}}
FAMILY = {
    "G": {
        "P1": {"a0": "One.", "a1": "Two.", "a2": "Three."},
        "P2": {"b0": "Four.", "b1": "Five.", "b2": "Six."},
    }
}


def ids(packet: Packet) -> list[str]:
    return [one.unitid for one in packet.selected]


def complete(packet: Packet) -> bool:
    shown = "\n".join(one.text for one in packet.selected)
    return HEADING in shown and ACTION in shown


def assert_sound(packet: Packet, budget: Budget) -> None:
    """What every packet keeps: the budget, and no unit inside another."""
    assert len(packet.selected) <= budget.units
    assert packet.characters == len("\n".join(one.text for one in packet.selected)) <= budget.characters
    for one, other in itertools.permutations(packet.selected, 2):
        assert not one.covers(other)


@pytest.mark.parametrize("order", list(itertools.permutations(("s1", "s3", "s6"))))
def test_three_of_seven_siblings_are_merged_or_not_whatever_their_order(order: tuple[str, ...]) -> None:
    assert sorted(ids(auto_merging("q", tree(SEVEN, *order), ROOMY))) == ["s1", "s3", "s6"]
    assert ids(auto_merging("q", tree(SEVEN, *order), ROOMY, ratio=0.4)) == ["S"]


def test_the_same_sibling_hit_three_times_is_one_sibling() -> None:
    thrice = tree({"S": {"s0": "One.", "s1": "Two.", "s2": "Three."}}, "s1", "s1", "s1")
    packet = auto_merging("q", thrice, ROOMY)
    assert ids(packet) == ["s1"]
    assert [child.score for child in packet.selected[0].children] == [1.0]  # of its best hit, not its last


def test_a_merge_that_climbs_leaves_nothing_beside_itself() -> None:
    packet = auto_merging("q", tree(FAMILY, "a0", "a1", "b0"), ROOMY, ratio=0.4)
    assert ids(packet) == ["G"]
    assert [child.unitid for child in packet.selected[0].children] == ["a0", "a1", "b0"]


def test_one_hit_never_climbs_a_chain_of_only_children() -> None:
    chain = tree({"ROOT": {"G": {"P": {"leaf": "One."}}}}, "leaf")
    assert ids(auto_merging("q", chain, ROOMY)) == ["leaf"]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"S": {"digest": "new"}}, Reason.STALE_PARENT),
        ({"S": {"edition": "test-2"}}, Reason.EDITION_MISMATCH),
        ({"S": {"source": "other.html"}}, Reason.PAGE_MISMATCH),
        ({"S": {"end": 12}}, Reason.NOT_CONTAINED),
    ],
)
@pytest.mark.parametrize("name", ["parent_expansion", "auto_merging", "back_off"])
def test_a_parent_that_does_not_hold_the_child_is_refused_and_the_child_stays(
    name: str, changed: dict[str, dict[str, object]], reason: Reason
) -> None:
    assert tree(SEVEN).units(["s1"])[0].span == Span(8, 15)
    packet = run(name, "q", tree(SEVEN, "s1", changed=changed), ROOMY)
    assert ids(packet) == ["s1"]
    assert Refusal("S", reason, "s1") in packet.refusals


@pytest.mark.parametrize("name", ["parent_expansion", "auto_merging", "back_off"])
def test_a_hit_without_its_parent_stays_and_says_so(name: str) -> None:
    orphan = tree(SEVEN, "s1")
    orphan.all_units = [unit for unit in orphan.all_units if unit.unitid != "S"]
    packet = run(name, "q", orphan, ROOMY)
    assert ids(packet) == ["s1"]
    assert packet.refusals == (Refusal("S", Reason.MISSING_PARENT, "s1"),)


def test_scores_stay_with_the_children_and_the_parent_stands_where_the_best_one_stood() -> None:
    parts = {"S": {"s0": "One.", "s1": "Two.", "s2": "Three."}, "T": {"t0": "A.", "t1": "B.", "t2": "C."}}
    packet = auto_merging("q", tree(parts, ("s2", 0.99), ("t0", 0.5), ("s0", 0.01), ("s1", 0.01)), ROOMY)
    assert ids(packet) == ["S", "t0"]
    assert [(child.unitid, child.score) for child in packet.selected[0].children] == [
        ("s2", 0.99),
        ("s0", 0.01),
        ("s1", 0.01),
    ]
    assert not hasattr(packet.selected[0], "score")


def test_six_blocks_of_two_sections_give_two_parents_with_all_six_children() -> None:
    parts = {name: {f"{name}{number}": "One." for number in range(5)} for name in ("S", "T")}
    hits = ("S3", "T0", "S1", "S0", "T4", "S2")
    packet = parent_expansion("q", tree(parts, *hits), Budget())
    assert ids(packet) == ["S", "T"]
    assert [[child.unitid for child in one.children] for one in packet.selected] == [
        ["S3", "S1", "S0", "S2"],
        ["T0", "T4"],
    ]


@pytest.mark.parametrize(("last", "selected"), [(299, 3), (300, 2)])
def test_separators_count_at_the_edge_of_the_budget(last: int, selected: int) -> None:
    parts = {"S": {"a": "x" * 300, "b": "y" * last, "c": "z" * 299}}
    packet = flat_blocks("q", tree(parts, "a", "b", "c"), Budget(units=4, characters=900))
    assert len(packet.selected) == selected
    assert packet.refusals == (() if selected == 3 else (Refusal("c", Reason.TOO_LONG, "c"),))
    assert_sound(packet, Budget())


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_same_query_gives_the_same_packet_however_the_rows_were_inserted(name: str) -> None:
    expected = run(name, QUERY, manual(), Budget())
    assert_sound(expected, Budget())
    for seed in range(5):
        shuffled = manual()
        random.Random(seed).shuffle(shuffled.all_units)
        assert run(name, QUERY, shuffled, Budget()) == expected


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_hit_gives_an_empty_packet(name: str) -> None:
    packet = run(name, "xylophone", manual(), Budget())
    assert (packet.hits, packet.selected, packet.refusals, packet.characters) == ((), (), (), 0)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_section_is_named_once_however_many_of_its_pieces_match(name: str) -> None:
    sections = run(name, QUERY, manual(), Budget()).sections()
    assert len(sections) == len(set(sections))


@pytest.mark.parametrize("name", ["flat_blocks", "flat_windows"])
def test_flat_pieces_miss_the_action_that_shares_no_word_with_the_question(name: str) -> None:
    assert not complete(run(name, QUERY, manual(), Budget()))


def test_flat_sections_hold_heading_and_action() -> None:
    assert complete(run("flat_sections", QUERY, manual(), Budget()))


@pytest.mark.parametrize(
    ("name", "parent"), [("document_first", "page-modes"), ("section_first", "maintenance")]
)
def test_a_second_selection_drops_the_action_though_the_right_parent_was_chosen(
    name: str, parent: str
) -> None:
    packet = run(name, QUERY, manual(), Budget())
    assert len(packet.parents) == 2
    assert parent in [one.unitid for one in packet.parents]
    assert not complete(packet)


def test_the_second_search_knows_the_words_of_the_chosen_blocks_alone() -> None:
    library = manual()
    inside = library.search_inside(QUERY, ["maintenance"], limit=4)
    everywhere = {hit.unitid: hit.score for hit in library.search_inside(QUERY, ["page-modes"], limit=9)}
    assert all(hit.score != everywhere[hit.unitid] for hit in inside)


@pytest.mark.parametrize("name", ["parent_expansion", "back_off"])
def test_a_short_section_replaces_its_heading_with_both_ids_on_record(name: str) -> None:
    packet = run(name, QUERY, manual(), Budget())
    assert complete(packet)
    assert packet.hits[0].unitid == "maintenance~1"
    assert packet.selected[0].unitid == "maintenance"
    assert packet.selected[0].children[0] == packet.hits[0]


def test_a_parent_that_did_not_fit_is_named_where_a_lower_one_is_offered() -> None:
    packet = run("parent_expansion", QUERY, manual(filler=20), Budget())
    assert "production" in ids(packet)
    assert Refusal("maintenance", Reason.TOO_LONG, "maintenance~1") in packet.refusals


def test_backing_off_keeps_heading_and_action_of_a_section_that_does_not_fit() -> None:
    packet = back_off(QUERY, manual(filler=20), Budget())
    assert complete(packet)
    assert Refusal("maintenance", Reason.TOO_LONG, "maintenance~1") in packet.refusals
    assert_sound(packet, Budget())


def test_an_excerpt_has_its_heading_though_the_hit_stands_far_below() -> None:
    packet = back_off("Which step checks number 15?", manual(filler=20), Budget(units=1, characters=250))
    (excerpt,) = packet.selected
    assert excerpt.text.startswith(HEADING)
    assert "Step 15 " in excerpt.text
    assert len(excerpt.spans) == 2
    assert excerpt.text == "\n".join(
        manual(filler=20).slice(excerpt.source, span.start, span.end) for span in excerpt.spans
    )


def test_no_lower_hit_enters_before_the_higher_one_is_represented() -> None:
    parts = {"S": {"long": "x" * 400, "s1": "One."}, "T": {"t0": "Short."}}
    packet = back_off("q", tree(parts, "long", "t0"), Budget(units=4, characters=300))
    assert packet.selected == ()
    assert packet.refusals[-1] == Refusal("long", Reason.TOO_LONG, "long")


def test_the_heading_path_in_front_of_what_is_searched_finds_the_action_by_itself() -> None:
    packet = run("flat_blocks", QUERY, manual(index_text=with_path), Budget())
    assert complete(packet)


def test_evidence_can_be_laid_out_as_it_stands_in_the_document() -> None:
    by_rank = run("parent_expansion", QUERY, manual(), Budget())
    in_order = run("parent_expansion", QUERY, manual(), Budget(), order=Order.DOCUMENT)
    assert ids(by_rank) == ["maintenance", "production", "cover", "mode-change"]
    assert ids(in_order) == ["production", "maintenance", "mode-change", "cover"]


def test_a_parent_with_children_shows_a_marker_for_each_and_says_which_stretches_are_exact() -> None:
    parts = {"S": {"s0": "One.", "T": {"t0": "Two."}, "s1": "Three."}}
    library = tree(parts, "s0", changed={"S": {"subsections": ("T",)}})
    (section,) = parent_expansion("q", library, ROOMY).selected
    assert section.text == 'One. [Subsection available: title "T" at sectionid: `T`] Three.'
    assert section.spans == (Span(0, 5), Span(9, 16))


def test_a_packet_counts_its_searches_and_reads() -> None:
    packet = run("flat_blocks", QUERY, manual(), Budget())
    assert packet.calls == 2
    assert packet.candidates == len(packet.hits)


def test_an_unknown_strategy_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(InputError, match="there are flat_blocks, "):
        strategy("flat_pages")


def test_no_strategy_imports_another() -> None:
    from importlib.util import find_spec
    from pathlib import Path

    for name in STRATEGIES:
        found = find_spec(f"tools.strategies.{name}")
        assert found is not None
        assert found.origin is not None
        assert "from tools.strategies" not in Path(found.origin).read_text(encoding="utf-8")
