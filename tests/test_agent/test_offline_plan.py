"""What the offline model does next, on evidence made by hand."""

from dataclasses import replace

from agent.offline_evidence import Hit, Reference
from agent.offline_leads import leads
from agent.offline_plan import Read, Search, next_step, section_scores
from agent.offline_question import understand
from agent.offline_thresholds import THRESHOLDS
from tests.test_agent.evidence import evidence, hit, shown
from tests.test_agent.helpers import passage


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
