"""What the offline model quotes, and how it cites."""

from dataclasses import replace

import pytest

from agent.offline_choice import choose, document_order
from agent.offline_compose import answer
from agent.offline_evidence import Evidence
from agent.offline_plan import next_step
from agent.offline_question import understand
from agent.offline_statements import statements
from agent.offline_thresholds import THRESHOLDS
from storage.markers import marker
from tests.test_agent.evidence import ALGORITHM, BRANCHES, evidence, hit, shown
from tests.test_agent.helpers import passage
from tools.results import Passage


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


def quoted(asked: str, text: str) -> list[list[str]]:
    """What each claim quotes, on one line a quotation."""
    claims = answer(shown(asked, text), understand(asked)).claims
    return [[" ".join(one.quote.split()) for one in claim.citations] for claim in claims]


def test_the_decisive_step_and_what_is_around_it_are_cited_once() -> None:
    text = "1.2 Alpha ( x )\n\n1. If x is a green pea, then\n  a. Throw a RangeError exception now."
    asked = "Which RangeError exception is thrown?"
    claim = answer(shown(asked, text), understand(asked)).claims[-1]
    assert [(one.step, " ".join(one.quote.split())) for one in claim.citations] == [
        ("1.a", "1. If x is a green pea, then a. Throw a RangeError exception now."),
    ]
    assert claim.text.startswith("1.2 Alpha ( x ), step 1.a:")


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


def test_quotations_stand_in_the_order_of_the_document() -> None:
    one, two, annex = (passage("Beans are green things.", sectionid=f"sec-{name}") for name in "xyz")
    numbered = [
        statements(
            Passage(p.edition, p.sectionid, p.clauseid, number, p.title, p.source, p.start, p.end, p.text)
        )[0]
        for p, number in ((one, "10.1"), (two, "9.2"), (annex, "B.1"))
    ]
    assert [s.passage.secnum for s in sorted(numbered, key=document_order)] == ["9.2", "10.1", "B.1"]


def test_the_same_words_are_quoted_once() -> None:
    words = "If x is a Bean, throw a TypeError exception."
    text = f"1.2 Alpha ( x )\n\n1. {words}\n2. {words}"
    asked = "What does Alpha do with a Bean?"
    assert len(choose(shown(asked, text), understand(asked))) == 1


ASKED = "Which TypeError exception is thrown for a green Bean?"


def two_sections(first: str) -> Evidence:
    """The first says most of the question; the other stands well and says little of it."""
    return evidence(
        ASKED,
        passage(first, sectionid="sec-first"),
        passage("Each Bean has a colour of its own.", sectionid="sec-other", start=90_000),
        hits=(hit("sec-first"), hit("sec-other", rank=2)),
    )


def test_where_little_was_quoted_other_sections_that_stand_well_are_quoted_too() -> None:
    given = two_sections("1. If x is a green Bean, throw a TypeError exception.")
    chosen = choose(given, understand(ASKED))
    assert [one.passage.sectionid for one in chosen] == ["sec-first", "sec-other"]


@pytest.mark.parametrize("changed", [{"sparse": 60}, {"stands": 1.5}])
def test_no_other_section_is_quoted_where_enough_was_or_where_it_stands_badly(
    changed: dict[str, float],
) -> None:
    given = two_sections("1. If x is a green Bean, throw a TypeError exception.")
    chosen = choose(given, understand(ASKED), replace(THRESHOLDS, **changed))  # type: ignore[arg-type]
    assert [one.passage.sectionid for one in chosen] == ["sec-first"]


def test_an_excerpt_grows_while_there_is_room() -> None:
    steps = "\n".join(f"{number}. Let y{number} be row {number} of the bed." for number in range(2, 90))
    given = two_sections(f"1. If x is a green Bean, throw a TypeError exception.\n{steps}")
    sizes = [
        sum(len(one.text) for one in choose(given, understand(ASKED), replace(THRESHOLDS, room=room)))
        for room in (0, 2_500)
    ]
    assert 200 < sizes[0] <= 500 < 1_000 < sizes[1] <= 1_300


def test_a_short_section_is_quoted_whole_and_never_over_a_marker() -> None:
    step, note = "1. If x is a green Bean, throw a TypeError exception.", "Note\nBeans are seldom green."
    for text, whole in (
        (f"{step}\n\n{note}", True),
        (f"{step}\n\n{marker('sec-b', 'Peas')}\n\n{note}", False),
    ):
        first = choose(two_sections(text), understand(ASKED))[0]
        assert (first.text == text) is whole
        assert first.text.startswith(step)
