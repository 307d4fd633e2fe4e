"""The search pipeline over a reader in memory."""

import random

import pytest

from storage.errors import InputError
from storage.model import Kind, NameKind
from tests.test_tools.fake import BlindEmbedder, FakeEmbedder, name, reader, section, small
from tools.filters import Filters
from tools.search import SearchResult, search, search_data, search_passages


def ask(query: str, **options: object) -> SearchResult:
    return search(query, small(), FakeEmbedder(), **options)  # type: ignore[arg-type]


def ids(result: SearchResult) -> list[str]:
    return [hit.section.unitid for hit in result.hits]


def test_each_section_is_one_hit_however_many_of_its_units_match() -> None:
    result = ask("If the bed is full the seed is watered after planting")
    assert len(ids(result)) == len(set(ids(result)))
    plant = next(hit for hit in result.hits if hit.section.unitid == "sec-plant")
    assert len(plant.matched) > 1


def test_a_named_section_comes_first_and_says_why() -> None:
    assert ids(ask("2.1"))[0] == "sec-rain"
    assert ask("2.1").hits[0].why == "exact number"
    assert ids(ask("Why does every bed of PlantSeed rain?"))[0] == "sec-plant"


def test_all_definitions_of_a_lone_name_come_first_in_document_order() -> None:
    assert ids(ask("Evaluation"))[:2] == ["sec-plant-evaluation", "sec-rain"]


def test_a_name_with_a_slip_is_read_as_the_near_one_and_says_so() -> None:
    result = ask("PlantSede")
    assert ids(result)[0] == "sec-plant"
    assert result.hits[0].why == "near operation PlantSeed"
    assert "PlantSede" in result.notes[0]


def test_an_unknown_lone_name_is_said_to_be_none_and_the_nearest_are_offered() -> None:
    result = ask("sec-raining")
    assert "`sec-rain`" in result.notes[0]


def test_in_a_question_a_name_with_many_definitions_does_not_fill_the_list() -> None:
    names = [name("SpreadSeeds", NameKind.OPERATION, f"sec-{n}") for n in range(6)]
    many = reader(
        *(section(f"sec-{n}", str(n + 1), f"Part {n}", "Seeds." + " Frost." * (n == 4)) for n in range(6)),
        section("sec-frost", "9", "Frost", "Frost kills seeds on the ground."),
        names=names,
    )
    result = search("Does SpreadSeeds say what frost kills on the ground?", many, BlindEmbedder())
    assert ids(result)[0] == "sec-4"
    assert ids(result).index("sec-frost") == 3


def test_a_snippet_is_exactly_its_slice_of_the_page() -> None:
    store = small()
    result = search("watered bed rain", store, FakeEmbedder())
    assert result.hits
    for hit in result.hits:
        assert hit.snippet == store.text[hit.start : hit.end]
        assert hit.snippet.strip() == hit.snippet != ""


def test_snippets_are_passages_that_may_be_quoted() -> None:
    result = ask("watered bed")
    shown = list(search_passages(result))
    assert [passage.text for passage in shown] == [hit.snippet for hit in result.hits]
    assert {passage.edition for passage in shown} == {"test-1"}


def test_the_snippet_of_a_named_section_is_its_text_and_not_its_heading() -> None:
    assert ask("1.2").hits[0].snippet.startswith("1. Let litres")


def test_filters_go_to_the_store_before_it_cuts_its_list() -> None:
    crowd = [section(f"sec-{n}", f"{n}", f"Bed {n}", "Beds need water.") for n in range(150)]
    store = reader(*crowd, section("sec-zz", "Z", "Old", "A bed.", kind=Kind.ANNEX))
    assert ids(search("bed water", store, FakeEmbedder(), filters=Filters(annex=True))) == ["sec-zz"]


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(chapter="sec-weather"), {"sec-weather", "sec-rain"}),
        (Filters(chapter="2"), {"sec-weather", "sec-rain"}),
        (
            Filters(chapter="the garden", annex=False),
            {"sec-garden", "sec-plant", "sec-plant-evaluation", "sec-bed.prototype.water"},
        ),
        (Filters(kind="annex"), {"sec-old"}),
        (Filters(kind=" Annex "), {"sec-old"}),
        (Filters(annex=True), {"sec-old"}),
    ],
)
def test_only_what_a_filter_admits_is_found(filters: Filters, allowed: set[str]) -> None:
    found = set(ids(ask("bed water seed rain", filters=filters)))
    assert found
    assert found <= allowed


def test_a_filter_also_holds_for_a_named_section() -> None:
    assert "sec-rain" not in ids(ask("2.1", filters=Filters(chapter="1")))


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (Filters(chapter="sec-plant"), "stands in chapter `sec-garden`"),
        (Filters(chapter="sec-nowhere-at-all"), "no such section"),
        (Filters(kind="verse"), "no kind of unit"),
    ],
)
def test_a_filter_that_cannot_be_used_says_what_can(filters: Filters, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ask("bed", filters=filters)


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(InputError, match="from 1 to 100"):
        ask("bed", limit=limit)


@pytest.mark.parametrize("query", ["", "  \n ", "\x1b[31m", "\u202e", "\u200b\u2060", "x" * 100_000])
def test_a_query_that_says_nothing_or_far_too_much_is_refused_in_one_line(query: str) -> None:
    with pytest.raises(InputError) as caught:
        ask(query)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_control_sequences_around_a_query_are_not_part_of_it() -> None:
    assert ask("\x1b[1m2.1\x1b[0m").query == "2.1"
    assert ids(ask("\x1b[1m2.1\x1b[0m"))[0] == "sec-rain"


def test_the_same_query_gives_the_same_hits_however_the_rows_were_inserted() -> None:
    store = small()
    expected = search_data(search("water the bed and seed", store, FakeEmbedder()))
    for seed in range(5):
        random.Random(seed).shuffle(store.all_units)
        assert search_data(search("water the bed and seed", store, FakeEmbedder())) == expected


def test_the_data_has_the_keys_that_programs_rely_on() -> None:
    data = search_data(ask("bed"))
    assert {"query", "edition", "hits"} <= data.keys()
    for hit in data["hits"]:
        assert {"sectionid", "secnum", "title", "titlepath", "level", "snippet", "start", "end"} <= hit.keys()
