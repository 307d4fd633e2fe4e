"""Which questions point to the one before, and how they are then asked."""

import json
from pathlib import Path

import pytest

from agent.offline_question import understand
from agent.own_words import own_words
from agent.talk.followup import understood
from agent.talk.leaning import leans_back
from agent.talk.state import Turn
from tests.test_agent.test_answer import answer

LEAN = """\
And holes?
What about BigInt values?
Which error is thrown then?
Where does the specification throw the ReferenceError for this?
What does it do with a Symbol?
Where is it created?
And for a function?
Is that the same for Set?
What is it in a script?
Does Object.seal do the same?
Does it call [[Get]]?
How many arguments does it take?
What happens if it throws?
Why?
why not
Why is that?
What does step 3 do?
In strict mode?
With a Symbol?
Which error is thrown?
How does Promise.allSettled differ?
Is this operation used anywhere else?
Does ToPropertyKey call it?
What is its length?
Are they enumerable?
Does this apply to proxies?
Show me the algorithm for it"""

ALONE = """\
What does ToNumber do?
Is `this` a keyword?
How is a seed planted?
What is this in a module?
What is the this value of an arrow function?
Why does ToNumber throw for a Symbol?
In which order are property keys enumerated?
What happens to a promise when it is resolved twice?
Is it possible to delete a let binding?
It is a Syntax Error if BoundNames contains any duplicate elements.
Is there a limit on array length?
Does a Map keep its insertion order?
Do arrow functions have their own arguments object?
When a generator is closed, does it run finally blocks?
What is a type?
What is an object that has no prototype?
Does the specification say that functions are hoisted?
Are two NaN values the same as each other?
What does the `then` method do?
In strict mode, what happens on assignment to an undeclared variable?
What if a getter throws inside Object.assign?
Is NaN equal to itself?
7.1.4
sec-tonumber
property key"""


@pytest.mark.parametrize("question", LEAN.splitlines())
def test_a_question_that_points_back_is_asked_with_what_it_points_to(question: str) -> None:
    asked = understood(question, Turn("What does PlantSeed do?", answer()))
    assert asked.startswith(question)
    assert "What does PlantSeed do?" in asked


@pytest.mark.parametrize("question", ALONE.splitlines())
def test_a_question_that_stands_alone_is_asked_as_it_is(question: str) -> None:
    assert not leans_back(question)
    assert understood(question, Turn("What does PlantSeed do?", answer())) == question


def test_the_first_question_has_nothing_to_lean_on() -> None:
    assert understood("And why?", None) == "And why?"


@pytest.mark.parametrize(
    ("before", "question", "asked"),
    [
        (
            "What does Array.prototype.includes compare with?",
            "And indexOf?",
            "What does Array.prototype.indexOf compare with?",
        ),
        ("How are Map keys compared?", "Is that the same for Set?", "How are Set keys compared?"),
        (
            "What does ToNumber do with a Symbol?",
            "What about a BigInt?",
            "What does ToNumber do with a BigInt?",
        ),
        ("What does ToNumber do with a Symbol?", "And ToNumeric?", "What does ToNumeric do with a Symbol?"),
    ],
)
def test_a_reply_that_names_another_of_the_same_kind_asks_the_same_of_it(
    before: str, question: str, asked: str
) -> None:
    turn = Turn(before, answer())
    assert understood(question, turn, known=lambda name: name == "Array.prototype.indexOf") == asked


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("How does Array.prototype.sort treat undefined?", "And holes?"),
        ("Does IsLooselyEqual compare a Symbol with a BigInt?", "And a Number?"),
        ("When does JSON.stringify throw?", "What about BigInt values?"),
    ],
)
def test_nothing_is_exchanged_where_it_is_not_plain_what_for(before: str, question: str) -> None:
    assert understood(question, Turn(before, answer())).startswith(f"{question} (About: {before}")


def test_a_reply_to_a_reply_says_where_both_began() -> None:
    first = understood("And holes?", Turn("How does sort treat undefined?", answer()))
    assert understood("Why?", Turn("And holes?", answer(), first)) == (
        "Why? (About: How does sort treat undefined?; then: And holes?)"
    )


def test_what_a_follow_up_leans_on_is_no_passage_that_it_quotes() -> None:
    before = "What does Array.prototype.sort do when the comparator is not callable or undefined?"
    asked = understood("And why does it do that?", Turn(before, answer()))
    assert own_words(asked) == asked
    assert understand(asked).names == ("Array.prototype.sort",)


def test_only_a_question_about_the_text_is_told_its_sections() -> None:
    turn = Turn("What does PlantSeed do?", answer())
    assert "sec-" not in understood("And why?", turn)
    assert turn.answer.citations[0].sectionid in understood("What does step 3 do?", turn)


BENCH = Path(__file__).resolve().parents[3] / "shared" / "bench"


@pytest.mark.skipif(not BENCH.is_dir(), reason="the questions of the bench are not beside the project")
@pytest.mark.parametrize("name", ["real-dev", "test262-dev"])
def test_of_questions_that_stand_alone_hardly_one_is_taken_for_a_follow_up(name: str) -> None:
    """Each was asked on its own; a few begin in the middle of a sentence."""
    lines = (BENCH / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    leaning = [question for question in questions if leans_back(question)]
    assert len(leaning) <= max(1, len(questions) // 100)
