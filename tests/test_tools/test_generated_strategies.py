"""The strategies that others propose: titles beside passages, trees of summaries, contexts of blocks."""

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from setup.summaries import summarise
from storage.model import BuiltEdition, Level, Page, Span
from storage.progress import Silent
from tests.test_tools.memory import MemoryLibrary
from tests.test_tools.zx68 import ACTION, QUERY, manual
from tools.budget import Budget
from tools.packet import Order, Packet, Reason, Refusal
from tools.strategies.collapsed_tree import collapsed_tree
from tools.strategies.dense_hierarchical import dense_hierarchical
from tools.strategies.table import run
from tools.strategies.tree_traversal import tree_traversal

NEW = ("dense_hierarchical", "collapsed_tree", "tree_traversal", "contextual")
BUDGETS = (Budget(), Budget(units=1, characters=60), Budget(units=9, characters=5_000))
SAID = "ZX-68 maintenance mode, what to press: GENERATED."


def library(*, filler: int = 0, said: str | None = None) -> MemoryLibrary:
    """The manual with a tree of summaries; `said` is the text of each in place of its own."""
    held = manual(filler=filler)
    record = held.record
    built = BuiltEdition(
        edition=record.edition,
        title=record.title,
        origin=record.origin,
        sourcedigest=record.sourcedigest,
        sample=True,
        rules=record.rules,
        pages=tuple(
            Page(name, name, record.edition, name, text, "d", "h") for name, text in held.pages.items()
        ),
        units=tuple(held.all_units),
        names=(),
    )
    made = summarise(built, progress=Silent())
    held.summaries = [replace(one, text=said) if said else one for one in made]
    return held


def ids(packet: Packet) -> list[str]:
    return [one.unitid for one in packet.selected]


def texts(packet: Packet) -> str:
    return "\n".join(one.text for one in packet.selected)


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
@pytest.mark.parametrize("name", NEW)
def test_the_budget_is_kept_no_unit_lies_inside_another_and_every_span_is_real_text(
    name: str, budget: Budget
) -> None:
    held = library(filler=6)
    packet = run(name, QUERY, held, budget)
    assert len(packet.selected) <= budget.units
    assert packet.characters == len(texts(packet)) <= budget.characters
    for one, other in itertools.permutations(packet.selected, 2):
        assert not one.covers(other)
    for one in packet.selected:
        assert one.children
        assert [child for child in one.children if child not in packet.hits] == []
        assert all(held.slice(one.source, span.start, span.end) in one.text for span in one.spans)
    assert packet.hits
    given = {*ids(packet), *(child.unitid for one in packet.selected for child in one.children)}
    assert {hit.unitid for hit in packet.hits} <= given | {refusal.unitid for refusal in packet.refusals}


@pytest.mark.parametrize("name", NEW)
def test_the_same_query_gives_the_same_packet_however_the_rows_were_inserted(name: str) -> None:
    held, expected = library(filler=6), run(name, QUERY, library(filler=6), Budget())
    for seed in range(5):
        random.Random(seed).shuffle(held.all_units)
        random.Random(seed).shuffle(held.summaries)
        assert run(name, QUERY, held, Budget()) == expected


@pytest.mark.parametrize("name", NEW)
def test_evidence_comes_in_rank_order_or_as_it_stands_in_the_document(name: str) -> None:
    roomy = Budget(units=9, characters=5_000)
    by_rank = run(name, QUERY, library(), roomy)
    in_order = run(name, QUERY, library(), roomy, order=Order.DOCUMENT)
    assert sorted(ids(by_rank)) == sorted(ids(in_order))
    places = [
        (one.source != "modes.html", one.source != "safety.html", one.spans) for one in in_order.selected
    ]
    assert len(places) > 2
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["collapsed_tree", "tree_traversal"])
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_not_a_word_of_a_generated_summary_reaches_the_evidence(name: str, budget: Budget) -> None:
    held = library(filler=6, said=SAID)
    packet = run(name, QUERY, held, budget)
    assert any(hit.generated for hit in (*packet.hits, *packet.parents))
    assert "GENERATED" not in texts(packet)


def test_a_summary_gives_way_to_its_whole_section_where_that_fits() -> None:
    packet = collapsed_tree(QUERY, library(said=SAID), Budget())
    best = packet.selected[0]
    assert best.children[0].generated
    assert best.unitid == best.children[0].unitid
    assert best.level is Level.SECTION
    assert best.spans == (Span(best.children[0].start, best.children[0].end),)


def test_a_summary_of_a_section_that_does_not_fit_gives_way_to_the_sentences_that_it_stands_for() -> None:
    held = library(filler=20)
    held.summaries = [
        replace(one, text=f"{QUERY} {QUERY}") for one in held.summaries if one.unit.unitid == "maintenance"
    ]
    packet = collapsed_tree("What does the service list check?", held, Budget(units=9, characters=800))
    (found,) = [one for one in packet.selected if any(child.generated for child in one.children)]
    assert found.unitid == "maintenance"
    assert found.spans == held.summaries[0].spans
    assert found.text == "\n".join(held.slice(found.source, span.start, span.end) for span in found.spans)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"digest": "new"}, Reason.STALE_PARENT),
        ({"edition": "test-2"}, Reason.EDITION_MISMATCH),
        ({"source": "other.html"}, Reason.PAGE_MISMATCH),
    ],
)
def test_a_summary_of_another_text_is_refused(changed: dict[str, str], reason: Reason) -> None:
    held = library()
    held.summaries = [
        replace(one, unit=replace(one.unit, **changed))  # type: ignore[arg-type]
        if one.unit.unitid == "maintenance"
        else one
        for one in held.summaries
    ]
    packet = collapsed_tree(QUERY, held, Budget())
    assert Refusal("maintenance", reason, "maintenance") in packet.refusals


def test_a_summary_whose_sentences_stand_outside_its_section_is_refused() -> None:
    held = library()
    held.summaries = [
        replace(one, spans=(Span(0, 3),)) if one.unit.unitid == "maintenance" else one
        for one in held.summaries
    ]
    packet = collapsed_tree(QUERY, held, Budget())
    assert Refusal("maintenance", Reason.NOT_CONTAINED, "maintenance") in packet.refusals


def test_a_traversal_has_the_summaries_on_its_way_on_record_and_only_passages_below_them() -> None:
    packet = tree_traversal(QUERY, library(), Budget(), width=2)
    assert [parent.unitid for parent in packet.parents][:1] == ["maintenance"]
    assert len(packet.parents) == 2
    assert all(parent.generated for parent in packet.parents)
    assert {hit.clauseid for hit in packet.hits} <= {parent.unitid for parent in packet.parents}
    assert ACTION in texts(packet)


def titled(hits: Iterable[object]) -> list[str]:
    return [getattr(hit, "unitid", "") for hit in hits]


def test_a_title_counts_for_a_passage_as_much_as_its_weight_says() -> None:
    query = "Where do I learn about mode change under load?"
    alone = dense_hierarchical(query, library(), Budget(), weight=0.0)
    titled_too = dense_hierarchical(query, library(), Budget(), weight=2.0)
    assert titled(alone.hits)[0] == "cover"
    assert titled(titled_too.hits)[0] == "mode-change"
    passage = {hit.unitid: hit.score for hit in alone.hits}["mode-change"]
    both = {hit.unitid: hit.score for hit in titled_too.hits}["mode-change"]
    assert both == pytest.approx(passage + 2.0 * library().title_likeness(query)["mode-change"])


def test_a_context_is_searched_and_never_shown() -> None:
    packet = run("contextual", QUERY, library(), Budget())
    assert ACTION in texts(packet)
    assert all(one.level is Level.BLOCK for one in packet.selected)
