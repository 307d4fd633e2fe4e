"""Which searches are made, and the step along the references."""

from dataclasses import replace

import pytest

from tests.test_tools.fake import BlindEmbedder, FakeEmbedder, FakeReader, small
from tools.filters import Filters
from tools.ranking import ranked, rankings, sentences
from tools.search import search


def referring() -> FakeReader:
    """`sec-rain` refers to `sec-old`, in no word that anybody asks for."""
    store = small()
    store.all_units = [
        replace(unit, references=("sec-old",)) if unit.unitid == "sec-rain" else unit
        for unit in store.all_units
    ]
    return store


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("When does sort reject its comparator?", []),
        ("Yes. No. It never does so at all.", []),
        (
            "My callback yields NaN for some. Does the standard throw — or is the outcome left open?",
            [
                "My callback yields NaN for some.",
                "Does the standard throw",
                "or is the outcome left open?",
            ],
        ),
    ],
)
def test_only_a_question_of_several_sentences_is_also_asked_sentence_by_sentence(
    question: str, parts: list[str]
) -> None:
    assert sentences(question) == parts


def test_a_pasted_page_is_not_embedded_sentence_by_sentence_without_end() -> None:
    assert len(sentences("This is one sentence of many. " * 60)) == 4


def test_the_question_is_embedded_whole_and_each_sentence_once() -> None:
    embedder = FakeEmbedder()
    question = "Rain waters every bed here. Where do the beds stand?"
    rankings(question, small(), embedder, where=None)
    assert embedder.asked == [question, "Rain waters every bed here.", "Where do the beds stand?"]


def test_what_the_best_sections_refer_to_is_found_and_said_to_be_a_reference() -> None:
    result = search("2.1", referring(), BlindEmbedder())
    assert "sec-old" not in ranked(rankings("2.1", referring(), BlindEmbedder(), where=None))
    hit = next(hit for hit in result.hits if hit.section.unitid == "sec-old")
    assert hit.why == "reference"
    assert hit.matched == ()
    assert hit.snippet == "Legacy beds need no water."


def test_a_filter_holds_for_references_too() -> None:
    result = search("2.1", referring(), BlindEmbedder(), filters=Filters(annex=False))
    assert "sec-old" not in [hit.section.unitid for hit in result.hits]
