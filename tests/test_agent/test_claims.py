"""A claim that stands on no verified quotation is marked wherever it is shown."""

import pytest

from agent.answer import Answer, Claim, Status, Verdict
from agent.answer_read import read_answer
from agent.render import terminal
from agent.render_html import fragment
from agent.render_markdown import markdown
from agent.report.page import answers_page
from tests.test_agent.test_answer import answer, citation

V, F, N = Verdict.VERIFIED, Verdict.NOT_FOUND, Verdict.NOT_SHOWN


def claimed(*places: int) -> Answer:
    """One claim that cites these of four citations."""
    return answer(
        claims=(Claim("Grass is blue.", places),),
        citations=tuple(map(citation, (V, F, N, V))),
        status=Status.PARTIAL,
    )


CASES: list[tuple[tuple[int, ...], str]] = [
    ((), "✗ no quotation"),
    ((1,), "✗ unverified"),
    ((2,), "✗ unverified"),
    ((1, 2), "✗ unverified"),
    ((0, 1), "✗ partly verified"),
    ((9,), "✗ unverified"),
    ((-1,), "✗ unverified"),
    ((0,), ""),
    ((0, 3), ""),
]


@pytest.mark.parametrize(("places", "mark"), CASES)
def test_a_claim_is_verified_when_it_cites_and_nothing_that_it_cites_failed(
    places: tuple[int, ...], mark: str
) -> None:
    assert claimed(*places).claims[0].verified is (mark == "")


@pytest.mark.parametrize(("places", "mark"), CASES)
def test_each_rendering_marks_the_claim_that_is_not(places: tuple[int, ...], mark: str) -> None:
    made = claimed(*places)
    page = "".join(answers_page([made], title="t", reader=None, budget=0))
    shown = {
        terminal(made): "✗ ",
        markdown(made): "✗ ",
        fragment(made): "✗ ",
        page: "✗ ",
        terminal(made, marks=False): "",
    }
    for text, sign in shown.items():
        line = next(line for line in text.splitlines() if "Grass is blue." in line)
        said = sign + mark.removeprefix("✗ ")
        assert (f"({said})" in line) if mark else not any(word in line for word in ("verified", "✗"))


def test_what_a_claim_says_of_itself_counts_for_nothing() -> None:
    data = claimed(1).to_dict()
    data["claims"][0]["verified"] = True
    assert read_answer(data, where="here").claims[0].verified is False
    assert answer(claims=(Claim("c", (), verified=True),)).claims[0].verified is False


def test_an_answer_that_was_saved_before_claims_said_so_is_taken_up_and_says_so() -> None:
    data = claimed(0).to_dict()
    del data["claims"][0]["verified"]
    assert read_answer(data, where="here").claims == claimed(0).claims
