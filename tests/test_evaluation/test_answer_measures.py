"""What an answer is worth: tiny answers, the second check, refusals, groups and differences."""

from dataclasses import replace

import pytest

from agent.answer import Answer, Citation, Claim, Status, Verdict
from evaluation.answer_arms import Observed
from evaluation.answer_check import missing
from evaluation.answer_measures import Judged, judge, refusals
from evaluation.answer_report import Run, compared, figures, gaps, groups, summary, table, together
from evaluation.questions import Question

QUESTION = Question(
    "q1", "Why?", gold=("a", "b"), also_ok=("c",), must_quote=("x is NaN",), hops="2", kind="k"
)


def citation(sectionid: str, quote: str, verdict: Verdict = Verdict.VERIFIED) -> Citation:
    return Citation(sectionid, "1", "T", "es1", "", quote, verdict)


def answered(*citations: Citation, status: Status = Status.GROUNDED, read: tuple[str, ...] = ()) -> Answer:
    claims = (Claim("It is.", tuple(range(len(citations)))),) if citations else ()
    return Answer(
        id="1", question="Why?", edition="es1", status=status, text="", claims=claims, citations=citations,
        refusal="", notes=(), read=read, unfollowed=(), searched=(), calls=3, characters=10, seconds=0.5,
        model="m",
    )  # fmt: skip


def judged(answer: Answer | None, *shown: str, question: Question = QUESTION, raised: str = "") -> Judged:
    known = {"a": "a", "b": "b", "c": "c", "d": "d", "a-p-1": "a"}
    return judge(question, Observed(answer, shown, raised), clause_of=known.get)


def test_cited_and_read_count_the_sections_of_verified_quotations_and_of_pieces() -> None:
    values = judged(
        answered(citation("a", "If x is NaN, stop."), citation("d", "no more"), read=("a-p-1", "c")),
        "If x is NaN, stop. And no more",
    ).values
    assert values["gold_cited"] == 1
    assert values["all_gold_cited"] == 0
    assert (values["gold_read"], values["ok_read"], values["all_gold_read"]) == (1, 1, 0)
    assert (values["citations_right"], values["citations_gold"]) == (0.5, 0.5)
    assert values["quoted"] == values["all_quoted"] == 1
    assert values["unsupported"] == values["invented"] == 0


def test_a_quotation_that_was_not_verified_cites_and_covers_nothing() -> None:
    values = judged(answered(citation("a", "If x is NaN, stop.", Verdict.NOT_FOUND))).values
    assert values["gold_cited"] == values["quoted"] == 0
    assert values["unverified"] == 1
    assert "citations_right" not in values


def test_the_second_check_finds_a_quotation_that_was_never_shown() -> None:
    one = judged(answered(citation("a", "If x is NaN, stop.")), "If y is NaN, stop.")
    assert one.values["unsupported"] == 1
    assert one.missing == ("If x is NaN, stop.",)


def test_an_id_that_does_not_exist_is_counted_as_invented() -> None:
    assert (
        judged(answered(citation("nowhere", "some three words")), "some three words").values["invented"] == 1
    )


def test_an_id_that_leads_nowhere_is_made_up_and_was_not_cited() -> None:
    one = judged(answered(citation("", "some three words")), "some three words")
    assert (one.values["made_up"], one.values["invented"]) == (1, 0)


def test_the_status_is_one_of_three() -> None:
    for said in Status:
        shares = judged(answered(status=said)).values
        assert {one.value: shares[one.value] for one in Status} == {one.value: one is said for one in Status}
    assert not any(judged(None, raised="no").values[one.value] for one in Status)


def test_what_is_raised_is_worth_nothing_and_counted() -> None:
    one = judged(None, raised="ValueError: no")
    assert one.values["raised"] == 1
    assert one.values["gold_cited"] == one.values["quoted"] == 0


@pytest.mark.parametrize(
    ("quote", "shown", "found"),
    [
        ("1. If x,\n  a. Stop.", "1. If x,\n    a.  Stop.", True),
        ("1. If x,\n  a. Stop.", "   | 1. If x,\n   |   a. Stop.", True),
        ("| a | b |", "   | | a | b |", True),
        ("If X is", "If x is", False),
        ("one two", "one three two", False),
    ],
)
def test_only_white_space_and_the_bars_of_a_search_are_looked_over(
    quote: str, shown: str, found: bool
) -> None:
    assert (missing([quote], [shown]) == []) is found


def refused(name: str, *, gold: tuple[str, ...], said: bool) -> Judged:
    return Judged(Question(name, "?", gold=gold), {}, {"refused": float(said)})


def test_refusals_are_judged_by_whether_there_was_an_answer() -> None:
    given = [
        refused("1", gold=(), said=True),
        refused("2", gold=(), said=False),
        refused("3", gold=("a",), said=True),
        refused("4", gold=("a",), said=False),
        refused("5", gold=("a",), said=False),
        refused("6", gold=("a",), said=False),
    ]
    assert refusals(given) == {
        "refusal_recall": 0.5,
        "refusal_precision": 0.5,
        "answerable_refused": 0.25,
    }
    assert refusals(given[2:3]) == {"answerable_refused": 1.0}


def runs() -> list[Run]:
    good = judged(answered(citation("a", "If x is NaN, stop.")), "If x is NaN, stop.")
    bad = judged(answered(citation("d", "nothing of it")), "nothing of it")
    other = replace(QUESTION, id="q2", hops="1")
    one_hop = judged(answered(citation("b", "If x is NaN")), "If x is NaN", question=other)
    return [Run("search", "set", (bad, one_hop)), Run("agent", "set", (good, one_hop))]


def test_hops_and_kinds_are_told_apart() -> None:
    assert {name: len(held) for name, held in groups(runs()[0]).items()} == {
        "all": 2,
        "one hop": 1,
        "several hops": 1,
    }


def test_the_agent_is_compared_with_the_other_arms_question_by_question() -> None:
    ((ours, other),) = compared(runs())
    assert (ours.arm, other.arm) == ("agent", "search")
    found = {(gap.group, gap.measure): gap.difference for gap in gaps(ours, other)}
    assert found["all", "gold_cited"] == 0.5
    assert found["several hops", "gold_cited"] == 1.0
    assert found["one hop", "quoted"] == 0.0


def test_a_summary_holds_figures_and_no_text_of_an_answer() -> None:
    made = summary({"command": "c"}, runs())
    assert [row["arm"] for row in made["rows"] if row["group"] == "all"] == ["search", "agent"]
    assert "NaN" not in str(made)
    assert figures(runs()[1].judged)["gold_cited"] == 1
    assert "agent - search, gold_cited +0.500" in table(runs())


def test_files_are_put_together_only_where_there_are_several() -> None:
    one = runs()
    assert together(one) == []
    both = together([*one, *(replace(run, dataset="other") for run in one)])
    assert [(run.arm, len(run.judged)) for run in both] == [("search", 4), ("agent", 4)]
