"""What one answer is worth, against what is known of its question. Pure; every value but the counts is in
[0, 1].

A value stands only where it means something: what is cited, of answerable questions; the share of right
citations, of answers. A refused answer cites and quotes nothing.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from agent.answer import Status
from agent.quotes import fold
from evaluation.answer_arms import Observed
from evaluation.answer_check import missing
from evaluation.questions import Question

MEASURES = (
    "gold_cited",
    "all_gold_cited",
    "gold_read",
    "ok_read",
    "all_gold_read",
    "quoted",
    "all_quoted",
    "citations_right",
    "citations_gold",
    "grounded",
    "partial",
    "refused",
)
"""Means over the questions that have them, in the order in which they are shown; the last three are the
shares of each status."""
COUNTS = ("unsupported", "invented", "raised", "made_up", "unverified")
"""Sums over all questions. The first three have to be 0: a verified quotation that was not shown, a cited id
that does not exist, an exception. `made_up` are ids of the model's that lead nowhere, said but not cited."""
REFUSALS = ("refusal_recall", "refusal_precision", "answerable_refused")
"""What `refusals` gives."""
COSTS = ("calls", "characters", "seconds", "citations")
"""Means of what an answer took."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, its answer as JSON (None where something was raised), and what it is worth."""

    question: Question
    answer: dict[str, Any] | None
    values: dict[str, float]
    missing: tuple[str, ...] = ()
    """Quotations marked verified that the second check cannot find."""
    raised: str = ""


def judge(question: Question, observed: Observed, *, clause_of: Callable[[str], str | None]) -> Judged:
    """The values of one answer; `clause_of` gives the section of any id, None where there is none."""
    if observed.answer is None:
        values = {"raised": 1.0, **_status(""), **dict.fromkeys(_wanted(question), 0.0)}
        return Judged(question, None, values, raised=observed.raised)
    answer = observed.answer.to_dict()
    citations = answer["citations"]
    verified = [one for one in citations if one["verdict"] == "verified"]
    unfound = missing([one["quote"] for one in verified], observed.shown)
    values = {
        "raised": 0.0,
        "unsupported": float(len(unfound)),
        "invented": float(
            sum(bool(one["sectionid"]) and clause_of(one["sectionid"]) is None for one in citations)
        ),
        "made_up": float(sum(not one["sectionid"] for one in citations)),
        "unverified": float(len(citations) - len(verified)),
        "citations": float(len(citations)),
        **{name: float(answer[name]) for name in ("calls", "characters", "seconds")},
        **_status(answer["status"]),
        **worth(question, verified, read={clause_of(one) for one in answer["read"]}),
    }
    return Judged(question, answer, values, missing=tuple(unfound))


def _status(status: str) -> dict[str, float]:
    return {one.value: float(status == one.value) for one in Status}


def _wanted(question: Question) -> tuple[str, ...]:
    """What an answer to this question is measured by, besides its citations."""
    if not question.gold:
        return ()
    quoted = ("quoted", "all_quoted") if question.must_quote else ()
    return ("gold_cited", "all_gold_cited", "gold_read", "ok_read", "all_gold_read", *quoted)


def worth(
    question: Question, verified: Sequence[Mapping[str, Any]], *, read: Set[str | None]
) -> dict[str, float]:
    """What verified citations (section id and quotation) and the sections read are worth."""
    if not question.gold:
        return {}
    gold, accepted = set(question.gold), {*question.gold, *question.also_ok}
    cited = [one["sectionid"] for one in verified]
    values = {
        "gold_cited": float(not gold.isdisjoint(cited)),
        "all_gold_cited": float(gold <= set(cited)),
        "gold_read": float(not gold.isdisjoint(read)),
        "ok_read": float(not accepted.isdisjoint(read)),
        "all_gold_read": float(gold <= read),
    }
    if cited:
        values["citations_right"] = sum(one in accepted for one in cited) / len(cited)
        values["citations_gold"] = sum(one in gold for one in cited) / len(cited)
    if question.must_quote:
        values["quoted"] = covered(question.must_quote, [one["quote"] for one in verified])
        values["all_quoted"] = float(values["quoted"] == 1)
    return values


def covered(wanted: Sequence[str], quotes: Sequence[str]) -> float:
    """The share of the decisive quotations that stand inside one of the quotations; white space, typographic
    variants and backticks do not matter.

    >>> covered(["x is  NaN", "return"], ["If x is NaN, stop."])
    0.5
    """
    folded = [fold(quote).text for quote in quotes]
    return sum(any(fold(one).text.strip() in quote for quote in folded) for one in wanted) / len(wanted)


def refusals(judged: Sequence[Judged]) -> dict[str, float]:
    """Precision and recall of refusing, and how many answerable questions are refused.

    A value is left out where it has no meaning: no question without an answer, or nothing refused.
    """
    refused = [one for one in judged if one.values["refused"]]
    unanswerable = [one for one in judged if not one.question.gold]
    right = sum(not one.question.gold for one in refused)
    answerable = len(judged) - len(unanswerable)
    out: dict[str, float] = {}
    if unanswerable:
        out["refusal_recall"] = right / len(unanswerable)
    if unanswerable and refused:
        out["refusal_precision"] = right / len(refused)
    if answerable:
        out["answerable_refused"] = (len(refused) - right) / answerable
    return out
