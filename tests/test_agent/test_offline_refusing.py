"""When the offline model refuses, and what it says then."""

import pytest

from agent.draft import AnswerDraft
from agent.offline_bearing import absent_names, bears
from agent.offline_compose import answer
from agent.offline_question import understand
from agent.offline_thresholds import THRESHOLDS
from tests.test_agent.evidence import ALGORITHM, evidence, hit, shown
from tests.test_agent.helpers import passage


def test_a_refusal_for_want_of_a_statement_does_not_claim_that_nothing_bears() -> None:
    draft = answer(shown("Alpha beans", "Beans."), understand("Alpha beans"))
    assert str(draft.refusal).startswith("No statement of what was read matches")
    assert "1.2 Alpha ( x )" in str(draft.refusal)


def test_an_absent_name_is_refused_and_named() -> None:
    asked = "Which clause defines setTimeout?"
    draft = answer(shown(asked), understand(asked))
    assert draft.claims == []
    assert "`setTimeout` occurs nowhere" in str(draft.refusal)


def test_an_absent_name_beside_a_present_one_is_said_beside_the_answer() -> None:
    asked = "Does DoAlpha call setTimeout for a Bean?"
    text = ALGORITHM.replace("Beta(x)", "DoAlpha(x)")
    draft = answer(shown(asked, text), understand(asked))
    assert draft.claims
    assert "`setTimeout`" in str(draft.refusal)


@pytest.mark.parametrize(
    "asked", ["What is the tax rate in Norway?", "How many players are in a football team?"]
)
def test_a_question_about_something_else_is_refused(asked: str) -> None:
    assert not bears(shown(asked), understand(asked), THRESHOLDS)
    assert answer(shown(asked), understand(asked)) == AnswerDraft(
        refusal="Nothing that was found bears on the question."
    )


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ("Is a Bean evaluated in order in C or not?", "in C"),
        ("Does Java sort a Bean in place?", "Java"),
        ("Is console.log required to print a Bean?", "Console (WHATWG)"),
    ],
)
def test_what_another_language_or_specification_defines_is_refused(asked: str, where: str) -> None:
    draft = answer(shown(asked), understand(asked))
    assert draft.claims == []
    assert (draft.refusal_kind, draft.defined_by) == ("not_defined", where)


@pytest.mark.parametrize(
    "asked",
    [
        "Why does console.log([9, 1].beans()) print a Bean?",
        "What is a Bean when alert(typeof Bean) shows it?",
        "What does document.write([] + {}) make of a Bean?",
        "Why does `[1].bean(1)` give a Bean inside a setTimeout callback?",
        "How does `super()` bind a Bean?",
        "Is `myBean` a Bean?",
    ],
)
def test_code_around_or_beside_what_is_asked_is_no_reason_to_say_not_defined(asked: str) -> None:
    text = ALGORITHM + "\n2. Call super on the Bean, as Alpha.prototype.bean ( x ) does."
    draft = answer(shown(asked, text), understand(asked))
    assert (draft.refusal_kind, draft.defined_by) in ((None, None), ("not_found", None))


def test_another_language_is_no_reason_to_refuse_where_ours_is_asked_about() -> None:
    asked = "Unlike Java, what does JavaScript do with a Bean in Alpha?"
    assert answer(shown(asked), understand(asked)).claims


def test_a_method_that_the_question_makes_up_itself_is_not_missed() -> None:
    asked = "If I define Bean.prototype.count, is it used?"
    text = "1.2 Alpha ( x )\n\n1. Let f be ? GetMethod(x, count) of the Bean prototype."
    assert absent_names(shown(asked, text), understand(asked)) == ()
    asked = "What does Bean.prototype.count return?"
    assert absent_names(shown(asked, text), understand(asked)) == ("Bean.prototype.count",)


def test_a_construct_marked_as_code_counts_as_a_name_where_there_is_no_other() -> None:
    asked = "Is a Bean in `defer beans` evaluated?"
    assert absent_names(shown(asked), understand(asked)) == ("defer beans",)


@pytest.mark.parametrize("asked", ["sec-nowhere", "What does sec-nowhere say of a Bean?", "99.9"])
def test_an_id_that_nothing_was_found_by_is_refused_and_named(asked: str) -> None:
    draft = answer(shown(asked), understand(asked))
    assert (draft.claims, draft.refusal_kind) == ([], "not_found")
    assert "This edition has no section `" in str(draft.refusal)


@pytest.mark.parametrize(
    "asked", ["sec-a", "What does sec-a say of a Bean?", "Is a Bean in a for-of loop thrown?"]
)
def test_an_id_that_was_found_or_a_hyphenated_word_is_no_reason_to_refuse(asked: str) -> None:
    given = evidence(asked, passage(ALGORITHM), hits=(hit("sec-a", named="sec-a" in asked),))
    assert answer(given, understand(asked)).claims
