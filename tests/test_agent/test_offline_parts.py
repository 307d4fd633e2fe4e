"""The parts of the offline model on tiny inputs: words, questions, statements, bearing, score."""

from dataclasses import replace

import pytest

from agent.draft import AnswerDraft
from agent.offline_bearing import absent_names, bears
from agent.offline_compose import answer, choose, document_order
from agent.offline_evidence import Evidence, Hit, Reference
from agent.offline_excerpts import Excerpt, excerpt, joined
from agent.offline_leads import leads
from agent.offline_plan import Read, Search, next_step, section_scores
from agent.offline_question import Cue, names_in_prose, understand
from agent.offline_statements import Shape, statements
from agent.offline_thresholds import THRESHOLDS, Thresholds
from agent.offline_words import stem, stems
from storage.markers import marker
from tests.test_agent.helpers import passage
from tools.results import Passage

ALGORITHM = """1.2 Alpha ( x )

The abstract operation Alpha takes x and returns a Number. It performs the following steps when called:

1. If x is a Bean, throw a TypeError exception.
2. If x is undefined, then
  a. Let y be Beta(x).
  b. Return y.
3. Return 7.

Note 1
Beans were never numbers. Peas are, i.e. they count.
"""


def hit(sectionid: str, *, rank: int = 1, title: str = "Alpha ( x )", named: bool = False) -> Hit:
    return Hit(sectionid, title, title, rank, named, 0, 0)


def evidence(
    question: str,
    *passages: Passage,
    hits: tuple[Hit, ...] = (),
    read: tuple[str, ...] | None = None,
    tried: frozenset[tuple[str, str]] = frozenset(),
) -> Evidence:
    shown = tuple(dict.fromkeys(one.sectionid for one in passages)) if read is None else read
    return Evidence(
        question=question, searches=((question, hits),) if hits else (), tried=tried, read=shown,
        passages=passages, markers=(),
    )  # fmt: skip


def shown(question: str, text: str = ALGORITHM, **given: object) -> Evidence:
    return evidence(question, passage(text), hits=(hit("sec-a"),), **given)  # type: ignore[arg-type]


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


def test_text_is_taken_apart_into_exact_slices_with_step_labels() -> None:
    found = statements(passage(ALGORITHM))
    assert [(one.shape, one.label, one.text) for one in found] == [
        (Shape.SENTENCE, "", "The abstract operation Alpha takes x and returns a Number."),
        (Shape.SENTENCE, "", "It performs the following steps when called:"),
        (Shape.STEP, "1", "If x is a Bean, throw a TypeError exception."),
        (Shape.STEP, "2", "If x is undefined, then"),
        (Shape.STEP, "2.a", "Let y be Beta(x)."),
        (Shape.STEP, "2.b", "Return y."),
        (Shape.STEP, "3", "Return 7."),
        (Shape.NOTE, "", "Beans were never numbers."),
        (Shape.NOTE, "", "Peas are, i.e. they count."),
    ]
    assert found[5].parents == (found[3],)


def test_grammar_items_and_rows_are_statements() -> None:
    text = "Sum :\n  Term\n  Sum + Term\n\n- an item\n\n| Head | Two |\n| --- | --- |\n| a | b |"
    assert [(one.shape, one.text) for one in statements(passage(text))] == [
        (Shape.PRODUCTION, "Sum :\n  Term\n  Sum + Term"),
        (Shape.ITEM, "an item"),
        (Shape.ROW, "| Head | Two |"),
        (Shape.ROW, "| a | b |"),
    ]


def test_the_first_call_searches_with_the_question() -> None:
    asked = "When does Alpha throw?"
    assert next_step(evidence(asked), understand(asked)) == Search(asked)


def test_a_name_that_was_not_found_is_searched_on_its_own() -> None:
    asked = "Which clause defines setTimeout?"
    given = shown(asked, tried=frozenset({("search_spec", asked)}))
    assert next_step(given, understand(asked)) == Search("setTimeout")


def test_the_best_section_is_read_next() -> None:
    asked = "Alpha beans"
    given = evidence(
        asked, hits=(hit("sec-b", title="Beta"), hit("sec-a", rank=2, title="Alpha beans")),
        tried=frozenset({("search_spec", asked)}),
    )  # fmt: skip
    assert max(section_scores(given, understand(asked)).items(), key=lambda one: one[1])[0] == "sec-a"
    assert next_step(given, understand(asked)) == Read("sec-a")


def test_a_name_alone_reads_one_section_and_answers_with_how_it_begins() -> None:
    asked = "1.2"
    tried = frozenset({("search_spec", asked), ("fetch_section_chunks", "sec-a")})
    given = evidence(
        asked, passage(ALGORITHM), hits=(hit("sec-a", named=True), hit("sec-b", rank=2)), tried=tried
    )
    assert next_step(given, understand(asked)) is None
    quoted = [one.quote for claim in answer(given, understand(asked)).claims for one in claim.citations]
    assert quoted[0].startswith("The abstract operation Alpha takes x and returns a Number.")
    assert any("If x is a Bean, throw a TypeError exception." in quote for quote in quoted)


def test_a_short_algorithm_that_hands_over_is_followed() -> None:
    text = "1.2 Alpha ( x )\n\n1. Let y be ToThing(x).\n2. Return ? DoAlpha(y)."
    given = evidence("alpha", passage(text), hits=(hit("sec-a"),))
    found = leads(given, understand("alpha"), sections={"sec-a": 1.0}, by=THRESHOLDS)
    assert max(found, key=lambda lead: found[lead]) == "DoAlpha"


def test_what_a_good_section_hands_over_to_is_nearly_as_good() -> None:
    first = "1.2 Alpha ( x )\n\n1. Return ? DoAlpha(x)."
    second = "1.3 DoAlpha ( x )\n\n1. Let y be a pea.\n2. Perform ? Sow(y).\n3. Return y."
    other = "1.4 Omega ( x )\n\n1. Let y be a pea.\n2. Perform ? Reap(y).\n3. Return y."
    given = evidence(
        "alpha",
        passage(first),
        passage(second, sectionid="sec-b", start=500),
        passage(other, sectionid="sec-c", start=900),
        hits=(hit("sec-a"),),
    )
    given = replace(given, references=(Reference("sec-b", "DoAlpha", operation=True),))
    found = leads(given, understand("alpha"), sections={"sec-a": 1.0}, by=THRESHOLDS)
    assert found["Sow"] > found["Reap"]


def test_a_method_that_several_define_is_searched_and_the_definition_of_the_right_kind_read() -> None:
    asked = "What happens with a pea in a garden?"
    text = "1.2 Alpha ( x )\n\n1. If x is a pea in a garden, return ? base.GetRow(x)."
    tried = frozenset({("search_spec", asked), ("fetch_section_chunks", "sec-a")})
    given = evidence(asked, passage(text), hits=(hit("sec-a"),), tried=tried)
    assert next_step(given, understand(asked)) == Search("GetRow")
    found = tuple(
        Hit(sectionid, "GetRow ( N )", f"Beds > {kind} > GetRow ( N )", rank, True, 0, 0)
        for rank, (sectionid, kind) in enumerate((("sec-x", "Field Beds"), ("sec-y", "Garden Beds")), start=1)
    )
    given = replace(given, definitions=(("GetRow", found),), tried=tried | {("search_spec", "GetRow")})
    assert next_step(given, understand(asked)) == Read("sec-y")


def test_an_internal_method_leads_to_its_ordinary_behaviour() -> None:
    text = "1.2 Alpha ( x )\n\n1. Return ? target.[[Set]](x)."
    given = evidence("alpha", passage(text), hits=(hit("sec-a"),))
    found = leads(given, understand("alpha"), sections={"sec-a": 1.0}, by=THRESHOLDS)
    assert found["OrdinarySet"] >= THRESHOLDS.lead


def test_the_statement_that_answers_is_quoted_with_its_step() -> None:
    asked = "What does Alpha do when it is given a Bean?"
    draft = answer(shown(asked), understand(asked))
    assert draft.refusal is None
    assert any(
        (one.sectionid, one.step) == ("sec-a", "1")
        and "If x is a Bean, throw a TypeError exception." in one.quote
        for claim in draft.claims
        for one in claim.citations
    )


def test_rejecting_is_throwing_in_the_words_of_the_specification() -> None:
    steps = "1. Let obj be the comparator of it.\n2. If comparator is wrong, throw a TypeError exception."
    text = f"1.2 Sort ( comparator )\n\n{steps}"
    asked = "When does Sort reject the comparator?"
    claims = answer(shown(asked, text), understand(asked)).claims
    quoted = [one.quote for claim in claims for one in claim.citations]
    assert any("If comparator is wrong, throw a TypeError exception." in quote for quote in quoted)


BRANCHES = """1.2 Alpha ( x )

The abstract operation Alpha takes argument x and returns a Number.
It performs the following steps when called:

1. If x is a green bean, then
  a. Let k be the green count.
2. Else,
  a. Let k be the count of dry beans.
  b. Return k.
3. Return 7.
"""


def quoted(asked: str, text: str) -> list[list[str]]:
    """What each claim quotes, on one line a quotation."""
    claims = answer(shown(asked, text), understand(asked)).claims
    return [[" ".join(one.quote.split()) for one in claim.citations] for claim in claims]


def around(words: str, text: str, *, whole: int = 900, most: int = 400) -> str:
    """What is quoted around the statement that begins with these words, on one line."""
    held = statements(passage(text))
    found = next(one for one in held if one.text.startswith(words))
    grown = excerpt(found, held, {}, Thresholds(whole=whole, excerpt=most))
    return " ".join(grown.text.split())


def test_the_decisive_step_and_what_is_around_it_are_cited_once() -> None:
    text = "1.2 Alpha ( x )\n\n1. If x is a green pea, then\n  a. Throw a RangeError exception now."
    asked = "Which RangeError exception is thrown?"
    claim = answer(shown(asked, text), understand(asked)).claims[-1]
    assert [(one.step, " ".join(one.quote.split())) for one in claim.citations] == [
        ("1.a", "1. If x is a green pea, then a. Throw a RangeError exception now."),
    ]
    assert claim.text.startswith("1.2 Alpha ( x ), step 1.a:")


def test_a_short_algorithm_is_quoted_whole_and_a_paragraph_too() -> None:
    assert around("Let k be the green", BRANCHES).startswith("1. If x is a green bean, then a. Let k")
    assert around("Let k be the green", BRANCHES).endswith("3. Return 7.")
    text = "1.2 Alpha ( x )\n\nBeans are green. Peas are too.\n\nNothing else is."
    assert around("Peas", text) == "Beans are green. Peas are too."


def test_a_branch_is_quoted_with_what_follows_from_it_and_with_its_else() -> None:
    whole = "1. If x is a green bean, then a. Let k be the green count."
    other = " 2. Else, a. Let k be the count of dry beans. b. Return k."
    assert around("If x is a green", BRANCHES, whole=0, most=125) == whole + other


def test_a_step_in_a_branch_is_quoted_under_its_condition() -> None:
    assert around("Let k be the count", BRANCHES, whole=0, most=50).startswith("2. Else, a. Let k")


def test_an_excerpt_of_a_long_algorithm_stays_short() -> None:
    steps = "".join(f"\n  {label}. Let {label} be {'very ' * 30}long." for label in "abcdef")
    text = f"1.2 Alpha ( x )\n\n1. If x is a green bean, then{steps}"
    assert 150 < len(around("If x is", text, whole=300)) <= 400


def test_excerpts_that_share_words_are_quoted_as_one() -> None:
    steps = "\n".join(f"{number}. Let y{number} be the pea in row {number}." for number in range(1, 40))
    text = f"1.2 Alpha ( x )\n\n{steps}"
    held = statements(passage(text))
    apart = [excerpt(one, held, {}, THRESHOLDS) for one in (held[9], held[14])]
    assert apart[0].overlaps(apart[1])
    whole = joined(apart)
    assert (whole.start, whole.end) == (apart[0].start, apart[1].end)
    assert whole.decisive == (held[9], held[14])


def test_an_excerpt_never_reaches_over_a_marker() -> None:
    text = f"1. Let x be one bean.\n\n{marker('sec-b', 'Beans')}\n\n2. Let y be one pea."
    assert around("Let y", text) == "2. Let y be one pea."


def test_a_production_is_quoted_with_the_algorithm_that_it_is_for() -> None:
    text = "Sum : Sum + Term\n\n1. Let x be the Sum.\n2. Return x.\n\nSum : Term\n\n1. Return the Term alone."
    held = statements(passage(text))
    grown = excerpt(held[0], held, {}, THRESHOLDS)
    assert grown.before == (0, len("Sum : Sum + Term"))
    assert grown.text == "1. Let x be the Sum.\n2. Return x."
    assert grown.holds(held[0])
    assert grown.holds(held[2])
    assert not grown.holds(held[3])


def test_a_row_is_quoted_behind_its_caption_and_header() -> None:
    text = "Table 1: Beans and peas\n\n| Name | Colour |\n| --- | --- |\n| pea | green |\n| bean | brown |"
    held = statements(passage(text))
    grown = excerpt(held[-1], held, {}, THRESHOLDS)
    assert isinstance(grown, Excerpt)
    assert grown.before is not None
    assert text[slice(*grown.before)].startswith("Table 1: Beans and peas")
    assert grown.text == "| bean | brown |"


def test_what_only_announces_an_algorithm_is_not_quoted_beside_its_steps() -> None:
    flat = [quote for claim in quoted("What does Alpha do with a Bean x?", BRANCHES) for quote in claim]
    assert flat
    assert not any("takes argument" in quote or "following steps" in quote for quote in flat)


def test_the_section_that_bears_most_comes_first() -> None:
    asked = "Which TypeError exception is thrown for a Bean?"
    early = passage("Each Bean has a TypeError exception of its own.", sectionid="sec-early", start=900)
    best = passage("1. If x is a Bean, throw a TypeError exception.", sectionid="sec-best", start=5_000)
    given = evidence(asked, early, best, hits=(hit("sec-best"), hit("sec-early", rank=2)))
    assert choose(given, understand(asked))[0].passage.sectionid == "sec-best"


def test_another_member_of_the_same_owner_is_not_quoted() -> None:
    asked = "What does Bean.prototype.at do with an index?"
    text = "The index of the Bean is less than the count."
    parts = [
        Passage(
            "es1",
            f"sec-{name}",
            f"sec-{name}",
            "1",
            f"Bean.prototype.{name} ( index )",
            "a.html",
            at,
            at + len(text),
            text,
        )
        for at, name in enumerate(("at", "indexOf"))
    ]
    given = evidence(asked, parts[0], parts[1], hits=(hit("sec-at"), hit("sec-indexOf", rank=2)))
    assert [one.passage.sectionid for one in choose(given, understand(asked))] == ["sec-at"]


def test_a_refusal_for_want_of_a_statement_does_not_claim_that_nothing_bears() -> None:
    draft = answer(shown("Alpha beans", "Beans."), understand("Alpha beans"))
    assert str(draft.refusal).startswith("No statement of what was read matches")
    assert "1.2 Alpha ( x )" in str(draft.refusal)


def test_quotations_stand_in_the_order_of_the_document() -> None:
    one, two, annex = (passage("Beans are green things.", sectionid=f"sec-{name}") for name in "xyz")
    numbered = [
        statements(
            Passage(p.edition, p.sectionid, p.clauseid, number, p.title, p.source, p.start, p.end, p.text)
        )[0]
        for p, number in ((one, "10.1"), (two, "9.2"), (annex, "B.1"))
    ]
    assert [s.passage.secnum for s in sorted(numbered, key=document_order)] == ["9.2", "10.1", "B.1"]


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


def test_another_language_is_no_reason_to_refuse_where_ours_is_asked_about() -> None:
    asked = "Unlike Java, what does JavaScript do with a Bean in Alpha?"
    assert answer(shown(asked), understand(asked)).claims


def test_a_method_that_the_question_makes_up_itself_is_not_missed() -> None:
    asked = "If I define Bean.prototype.count, is it used?"
    text = "1.2 Alpha ( x )\n\n1. Let f be ? GetMethod(x, count) of the Bean prototype."
    assert absent_names(shown(asked, text), understand(asked)) == ()
    asked = "What does Bean.prototype.count return?"
    assert absent_names(shown(asked, text), understand(asked)) == ("Bean.prototype.count",)


def test_the_same_words_are_quoted_once() -> None:
    words = "If x is a Bean, throw a TypeError exception."
    text = f"1.2 Alpha ( x )\n\n1. {words}\n2. {words}"
    asked = "What does Alpha do with a Bean?"
    assert len(choose(shown(asked, text), understand(asked))) == 1


def test_a_construct_marked_as_code_counts_as_a_name_where_there_is_no_other() -> None:
    asked = "Is a Bean in `defer beans` evaluated?"
    assert absent_names(shown(asked), understand(asked)) == ("defer beans",)


def test_a_marker_is_no_statement_that_can_be_quoted() -> None:
    text = f"Beans are green and round.\n\n{marker('sec-b', 'Beans and what they are')}\n\nPeas are not."
    assert [one.text for one in statements(passage(text))] == ["Beans are green and round.", "Peas are not."]
