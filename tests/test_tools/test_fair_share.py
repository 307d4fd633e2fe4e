"""Each of the best hits with its heading first, context afterwards, and nothing that was not trusted."""

import itertools

from tests.test_tools.fake import section
from tests.test_tools.memory import library
from tests.test_tools.trees import tree
from tests.test_tools.zx68 import HEADING, manual
from tools.budget import Budget
from tools.packet import Packet, Reason, Refusal
from tools.strategies.fair_share import fair_share

GARDEN = {
    "book": (
        section("beds", "1", "Beds", "x" * 80, "Roses want sun.", "y" * 80),
        section("pots", "2", "Pots", "z" * 80, "Roses in pots want shade."),
    )
}


def texts(packet: Packet) -> list[str]:
    return [one.text for one in packet.selected]


def test_two_hits_have_their_headings_before_either_has_context() -> None:
    packet = fair_share("roses", library(GARDEN), Budget(units=4, characters=70))
    assert sorted(texts(packet)) == ["1 Beds\nRoses want sun.", "2 Pots\nRoses in pots want shade."]
    assert packet.characters <= 70


def test_room_that_is_left_goes_to_the_sections_in_rank_order() -> None:
    packet = fair_share("roses", library(GARDEN), Budget(units=4, characters=260))
    first, second = packet.selected
    assert first.text == "1 Beds\n\n" + "x" * 80 + "\n\nRoses want sun.\n\n" + "y" * 80
    assert second.text == "2 Pots\nRoses in pots want shade."


def test_hits_of_one_section_are_one_unit_and_all_on_record() -> None:
    parts = {"S": {"s0": "One.", "s1": "Two.", "s2": "Three."}, "T": {"t0": "Four."}}
    packet = fair_share("q", tree(parts, "s0", "s2", "t0"), Budget(units=2, characters=400))
    assert [one.unitid for one in packet.selected] == ["S", "T"]
    assert [child.unitid for child in packet.selected[0].children] == ["s0", "s2"]


def test_no_lower_hit_enters_before_the_higher_one_is_represented() -> None:
    parts = {"S": {"long": "x" * 400, "s1": "One."}, "T": {"t0": "Short."}}
    packet = fair_share("q", tree(parts, "long", "t0"), Budget(units=4, characters=300))
    assert packet.selected == ()
    assert packet.refusals == (
        Refusal("long", Reason.TOO_LONG, "long"),
        Refusal("t0", Reason.TOO_LONG, "t0"),
    )


def test_a_stretch_never_runs_across_a_child_section() -> None:
    inner = section("inner", "1.1", "Inner", "Private words.")
    book = {
        "book": (section("outer", "1", "Outer", "Before the roses.", inner, "After the roses.", "q" * 900),)
    }
    held = library(book)
    packet = fair_share("roses", held, Budget(units=1, characters=300))
    (one,) = packet.selected
    assert "Before the roses." in one.text
    assert "After the roses." in one.text
    assert "Private words." not in one.text
    assert one.text == "\n".join(held.slice(one.source, span.start, span.end) for span in one.spans)


def test_a_section_of_another_text_stands_for_nothing_and_its_hit_stays() -> None:
    parts = {"S": {"s0": "One.", "s1": "Two."}}
    stale = tree(parts, "s0", changed={"S": {"digest": "other"}})
    packet = fair_share("q", stale, Budget(units=4, characters=400))
    assert texts(packet) == ["One."]
    assert packet.refusals == (Refusal("S", Reason.STALE_PARENT, "s0"),)


def test_a_packet_keeps_to_its_budget_and_holds_no_unit_twice() -> None:
    for units, characters in itertools.product((1, 2, 4), (60, 300, 2_000)):
        budget = Budget(units=units, characters=characters)
        packet = fair_share("Which step checks number 15?", manual(filler=20), budget)
        assert len(packet.selected) <= units
        assert packet.characters == len("\n".join(texts(packet))) <= characters
        for one, other in itertools.permutations(packet.selected, 2):
            assert not one.covers(other)


def test_the_heading_comes_along_though_the_hit_stands_far_below() -> None:
    packet = fair_share("Which step checks number 15?", manual(filler=20), Budget(units=1, characters=250))
    assert packet.selected[0].text.startswith(HEADING)
    assert "Step 15 " in packet.selected[0].text
