"""What the offline model sees in a question: stems, names, cues."""

import pytest

from agent.offline_question import Cue, names_in_prose, understand
from agent.offline_words import stem, stems
from agent.own_words import own_words


@pytest.mark.parametrize(
    "words",
    ["throws thrown throwing", "initialise initialized Initializer", "property properties", "freeze frozen"],
)
def test_forms_of_one_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_identifiers_count_whole_and_by_their_parts() -> None:
    assert {"tonumber", "number", "bigint", "big"} <= set(stems("ToNumber of a BigInt"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which clause defines setTimeout?", ("setTimeout",)),
        ("What does ToNumber do with a BigInt?", ("ToNumber",)),
        ("What is a BigInt?", ("BigInt",)),
        ("How does fetch() work with [[Get]]?", ("fetch()", "[[Get]]")),
        ("Is Error.captureStackTrace required, and what is in error.stack?", ("Error.captureStackTrace",)),
        ("Why does `const myCount = otherCount` fail?", ()),
        ("const twice = myValue => myValue * 2; what happens?", ()),
        ("See https://example.org/some.html#camelCase for it", ()),
        ("When is the sky blue?", ()),
    ],
)
def test_names_are_identifiers_in_prose_not_variables_of_an_example(
    question: str, names: tuple[str, ...]
) -> None:
    assert names_in_prose(question) == names


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("7.1.4", True), ("§7.1.4", True), ("sec-tonumber", True), ("ToNumber ( argument )", True),
        ("Array.prototype.sort", True), ("[[Get]]", True), ("What is 7.1.4?", False), ("two words", False),
    ],
)  # fmt: skip
def test_a_name_alone_is_recognised(question: str, alone: bool) -> None:
    assert understand(question).alone is alone


def test_the_glossary_adds_the_words_of_the_specification_with_less_weight() -> None:
    question = understand("Which microtask runs first?")
    assert "HostEnqueuePromiseJob" in question.reworded
    assert question.terms["job"] < question.terms["microtask"]


def test_cues_say_what_kind_of_answer_is_asked_for() -> None:
    assert {Cue.THROWS, Cue.CONDITION} <= understand("When does sort reject it?").cues


@pytest.mark.parametrize("asked", ["{} {}", "{1} {0}"])
def test_a_question_before_or_behind_a_pasted_page_is_seen(asked: str) -> None:
    page = "\n".join(f"    at line{number} of some file" for number in range(300))
    question = understand(asked.format("What does ToNumber do with a BigInt?", page))
    assert {"ToNumber", "BigInt"} & set(question.names)
    assert len(question.text) <= 2_000


@pytest.mark.parametrize(
    "question",
    [
        'Which section contains the sentence "If comparator is not undefined and IsCallable(it) is false"?',
        'What does "Uncaught TypeError: Reduce of empty array with no initial value" mean here?',
        "> Array.prototype.sort throws a TypeError if comparator is no function\nIs this true?",
        'Is the statement "A derived class constructor must call super before it uses this" true?',
        'What does JSON.parse("this is no json at all and it is a long text") do?',
    ],
)
def test_a_question_about_what_it_quotes_and_a_string_of_code_stay_whole(question: str) -> None:
    assert own_words(question) == question
