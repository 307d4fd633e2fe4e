"""Whatever road leads to a section, a filter stands on it; and it stands before the cut, not behind it."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from storage.model import Kind, NameKind
from tests.test_tools.fake import BlindEmbedder, FakeReader, name, reader, section
from tools.filters import Filters, condition
from tools.gathering import DEPTH
from tools.ports import Embedder
from tools.search import search

WANTED = "sec-attic"


def house(attic: str = "Nothing of note.", *, refers: str = "", rows: tuple[Any, ...] = ()) -> FakeReader:
    """A chapter and an annex; only the road under test leads to the annex."""
    built = reader(
        section(
            "sec-house", "1", "House", section("sec-door", "1.1", "Door ( key )", "A door opens with a key.")
        ),
        section(WANTED, "A", "Attic", attic, kind=Kind.ANNEX),
        names=rows,
    )
    built.all_units = [
        replace(unit, references=(refers,)) if refers and unit.unitid == "sec-door" else unit
        for unit in built.all_units
    ]
    return built


class Numbers:
    """A vector that is near one text only: the lengths of its words."""

    def embed_query(self, text: str, /) -> list[float]:
        return [float(len("unforgettable"))]


class Model:
    """Adds one term to every question."""

    def invoke(self, prompt: str, /) -> Any:
        return SimpleNamespace(text="rafters")


Road = tuple[str, Callable[[], FakeReader], Embedder, Model | None]
ROADS: dict[str, Road] = {
    "look-up": ("Which key opens sec-attic then?", house, BlindEmbedder(), None),
    "vectors": ("Which key?", lambda: house("Something unforgettable here."), Numbers(), None),
    "text": ("Which key opens the rafters?", lambda: house("Under the rafters."), BlindEmbedder(), None),
    "references": ("Which key opens a door?", lambda: house(refers=WANTED), BlindEmbedder(), None),
    "words of the glossary": (
        "Which key, given [] == 0?",
        lambda: house("The operation IsLooselyEqual."),
        BlindEmbedder(),
        None,
    ),
    "operations of the glossary": (
        "Which key, given [] == 0?",
        lambda: house(rows=(name("IsLooselyEqual", NameKind.OPERATION, WANTED),)),
        BlindEmbedder(),
        None,
    ),
    "terms of a model": ("Which key?", lambda: house("Under the rafters."), BlindEmbedder(), Model()),
}


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    "filters",
    [Filters(annex=False), Filters(chapter="sec-house"), Filters(kind="clause"), Filters(kind="table")],
    ids=["annex", "chapter", "kind", "another kind"],
)
def test_a_filter_stands_on_every_road(road: str, filters: Filters) -> None:
    query, made, embedder, model = ROADS[road]
    open_road = search(query, made(), embedder, model=model)
    assert WANTED in [hit.section.unitid for hit in open_road.hits]
    closed = search(query, made(), embedder, model=model, filters=filters)
    assert WANTED not in [hit.section.unitid for hit in closed.hits]


def test_what_is_evaluated_in_a_section_is_no_way_round_a_filter() -> None:
    """The evaluation of what a hit describes has a share of its score, but is a clause inside an annex."""
    store = reader(
        section(
            WANTED,
            "A",
            "Doors of the Attic",
            "A door.",
            section("sec-evaluation", "A.1", "Runtime Semantics: Evaluation", "Something else."),
            kind=Kind.ANNEX,
        )
    )
    ids = [hit.section.unitid for hit in search("door of an attic", store, BlindEmbedder()).hits]
    assert {WANTED, "sec-evaluation"} <= set(ids)
    only = search("A door.", store, BlindEmbedder(), filters=Filters(kind="annex"))
    assert [hit.section.unitid for hit in only.hits] == [WANTED]


def test_a_filter_is_applied_before_the_cut() -> None:
    """More sections than a search returns match better than the only one that passes."""
    crowd = [section(f"sec-{n}", f"1.{n}", f"Key {n}", "A key is a key.") for n in range(2 * DEPTH)]
    store = reader(
        section("sec-crowd", "1", "Crowd", *crowd),
        section(WANTED, "A", "Attic", "One key hangs here.", kind=Kind.ANNEX),
    )
    found = search("Is a key a key?", store, BlindEmbedder(), filters=Filters(annex=True))
    assert [hit.section.unitid for hit in found.hits] == [WANTED]


def test_a_chapter_is_named_by_its_title_though_it_stands_elsewhere_too() -> None:
    store = reader(
        section("sec-words", "1", "Words", section("sec-words-keys", "1.1", "Keys", "Of words.")),
        section("sec-keys", "2", "Keys", "A key is a key."),
        names=(
            name("Keys", NameKind.TITLE, "sec-words-keys"),
            name("Keys", NameKind.TITLE, "sec-keys"),
        ),
    )
    assert condition(Filters(chapter="Keys"), store) == {"chapter": "sec-keys"}
