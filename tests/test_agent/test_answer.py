"""The answer's shape and status."""

import pytest

from agent.answer import SCHEMA, Answer, Citation, Claim, Status, Verdict, judge


def citation(verdict: Verdict = Verdict.VERIFIED) -> Citation:
    return Citation("sec-a", "1.2", "Alpha ( x )", "es1", "2.a", "If x is NaN, return x.", verdict)


def answer(**given: object) -> Answer:
    fields: dict[str, object] = {
        "id": "1", "question": "q", "edition": "es1", "status": Status.GROUNDED, "text": "t",
        "claims": (Claim("c", (0,)),), "citations": (citation(),), "refusal": "", "notes": (),
        "read": ("sec-a",), "unfollowed": ("sec-b",), "searched": ("q",), "calls": 2, "characters": 30,
        "seconds": 0.12345, "model": "offline",
    }  # fmt: skip
    return Answer(**{**fields, **given})  # type: ignore[arg-type]


def test_json_has_the_keys_of_the_schema() -> None:
    data = answer().to_dict()
    assert data["schema"] == SCHEMA == "ask262/answer/1"
    assert set(data) >= {
        "schema", "id", "question", "edition", "status", "text", "claims", "citations", "read", "unfollowed",
        "searched", "calls", "characters", "seconds", "model",
    }  # fmt: skip
    assert data["claims"] == [{"text": "c", "citations": [0], "verified": True}]
    assert set(data["citations"][0]) >= {
        "sectionid", "secnum", "title", "edition", "step", "quote", "verdict",
    }  # fmt: skip
    assert (data["status"], data["citations"][0]["verdict"]) == ("grounded", "verified")


V, F = Verdict.VERIFIED, Verdict.NOT_FOUND


@pytest.mark.parametrize(
    ("claims", "verdicts", "refusal", "status"),
    [
        ([(0,)], [V], "", "grounded"),
        ([(0,), (1,)], [V, V], "", "grounded"),
        ([(0, 1)], [V, F], "", "partial"),
        ([(0,), ()], [V], "", "partial"),
        ([()], [], "", "partial"),
        ([(0,)], [F], "", "partial"),
        ([(0,)], [V], "the rest is not defined here", "partial"),
        ([(0,)], [F], "not defined here", "refused"),
        ([], [], "not defined here", "refused"),
        ([], [], "", "refused"),
    ],
)
def test_the_status_says_how_far_an_answer_was_checked(
    claims: list[tuple[int, ...]], verdicts: list[Verdict], refusal: str, status: str
) -> None:
    made = tuple(Claim("c", places) for places in claims)
    assert judge(made, tuple(map(citation, verdicts)), refusal=refusal) == status
