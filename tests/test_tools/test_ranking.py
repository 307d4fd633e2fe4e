"""Which searches are made, and the step along the references."""

from dataclasses import replace
from typing import Any

from storage.model import NameKind
from tests.test_tools.fake import BlindEmbedder, FakeEmbedder, FakeReader, name, small
from tools.filters import Filters
from tools.fusion import Ranking, best_first
from tools.gathering import Gathered, gather, meant_by_glossary, rankings
from tools.lookup import Lookup, Match
from tools.ranking import scored
from tools.search import search
from tools.weights import WEIGHTS


def referring() -> FakeReader:
    """`sec-rain` refers to `sec-old`, in no word that anybody asks for."""
    store = small()
    store.all_units = [
        replace(unit, references=("sec-old",)) if unit.unitid == "sec-rain" else unit
        for unit in store.all_units
    ]
    return store


def test_the_question_is_embedded_once() -> None:
    embedder = FakeEmbedder()
    question = "Rain waters every bed here. Where do the beds stand?"
    rankings(question, small(), embedder, where=None)
    assert embedder.asked == [question]


def test_what_the_glossary_says_for_the_question_is_searched_for_beside_it() -> None:
    store = small()
    how = [one.how for one in rankings("Is rain == water?", store, BlindEmbedder(), where=None)]
    assert how == ["vector", "text", "text", "glossary"]
    plain = [one.how for one in rankings("Does rain water beds?", store, BlindEmbedder(), where=None)]
    assert plain == ["vector", "text", "text"]


def test_operations_that_the_glossary_names_are_found_though_the_question_names_none() -> None:
    store = small()
    store.table.rows.append(name("IsLooselyEqual", NameKind.OPERATION, "sec-rain"))
    assert meant_by_glossary("Why is [] == 0?", store, where=None) == [["sec-rain"]]
    assert meant_by_glossary("Why is [] == 0?", store, where={"annex": True}) == []
    hits = search("Explain [] == 0", store, BlindEmbedder()).hits
    assert [hit.why for hit in hits if hit.section.unitid == "sec-rain"] == ["glossary"]


def known(*searches: Ranking, named: dict[str, Match] | None = None, **more: Any) -> Gathered:
    return Gathered(searches, Lookup(), named or {}, **{"meant": (), **more})


def said(kind: NameKind, asked: str = "x") -> Match:
    return Match(name(asked, kind, "s"), asked)


def test_what_a_question_points_at_counts_more_than_a_name_and_that_more_than_what_is_meant() -> None:
    named = {"path": said(NameKind.METHOD), "word": said(NameKind.OPERATION)}
    scores = scored(known(named=named, meant=(("meant",),)))
    assert scores["path"] == WEIGHTS.pointed * WEIGHTS.full
    assert scores["path"] > scores["word"] > scores["meant"] > 0


def test_the_second_name_counts_less_than_the_first() -> None:
    scores = scored(known(named={"a": said(NameKind.TERM, "one"), "b": said(NameKind.TERM, "two")}))
    assert scores["a"] == WEIGHTS.named * WEIGHTS.full > scores["b"] > 0


def test_names_count_in_the_order_of_the_question_whatever_their_kinds() -> None:
    for question, first in (
        ("Does Bed.prototype.water call PlantSeed?", "sec-bed.prototype.water"),
        ("Is PlantSeed called by Bed.prototype.water?", "sec-plant"),
    ):
        gathered = gather(question, small(), BlindEmbedder(), where=None)
        assert next(iter(gathered.named)) == first
        assert gathered.by_name(pointed=True) == [["sec-bed.prototype.water"]]
        assert gathered.by_name(pointed=False) == [["sec-plant"]]


def test_of_a_name_with_many_definitions_the_best_ranked_have_the_bonus() -> None:
    found = rankings("seed", small(), BlindEmbedder(), where=None)
    best = best_first(scored(known(*found)))[0]
    named = {one: said(NameKind.OPERATION) for one in ("a", "b", "c", "d", best)}
    scores = scored(known(*found, named=named))
    assert [one for one in ("a", "b", "c", "d") if one in scores] == ["a", "b"]


def test_what_the_best_sections_refer_to_is_found_and_said_to_be_a_reference() -> None:
    result = search("2.1", referring(), BlindEmbedder())
    found = rankings("2.1", referring(), BlindEmbedder(), where=None)
    assert "sec-old" not in scored(known(*found))
    hit = next(hit for hit in result.hits if hit.section.unitid == "sec-old")
    assert hit.why == "reference"
    assert hit.matched == ()
    assert hit.snippet == "Legacy beds need no water."


def test_a_filter_holds_for_references_too() -> None:
    result = search("2.1", referring(), BlindEmbedder(), filters=Filters(annex=False))
    assert "sec-old" not in [hit.section.unitid for hit in result.hits]
