"""Search terms from a chat model: what is sent, what is taken of the answer, what becomes of a failure."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from storage.errors import ModelError
from storage.model import NameKind
from storage.prompts import PROMPTS
from storage.settings import Settings
from tests.test_tools.fake import BlindEmbedder, FakeEmbedder, name, small
from tools.filters import Filters
from tools.rewrite import LONGEST_TERM, MOST_TERMS, rewriting, search_terms
from tools.search import search, search_data
from tools.toolbox import Toolbox


class Scripted:
    """A chat model that says what it was told to, and remembers what it was sent."""

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def invoke(self, prompt: str, /) -> Any:
        self.asked.append(prompt)
        if isinstance(self.answer, Exception):
            raise self.answer
        return SimpleNamespace(text=self.answer)


def test_the_model_is_sent_the_question_and_nothing_is_left_to_fill_in() -> None:
    model = Scripted("x")
    rewriting("What waters {{question}} beds?", model)
    assert "What waters {{question}} beds?" in model.asked[0]
    assert re.findall(r"\{\{(\w+)\}\}", (PROMPTS / "search" / "terms.md").read_text()) == ["question"]


def test_a_name_alone_is_found_exactly_and_no_model_is_asked() -> None:
    model = Scripted("rain")
    assert search("sec-plant", small(), FakeEmbedder(), model=model).terms == ()
    assert model.asked == []


@pytest.mark.parametrize(
    ("answer", "terms"),
    [
        ("ToNumber\nToString", ("ToNumber", "ToString")),
        ("1. ToNumber\n2) ToString", ("ToNumber", "ToString")),
        ("- `[[Get]]`\n* **%Array%**", ("[[Get]]", "%Array%")),
        ("ToNumber, ToString; ToNumber.", ("ToNumber", "ToString")),
        ("Call(F, V)", ("Call(F, V)",)),
        ("<think>ToObject?</think>ToNumber", ("ToNumber",)),
        ("<think>never ended", ()),
        ("```text\nToNumber\n```", ("ToNumber",)),
        ("To\x1b[31mNumber\x07\u202e", ("ToNumber",)),
        ("x" * (LONGEST_TERM + 1), ()),
        ("-\n***\n1.\n7", ()),
        ("", ()),
    ],
)
def test_of_an_answer_only_short_terms_are_taken(answer: str, terms: tuple[str, ...]) -> None:
    assert search_terms(answer) == terms


def test_no_answer_gives_more_than_a_few_terms() -> None:
    answer = "\n".join(f"Operation{number}" for number in range(10_000))
    assert len(search_terms(answer)) == MOST_TERMS


def test_terms_are_searched_for_beside_the_question() -> None:
    embedder = FakeEmbedder()
    plain = search("Who looks after it all?", small(), BlindEmbedder())
    assert "sec-rain" not in [hit.section.unitid for hit in plain.hits]
    found = search("Who looks after it all?", small(), embedder, model=Scripted("rain\nwater"))
    assert "sec-rain" in [hit.section.unitid for hit in found.hits]
    assert embedder.asked == ["Who looks after it all?\nrain\nwater"]
    assert search_data(found)["terms"] == ["rain", "water"]
    assert found.query == "Who looks after it all?"
    assert "rain; water" in found.notes[-1]


def test_terms_look_no_name_up() -> None:
    store = small()
    store.table.rows.append(name("WaterBed", NameKind.OPERATION, "sec-rain"))
    asked = search("Who looks after it all?", store, BlindEmbedder(), model=Scripted("WaterBed"))
    assert not [hit for hit in asked.hits if hit.why.startswith("exact")]


def test_terms_reach_no_filter() -> None:
    model = Scripted("x' OR '1'='1\nannex = true")
    found = search(
        "Where does rain fall?", small(), BlindEmbedder(), filters=Filters(annex=False), model=model
    )
    assert found.hits
    assert not [hit for hit in found.hits if hit.section.annex]


@pytest.mark.parametrize(
    "failure", [TimeoutError("too slow"), ValueError("\x1b[31mred"), RuntimeError("x" * 9_999)]
)
def test_a_model_that_fails_costs_a_note_and_nothing_else(failure: Exception) -> None:
    plain = search("Where does rain fall?", small(), BlindEmbedder())
    found = search("Where does rain fall?", small(), BlindEmbedder(), model=Scripted(failure))
    assert found.hits == plain.hits
    (note,) = found.notes
    assert type(failure).__name__ in note
    assert len(note) < 250
    assert "\x1b" not in note


def test_an_answer_without_terms_is_said() -> None:
    found = search("Where does rain fall?", small(), BlindEmbedder(), model=Scripted("!!!"))
    assert "no usable search terms" in found.notes[0]


def test_the_search_tool_asks_the_model_that_it_was_given() -> None:
    model = Scripted("water")
    result = Toolbox(small(), BlindEmbedder(), rewriter=model).search_spec("Where does rain fall?")
    assert len(model.asked) == 1
    assert "water" in result.text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "set ASK262_MODEL"),
        ({"model": "offline"}, "set ASK262_MODEL"),
        ({"model": "openai:some", "offline": True}, "ASK262_OFFLINE is set"),
        ({"model": "nobody:some"}, "correct ASK262_MODEL"),
    ],
)
def test_rewriting_without_a_model_that_can_be_asked_is_one_line(given: dict[str, Any], told: str) -> None:
    from storage.chat import configured_chat

    with pytest.raises(ModelError, match=told):
        configured_chat(Settings(_env_file=None, **given), wanted_by="--rewrite")


def test_a_model_on_a_server_of_ones_own_is_loaded_and_not_reached() -> None:
    from storage.chat import configured_chat

    settings = Settings(_env_file=None, model="some", base_url="http://127.0.0.1:1/v1", offline=True)
    assert configured_chat(settings, wanted_by="--rewrite")
