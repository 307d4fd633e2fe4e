"""No heading crowds the first places, and nothing is lost."""

from storage.model import NameKind
from tests.test_tools.fake import BlindEmbedder, name, reader, section
from tools.diversity import MOST_OF_A_HEADING, spread
from tools.search import search


def first(one: str) -> str:
    return one[0]


def test_nothing_is_lost_or_doubled() -> None:
    order = ["a1", "a2", "b1", "a3", "c1", "a4"]
    assert sorted(spread(order, first, most=1, places=3)) == sorted(order)


def test_a_list_without_a_crowd_stays_as_it_is() -> None:
    order = ["a1", "b1", "a2", "c1"]
    assert spread(order, first, most=2, places=4) == order


def test_what_is_moved_back_keeps_its_order_right_behind_the_first_places() -> None:
    order = ["a1", "a2", "a3", "b1", "c1", "d1"]
    assert spread(order, first, most=1, places=3) == ["a1", "b1", "c1", "a2", "a3", "d1"]


def test_where_nothing_else_is_there_a_heading_may_fill_the_list() -> None:
    assert spread(["a1", "a2", "a3"], first, most=1, places=3) == ["a1", "a2", "a3"]


def test_of_many_sections_with_one_heading_the_best_are_among_the_first_hits() -> None:
    crowd = [section(f"sec-{n}", f"1.{n}", "Evaluation", "Rain waters the bed.") for n in range(20)]
    other = [section(f"sec-other-{n}", f"2.{n}", f"Bed {n}", "Rain.") for n in range(20)]
    store = reader(section("sec-a", "1", "Crowd", *crowd), section("sec-b", "2", "Others", *other))
    hits = search("Does rain water the bed?", store, BlindEmbedder(), limit=10).hits
    titles = [hit.section.title for hit in hits]
    assert titles.count("Evaluation") == MOST_OF_A_HEADING
    assert titles[:MOST_OF_A_HEADING] == ["Evaluation"] * MOST_OF_A_HEADING


def test_all_definitions_of_a_lone_name_are_shown() -> None:
    count = 2 * MOST_OF_A_HEADING
    crowd = [section(f"sec-{n}", f"1.{n}", "Evaluation", "Rain.") for n in range(count)]
    store = reader(
        section("sec-a", "1", "Crowd", *crowd),
        names=tuple(name("Evaluation", NameKind.OPERATION, f"sec-{n}") for n in range(count)),
    )
    hits = search("Evaluation", store, BlindEmbedder(), limit=count).hits
    assert [hit.section.unitid for hit in hits] == [f"sec-{n}" for n in range(count)]
