"""The glossary as data, and how it is matched."""

import re

import pytest

from tools.glossary import MOST_SAYINGS, glossary, sayings, specification_words


def test_every_row_has_a_pattern_words_and_a_reason() -> None:
    assert len(glossary()) > 100
    for saying in glossary():
        assert saying.words.strip() == saying.words != ""
        assert len(saying.why.split()) >= 3, saying
        assert not saying.pattern.search(""), f"{saying.pattern} matches everything"


def test_no_row_holds_a_section_id() -> None:
    assert not [saying for saying in glossary() if re.search(r"\bsec-", saying.words)]


def test_no_two_rows_have_one_pattern() -> None:
    assert len({saying.pattern.pattern for saying in glossary()}) == len(glossary())


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is null == 0?", "IsLooselyEqual"),
        ("Is null === 0?", "IsStrictlyEqual"),
        ("Are functions hoisted above variables?", "FunctionDeclarationInstantiation"),
        ("When does a microtask run?", "HostEnqueuePromiseJob"),
        ("What is a?.b when a is null?", "OptionalChain"),
        ("Why is there a temporal dead zone?", "GetBindingValue"),
        ("What does 1n >> 2n give?", "BigInt::signedRightShift"),
        ("Does forEach visit holes?", "HasProperty"),
        ("In which order are own keys listed?", "OrdinaryOwnPropertyKeys"),
        ("What does a getter see as this value?", "OrdinaryGet"),
        ("Can a comparator return a boolean?", "CompareArrayElements"),
        ("What does a generator function declaration do?", "InstantiateGeneratorFunctionObject"),
        ("When is a class declaration bound?", "BindingClassDeclarationEvaluation"),
        ("Is the deleteProperty trap called?", "[[Delete]]"),
        ("for (let i = 0, get = () => i; i < 2; i++) {}", "CreatePerIterationEnvironment"),
        ("Is f() = 1 an invalid assignment target?", "AssignmentTargetType"),
    ],
)
def test_common_ways_of_speaking_are_understood(question: str, word: str) -> None:
    assert word in specification_words(question)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is null === 0?", "IsLooselyEqual"),
        ("What is a >>> b?", "Number::signedRightShift"),
        ("Is a ? .5 : b a conditional?", "OptionalChain"),
        ("What is a?.5:b?", "OptionalChain"),
        ("an async generator declaration", "InstantiateGeneratorFunctionObject"),
        ("a generator function declaration", "InstantiateOrdinaryFunctionObject"),
        ("What does super() call?", "MakeSuperPropertyReference"),
    ],
)
def test_a_longer_token_is_not_taken_for_a_shorter_one(question: str, word: str) -> None:
    assert word not in specification_words(question)


def test_a_long_question_uses_what_it_says_first() -> None:
    question = "typeof, instanceof, delete, void, hoisting, eval, microtasks, generators and proxies"
    assert len(sayings(question)) == MOST_SAYINGS
    assert "typeof" in specification_words(question)
    assert "Proxy" not in specification_words(question)


def test_a_question_that_says_nothing_of_the_kind_has_no_words() -> None:
    assert specification_words("Who wrote this document?") == []
