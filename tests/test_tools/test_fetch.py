"""A section and its descendants: order, limit, cursor, and what may be quoted of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from storage.markers import MARKER
from tests.test_tools.fake import FakeReader, reader, section, small
from tools.fetch import breadth_first, fetch_section_chunks
from tools.results import Passage

WORDS = "Every step of this rule is written on a line of its own.\n"


def deep() -> FakeReader:
    """Three levels, with text after the children."""
    return reader(
        section(
            "sec-a",
            "1",
            "A",
            "Before.",
            section(
                "sec-b", "1.1", "B", section("sec-d", "1.1.1", "D", "d"), section("sec-e", "1.1.2", "E", "e")
            ),
            section("sec-c", "1.2", "C", "c", section("sec-f", "1.2.1", "F", "f")),
            "After.",
        )
    )


def long_one() -> FakeReader:
    return reader(
        section("sec-long", "1", "Long", WORDS * 60, section("sec-in", "1.1", "In", "in"), WORDS * 20)
    )


def chunk_ids(data: dict[str, Any]) -> list[str]:
    return [chunk["sectionid"] for chunk in data["chunks"]]


def pages(store: FakeReader, asked: str, *, recursive: bool, limit: int) -> list[dict[str, Any]]:
    """The data of a fetch and of every fetch that its cursors lead to."""
    out, cursor = [], None
    while True:
        result = fetch_section_chunks(store, asked, recursive=recursive, limit=limit, cursor=cursor)
        out.append(result.data)
        cursor = result.data["next"]
        if cursor is None:
            return out


def test_a_section_alone_has_a_marker_at_each_childs_place() -> None:
    data = fetch_section_chunks(deep(), "sec-a").data
    assert chunk_ids(data) == ["sec-a"]
    text = data["chunks"][0]["text"]
    assert text.startswith("[Section sec-a: A]\n\n---\n\n")
    assert (
        [found["id"] for found in MARKER.finditer(text)]
        == ["sec-b", "sec-c"]
        == data["chunks"][0]["subsections"]
    )
    assert text.index("Before.") < text.index("`sec-b`") < text.index("`sec-c`") < text.index("After.")


def test_descendants_come_level_by_level_each_once_in_document_order() -> None:
    data = fetch_section_chunks(deep(), "sec-a", recursive=True).data
    assert chunk_ids(data) == ["sec-a", "sec-b", "sec-c", "sec-d", "sec-e", "sec-f"]
    assert data["truncated"] is False
    assert data["next"] is None


def test_a_page_starts_the_walk_as_well() -> None:
    assert chunk_ids(fetch_section_chunks(deep(), "page-page", recursive=True).data)[:2] == [
        "page-page",
        "sec-a",
    ]


def test_a_walk_reads_the_store_once_a_level() -> None:
    store = deep()
    root = store.unit("sec-a")
    assert root is not None
    list(breadth_first(store, root, recursive=True))
    assert store.calls == ["units", "units"]


def test_a_leafs_text_has_no_header() -> None:
    assert fetch_section_chunks(deep(), "sec-d").data["chunks"][0]["text"] == "1.1.1 D\n\nd"


def test_a_block_is_fetched_by_its_id() -> None:
    data = fetch_section_chunks(deep(), "sec-a~2").data
    assert chunk_ids(data) == ["sec-a~2"]
    assert data["chunks"][0]["text"] == "Before."
    assert data["chunks"][0]["parentsectionid"] == "sec-a"


@pytest.mark.parametrize("asked", ["1.1", "§1.1", "PlantSeed", "plantseed()", "sec-planting", "SEC-PLANT"])
def test_numbers_names_and_legacy_ids_lead_to_the_section_and_the_text_says_so(asked: str) -> None:
    result = fetch_section_chunks(small(), asked)
    assert result.data["sectionid"] == "sec-plant"
    assert result.text.startswith(f"`{asked}` is the ")


def test_a_mended_slip_is_said_to_be_one() -> None:
    assert "is no name here; read as" in fetch_section_chunks(small(), "PlantSede").text


def test_a_name_with_several_definitions_lists_them_instead_of_choosing() -> None:
    with pytest.raises(
        InputError, match=r"has 2 definitions.*`sec-plant-evaluation` 1\.1\.1 \(Seed\); `sec-rain`"
    ):
        fetch_section_chunks(small(), "Evaluation")


@pytest.mark.parametrize("asked", ["sec-%", "x' OR '1'='1", "_", "sec-nothing-like-it", "2.99"])
def test_a_miss_says_no_such_section_in_one_line(asked: str) -> None:
    with pytest.raises(InputError, match="There is no such section") as caught:
        fetch_section_chunks(small(), asked)
    assert asked in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_miss_offers_the_nearest_ids() -> None:
    with pytest.raises(InputError, match="Nearest: `sec-rain`"):
        fetch_section_chunks(small(), "sec-rains-here")


def test_whole_chunks_are_given_while_they_fit_and_a_cursor_goes_on() -> None:
    store = reader(
        section("sec-r", "1", "R", *(section(f"sec-{n}", f"1.{n}", f"N{n}", WORDS * 4) for n in range(1, 9)))
    )
    out = pages(store, "sec-r", recursive=True, limit=1_000)
    assert len(out) > 2
    assert [unitid for data in out for unitid in chunk_ids(data)] == [
        "sec-r",
        *(f"sec-{n}" for n in range(1, 9)),
    ]
    assert all(sum(len(chunk["text"]) for chunk in data["chunks"]) <= 1_000 for data in out)
    assert [data["truncated"] for data in out] == [True] * (len(out) - 1) + [False]


@given(st.integers(500, 6_000))
def test_a_section_longer_than_the_limit_is_paged_and_nothing_is_lost(limit: int) -> None:
    whole = fetch_section_chunks(long_one(), "sec-long", limit=100_000).data["chunks"][0]["text"]
    parts = [
        chunk
        for data in pages(long_one(), "sec-long", recursive=False, limit=limit)
        for chunk in data["chunks"]
    ]
    assert "".join(part["text"] for part in parts) == whole
    assert all(len(part["text"]) <= limit for part in parts)
    assert sum(len(MARKER.findall(part["text"])) for part in parts) == 1


def test_a_part_says_which_characters_it_is() -> None:
    first = fetch_section_chunks(long_one(), "sec-long", limit=1_000)
    assert "characters 0 to " in first.text
    assert f"cursor `{first.data['next']}`" in first.text


def test_a_cursor_remembers_that_descendants_were_asked_for() -> None:
    store = long_one()
    first = fetch_section_chunks(store, "sec-long", recursive=True, limit=4_000)
    rest = fetch_section_chunks(store, "sec-long", cursor=first.data["next"])
    assert chunk_ids(rest.data) == ["sec-long", "sec-in"]


@pytest.mark.parametrize(
    "cursor", ["x", "\x1b[31m", "0123456789-s-0-0", "a" * 5_000, "-", "٣" * 10 + "-s-0-0"]
)
def test_a_cursor_that_no_fetch_gave_is_refused_in_one_line(cursor: str) -> None:
    with pytest.raises(InputError, match="is not a cursor that a fetch of `sec-a` gave") as caught:
        fetch_section_chunks(deep(), "sec-a", cursor=cursor)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_cursor_of_another_section_or_build_is_refused() -> None:
    store = long_one()
    cursor = fetch_section_chunks(store, "sec-long", limit=1_000).data["next"]
    with pytest.raises(InputError, match="`sec-in`"):
        fetch_section_chunks(store, "sec-in", cursor=cursor)
    from dataclasses import replace

    store.record = replace(store.record, build="build-2")
    with pytest.raises(InputError, match="fetch again without one"):
        fetch_section_chunks(store, "sec-long", cursor=cursor)


@pytest.mark.parametrize("limit", [0, -5, 499, 200_001])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(InputError, match="from 500 to 200,000"):
        fetch_section_chunks(deep(), "sec-a", limit=limit)


@given(st.integers(500, 6_000))
def test_passages_are_exact_slices_of_the_page_without_markers_and_cover_all_that_was_shown(
    limit: int,
) -> None:
    store = long_one()
    shown: list[Passage] = []
    cursor = None
    while True:
        result = fetch_section_chunks(store, "sec-long", limit=limit, cursor=cursor)
        shown += result.passages
        cursor = result.data["next"]
        if cursor is None:
            break
    for passage in shown:
        assert store.text[passage.start : passage.end] == passage.text
        assert not MARKER.search(passage.text)
        assert (passage.sectionid, passage.edition) == ("sec-long", "test-1")
    unit = store.unit("sec-long")
    assert unit is not None
    told = "".join(store.text[span.start : span.end] for span in unit.segments)
    assert "".join("".join(passage.text.split()) for passage in shown) == "".join(told.split())


def test_the_data_has_the_keys_that_programs_rely_on() -> None:
    data = fetch_section_chunks(deep(), "sec-a").data
    assert {"sectionid", "edition", "chunks", "truncated", "next"} <= data.keys()
    assert {"sectionid", "title", "text", "parentsectionid", "subsections"} <= data["chunks"][0].keys()
