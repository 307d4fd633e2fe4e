"""The tools over the sample specification in a real store, with the real embedder."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

import setup
from storage.markers import MARKER
from storage.model import Level
from storage.reader import LanceReader
from tools.toolbox import Toolbox

QUESTIONS = Path(setup.__file__).parent / "sample" / "questions.jsonl"


@pytest.mark.parametrize(
    ("query", "sectionid"),
    [
        ("sec-convertreading", "sec-convertreading"),
        ("sec-toreading", "sec-convertreading"),
        ("ConvertReading", "sec-convertreading"),
        ("convertreadng", "sec-convertreading"),
        ("Bed.prototype.water", "sec-bed.prototype.water"),
        ("Bed#water", "sec-bed.prototype.water"),
        ("Count::divide", "sec-numeric-types-count-divide"),
        ("Annex A", "sec-almanac-hosts"),
        ("%RowWalkPrototype%.next", "sec-%rowwalkprototype%.next"),
        ("Which step of UnitRatio throws?", "sec-unitratio"),
    ],
)
def test_a_name_in_the_query_is_the_first_hit(sample_tools: Toolbox, query: str, sectionid: str) -> None:
    assert sample_tools.search_spec(query).data["hits"][0]["sectionid"] == sectionid


def test_all_definitions_of_an_operation_are_listed(sample_tools: Toolbox) -> None:
    hits = sample_tools.search_spec("Evaluation").data["hits"]
    named = [hit["sectionid"] for hit in hits if hit["why"] == "exact operation"]
    assert named == [
        "sec-expressions-runtime-semantics-evaluation",
        "sec-statements-runtime-semantics-evaluation",
    ]


def test_questions_written_for_the_sample_find_their_sections(sample_tools: Toolbox) -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    asked = [row for row in rows if row["gold"]]
    missed = [
        row["id"]
        for row in asked
        if not {hit["sectionid"] for hit in sample_tools.search_spec(row["question"]).data["hits"]}
        & set(row["gold"])
    ]
    assert len(missed) <= len(asked) * 0.2, missed


def test_every_id_in_a_searchs_output_is_accepted_by_fetch(
    sample_tools: Toolbox, sample_reader: LanceReader
) -> None:
    """200 queries: two words that stand together somewhere, and what means something in a filter."""
    chance = random.Random(262)
    text = sample_reader.page(sample_reader.unit("sec-scope").source).text.split()  # type: ignore[union-attr]
    queries = [" ".join(text[at : at + 2]) for at in chance.sample(range(len(text)), 190)]
    queries += ["%", "_", "x' OR '1'='1", '"unbalanced', "[[Fetch]]", "`", "\\", "sec-%", "this", "a~1"]
    printed: set[str] = set()
    for query in queries:
        for hit in sample_tools.search_spec(query).data.get("hits", ()):
            printed |= {hit["sectionid"], *(unit["unitid"] for unit in hit["matched"][:2])}
    assert len(printed) > 100
    for unitid in sorted(printed):
        assert sample_tools.fetch_section_chunks(unitid).data["sectionid"] == unitid


def test_every_snippet_and_passage_is_its_slice_of_the_page(
    sample_tools: Toolbox, sample_reader: LanceReader
) -> None:
    for result in (
        sample_tools.search_spec("when does watering a bed throw", limit=20),
        sample_tools.fetch_section_chunks("sec-beds", recursive=True, limit=100_000),
    ):
        assert result.passages
        for passage in result.passages:
            assert sample_reader.slice(passage.source, passage.start, passage.end) == passage.text


def test_a_recursive_fetch_gives_the_whole_page_each_unit_once_level_by_level(
    sample_tools: Toolbox, sample_reader: LanceReader
) -> None:
    page = sample_reader.unit("sec-scope").parentsectionid  # type: ignore[union-attr]
    assert page is not None
    chunks, cursor = [], None
    while True:
        data = sample_tools.fetch_section_chunks(page, recursive=True, limit=20_000, cursor=cursor).data
        chunks += data["chunks"]
        cursor = data["next"]
        if cursor is None:
            break
    whole = Counter(chunk["sectionid"] for chunk in chunks if chunk["offset"] == 0)
    assert set(whole.values()) == {1}
    assert len(whole) == sum(sample_reader.count(level) for level in (Level.PAGE, Level.SECTION, Level.PIECE))
    order = {unitid: place for place, unitid in enumerate(whole)}
    for chunk in chunks:
        marked = [found["id"] for found in MARKER.finditer(chunk["text"])]
        assert [order[child] for child in marked] == sorted(order[child] for child in marked)
        assert all(order[child] > order[chunk["sectionid"]] for child in marked)


def test_filters_reach_the_store(sample_tools: Toolbox) -> None:
    annexes = sample_tools.search_spec("fetch a mark", annex=True).data["hits"]
    assert annexes
    assert all(hit["kind"] == "annex" for hit in annexes)
    rows = sample_tools.search_spec("litre", kind="row").data["hits"]
    assert rows
    assert all(unit["kind"] == "row" for hit in rows for unit in hit["matched"])
    chapter = sample_tools.search_spec("fetch a mark", chapter="sec-beds").data["hits"]
    assert chapter
    assert all(hit["titlepath"].split(" > ")[0] == chapter[0]["titlepath"].split(" > ")[0] for hit in chapter)


def test_children_are_listed_with_what_stands_in_the_store(
    sample_tools: Toolbox, sample_reader: LanceReader
) -> None:
    entries = sample_tools.check_subsections("sec-beds").data["subsections"]
    children = sample_reader.children("sec-beds")
    assert [entry["sectionid"] for entry in entries] == [child.unitid for child in children]
    assert [entry["size"] for entry in entries] == [len(child.text) for child in children]


@pytest.mark.parametrize("asked", ["sec-%", "x' OR '1'='1", "_"])
def test_what_is_no_id_matches_nothing(sample_tools: Toolbox, asked: str) -> None:
    result = sample_tools.fetch_section_chunks(asked)
    assert not result.ok
    assert "no such section" in result.text
