"""Three kinds of refusal, told apart by the store; what is nearest exists."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from agent.answer import RefusalKind
from agent.draft import AnswerDraft, Refused
from agent.elsewhere import named, table
from agent.ledger import Call, Ledger
from agent.refusals import NO_OTHER, NOT_PROVED, OWN_WORD, UNCHECKED, Names, Refusals, stands_on
from agent.stored import Stored
from storage.model import NameKind
from tests.test_agent.helpers import ask_scripted
from tests.test_agent.scripted import answer, call
from tests.test_tools.fake import name, reader, section, small
from tools.results import ToolResult


def edition(called: str, *defined: str) -> Names:
    """An edition that defines some operations."""
    names = tuple(name(one, NameKind.OPERATION, "sec-x") for one in defined)
    store = reader(section("sec-x", "1", "X", "Text."), names=names)
    return Names(replace(store.record, edition=called, title=called.upper()), store.names())


def refusals(*others: Names, called: str = "es2025") -> Refusals:
    store = small()

    def opened() -> Iterator[Names]:
        return iter(others)

    return Refusals(Names(replace(store.record, edition=called), store.names()), Stored(store), opened)


def searched(*found: str) -> Ledger:
    ledger = Ledger(budget=100)
    hits = [{"sectionid": sectionid} for sectionid in found]
    ledger.record(Call("search_spec", {}, "hits", ok=True), ToolResult("hits", {"query": "q", "hits": hits}))
    return ledger


REFUSED = AnswerDraft(refusal="Not here.")


def test_a_name_that_another_edition_has_is_not_in_this_edition_and_it_says_which() -> None:
    others = (edition("es2026", "ToFrost"), edition("es2027", "ToFrost"), edition("ecma402-2026"))
    said = AnswerDraft(refusal="No.", refusal_kind="not_defined", defined_by="the host")
    refused = refusals(*others).complete("What does ToFrost do?", said, searched())
    assert (refused.kind, refused.defined_by) == (RefusalKind.NOT_IN_EDITION, "es2026, es2027")


def test_what_another_specification_of_the_store_has_is_not_defined_by_this_one() -> None:
    refused = refusals(edition("ecma402-2026", "ToFrost")).complete("What is `ToFrost`?", REFUSED, searched())
    assert (refused.kind, refused.defined_by) == (RefusalKind.NOT_DEFINED, "ECMA402-2026 (ecma402-2026)")


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("In which order do setTimeout callbacks run?", "HTML"),
        ("What does `fetch` return?", "Fetch"),
        ("What does console.log print for a Symbol?", "Console (WHATWG)"),
        ("How does Intl.NumberFormat round?", "ECMA-402"),
        ("Does require() cache modules?", "the host (Node.js)"),
        ("process", "the host (Node.js)"),
    ],
)
def test_what_is_defined_elsewhere_is_said_from_the_table(question: str, where: str) -> None:
    refused = refusals().complete(question, REFUSED, searched())
    assert (refused.kind, refused.defined_by, refused.notes) == (RefusalKind.NOT_DEFINED, where, ())


@pytest.mark.parametrize(
    "question",
    [
        "Does the algorithm require that the module fetch each document?",
        "What is a module record, and which process evaluates it?",
        "What does Foo.console mean?",
    ],
)
def test_an_ordinary_word_is_no_name_of_the_table(question: str) -> None:
    assert named(question) == ()


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Is queueMicrotask the same as a job?", "HTML"),
        ("Which types does structuredClone copy?", "HTML"),
        ("What does import.meta.url hold?", "HTML"),
        ("Is history.back() asynchronous?", "HTML"),
        ("When does process.nextTick run?", "the host (Node.js)"),
        ("What does Buffer.from(x) copy?", "the host (Node.js)"),
        ("Does AsyncLocalStorage survive an await?", "the host (Node.js)"),
        ("Is module.exports live?", "the host (Node.js)"),
        ("Is new URL(x) strict?", "URL (WHATWG)"),
        ("Which order does `Headers` keep?", "Fetch"),
        ("Is a NodeList iterable?", "DOM"),
        ("Does getRandomValues throw?", "Web Cryptography (W3C)"),
        ("How does a PluralRules object choose?", "ECMA-402"),
        ("What is in error.stack?", "the engine"),
        ("Can a ShadowRealm share objects?", "the ShadowRealm proposal (TC39)"),
    ],
)
def test_the_table_knows_the_names_of_the_web_of_hosts_and_of_engines(question: str, where: str) -> None:
    assert [one.where for one in named(question)][:1] == [where]


@pytest.mark.parametrize("question", ["Which process(es) run it?", "What are the location(s) of a race?"])
def test_a_plural_in_brackets_is_no_call(question: str) -> None:
    assert named(question) == ()


@pytest.mark.parametrize(
    "code",
    [
        "console.log([1, 10, 9].sort())", "console.table(x)", "document.write([] + {})", "alert(0.1 + 0.2)",
        "process.stdout.write(`${1}`)",
    ],
)  # fmt: skip
def test_what_an_example_prints_with_is_not_what_the_question_is_about(code: str) -> None:
    assert named(f"Why does {code} show that?") == ()


@pytest.mark.parametrize("code", ["console.log", "`console.log()`", "alert()", "`document`.write"])
def test_what_an_example_prints_with_may_be_what_is_asked_about(code: str) -> None:
    assert named(f"Which clause defines {code}?")


def test_each_line_of_the_table_has_a_reason_and_stands_once() -> None:
    assert all(one.name and one.where and one.reason for one in table())
    names = [one.name for one in table()]
    assert len(names) == len(set(names))


def test_a_name_of_the_table_that_the_edition_defines_is_not_elsewhere() -> None:
    own = edition("ecma402-2026", "Intl")
    refused = Refusals(own, Stored(small())).complete("What is Intl.Foo?", REFUSED, searched())
    assert refused.defined_by == ""


@pytest.mark.parametrize(
    ("question", "draft", "kind"),
    [
        ("What is FrostBite?", REFUSED, RefusalKind.NOT_DEFINED),
        ("What does PlantSeed do at night?", REFUSED, RefusalKind.NOT_FOUND),
        ("Why is it so?", AnswerDraft(refusal="No.", refusal_kind="not_defined"), RefusalKind.NOT_DEFINED),
        ("What is FrostBite?", AnswerDraft(refusal="?", refusal_kind="not_found"), RefusalKind.NOT_FOUND),
        ("What is FrostBite?", AnswerDraft(), RefusalKind.NOT_FOUND),
        ("Why?", AnswerDraft(refusal="No.", refusal_kind="not_in_edition"), RefusalKind.NOT_FOUND),
        (
            "What is PlantSeed?",
            AnswerDraft(refusal="?", refusal_kind="not_in_edition"),
            RefusalKind.NOT_FOUND,
        ),
        (
            "What is FrostBite?",
            AnswerDraft(refusal="?", refusal_kind="not_in_edition"),
            RefusalKind.NOT_DEFINED,
        ),
        ("What is PlantSeed?", AnswerDraft(refusal="?", refusal_kind="not_defined"), RefusalKind.NOT_FOUND),
        (
            "Is PlantSeed a FrostBite?",
            AnswerDraft(refusal="?", refusal_kind="not_defined"),
            RefusalKind.NOT_DEFINED,
        ),
        ("How does PlantSeed call myBed?", REFUSED, RefusalKind.NOT_FOUND),
        ("Why is an engine-specific seed 3.14 deep?", REFUSED, RefusalKind.NOT_FOUND),
    ],
)
def test_without_other_signs_the_model_s_word_counts_except_about_other_editions(
    question: str, draft: AnswerDraft, kind: RefusalKind
) -> None:
    assert refusals().complete(question, draft, searched()).kind is kind


@pytest.mark.parametrize(
    ("question", "kind", "note"),
    [
        ("Why?", "not_in_edition", NO_OTHER),
        ("What is FrostBite?", "not_in_edition", NO_OTHER),
        ("What does PlantSeed do at night?", "not_defined", NOT_PROVED),
        ("Why is it so?", "not_defined", OWN_WORD),
    ],
)
def test_what_the_model_claims_and_the_store_does_not_bear_out_is_noted(
    question: str, kind: Refused, note: str
) -> None:
    refused = refusals().complete(question, AnswerDraft(refusal="No.", refusal_kind=kind), searched())
    assert refused.notes == (note,)


@pytest.mark.parametrize("kind", [None, "not_defined", "not_in_edition"])
def test_a_name_that_stands_in_the_text_is_never_called_undefined(kind: Refused | None) -> None:
    store = reader(section("sec-soil", "1", "Soil", "The field deepRoot is set when a seed is planted."))
    stored = Stored(store)
    own = Refusals(Names(store.record, store.names()), stored, stands=stored.mentions)
    draft = AnswerDraft(refusal="No.", refusal_kind=kind)
    assert own.complete("What is deepRoot?", draft, searched()).kind is RefusalKind.NOT_FOUND
    assert own.complete("What is deepRooted?", draft, searched()).kind is RefusalKind.NOT_DEFINED


SOIL = "The new . target is read. A super ( ) call and deepRoot throw a FrostError exception."


@pytest.mark.parametrize("kind", [None, "not_defined"])
@pytest.mark.parametrize(
    "code",
    [
        "`??=`", "`=>`", "`\\d`", "`new.target`", "`super()`", "`async/await`", "`deepRoot()`", "FrostErrors",
        "`user.address.city`", "`'foo.bar'`", "`myObj.fooBar()`", "`myVar`", "`let seedOne = 1; seedOne`",
    ],
)  # fmt: skip
def test_neither_what_the_text_spells_otherwise_nor_a_variable_is_called_undefined(
    code: str, kind: Refused | None
) -> None:
    store = reader(section("sec-soil", "1", "Soil", SOIL))
    stored = Stored(store)
    own = Refusals(Names(store.record, store.names()), stored, stands=stored.mentions)
    draft = AnswerDraft(refusal="No.", refusal_kind=kind)
    assert own.complete(f"What does {code} do?", draft, searched()).kind is RefusalKind.NOT_FOUND


def test_beside_a_name_of_the_edition_a_model_that_found_nothing_is_not_overruled() -> None:
    draft = AnswerDraft(refusal="No.", refusal_kind="not_found")
    asked = "Does PlantSeed run before setTimeout?"
    assert refusals().complete(asked, draft, searched()).kind is RefusalKind.NOT_FOUND
    alone = refusals().complete("When does setTimeout run?", draft, searched())
    assert alone.kind is RefusalKind.NOT_DEFINED


def test_nothing_is_called_undefined_that_was_not_searched_for() -> None:
    refused = refusals().complete("What is FrostBite?", REFUSED, Ledger(budget=1))
    assert refused.kind is RefusalKind.NOT_FOUND


def test_invented_sections_are_dropped_and_names_alike_and_hits_follow() -> None:
    draft = AnswerDraft(refusal="No.", nearest=["sec-made-up", "sec-rain", "1.1"])
    refused = refusals().complete("What is PlantSeeds?", draft, searched("sec-old", "sec-garden"))
    assert [place.sectionid for place in refused.nearest] == ["sec-rain", "sec-plant", "sec-old"]


def test_a_name_like_the_one_asked_for_is_near_without_any_search() -> None:
    refused = refusals().complete("What is Bed.prototype.waters?", REFUSED, Ledger(budget=1))
    assert refused.nearest[0].sectionid == "sec-bed.prototype.water"


def test_what_only_the_model_says_about_others_is_said_to_be_unchecked() -> None:
    draft = AnswerDraft(refusal="No.", refusal_kind="not_defined", defined_by="RFC 9999\n\x1b[31m")
    refused = refusals().complete("Why?", draft, searched())
    assert (refused.defined_by, refused.notes) == ("RFC 9999", (UNCHECKED,))


def test_an_edition_s_name_is_no_name_that_a_question_stands_on() -> None:
    assert stands_on("Does ES2026 have `ToFrost`?") == ["ToFrost"]


def test_the_answer_carries_it_all_and_an_answer_that_refuses_nothing_carries_none() -> None:
    refused, _ = ask_scripted(
        call("search_spec", query="setTimeout"),
        answer(refusal="Timers are not defined here."),
        question="What does setTimeout do to a bed?",
    )
    data = refused.to_dict()
    assert (data["refusal_kind"], data["defined_by"]) == ("not_defined", "HTML")
    assert all(place["sectionid"] and place["title"] for place in data["nearest"])
    assert "Defined by: HTML." in refused.text
    assert "Searched for: “setTimeout”" in refused.text
    full = "If bed is full, throw a RangeError exception."
    given, _ = ask_scripted(
        call("fetch_section_chunks", sectionid="sec-plant"), answer(("It throws.", [("sec-plant", full)]))
    )
    data = given.to_dict()
    assert (data["refusal_kind"], data["nearest"], data["defined_by"]) == (None, [], "")
