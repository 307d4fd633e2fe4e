"""Answers that came as prose: which citations are read out of them."""

from agent.plaintext import read_prose


def cited(text: str) -> list[list[tuple[str, str]]]:
    return [
        [(citation.sectionid, citation.quote) for citation in claim.citations]
        for claim in read_prose(text).claims
    ]


def test_a_quotation_belongs_to_the_section_named_after_it() -> None:
    text = 'It does "throw a TypeError exception" (`sec-tonumber`), unlike "return NaN at once" [sec-other].'
    assert cited(text) == [
        [("sec-tonumber", "throw a TypeError exception"), ("sec-other", "return NaN at once")]
    ]


def test_a_quotation_after_the_last_section_belongs_to_it() -> None:
    assert cited("In sec-%arrayiteratorprototype%.next: “Let index be the next one.”") == [
        [("sec-%arrayiteratorprototype%.next", "Let index be the next one.")]
    ]


def test_a_quoted_line_supports_the_claim_above_it() -> None:
    text = "It throws.\n\n> throw a TypeError exception (sec-tonumber)\n\nThat is all."
    assert cited(text) == [[("sec-tonumber", "throw a TypeError exception")], []]


def test_each_list_item_is_a_claim() -> None:
    draft = read_prose("- First thing.\n- Second thing\n  goes on.")
    assert [claim.text for claim in draft.claims] == ["First thing.", "Second thing\n  goes on."]


def test_without_a_section_nothing_is_cited() -> None:
    assert cited('It says "throw a TypeError exception" somewhere.') == [[]]


def test_a_mark_stands_for_the_quotation_and_the_section_under_it() -> None:
    text = """It throws [1], and always so [2].

Nothing else happens.

Sources:
[1] `sec-tonumber`: "throw a TypeError exception"
[^2]: sec-other, "always and everywhere so"
"""
    draft = read_prose(text)
    assert [claim.text for claim in draft.claims][:2] == [
        "It throws [1], and always so [2].",
        "Nothing else happens.",
    ]
    assert cited(text)[0] == [
        ("sec-tonumber", "throw a TypeError exception"),
        ("sec-other", "always and everywhere so"),
    ]


def test_a_mark_without_a_source_cites_nothing() -> None:
    assert cited("It throws [1] and [2].\n\n[1] I remember that.") == [[], []]


def test_prose_that_finds_nothing_and_cites_nothing_is_a_refusal() -> None:
    for text in (
        "`setTimeout` is not defined by this specification.",
        "I couldn't find it anywhere.",
    ):
        draft = read_prose(text)
        assert (draft.claims, draft.refusal) == ([], text)
    quoted = read_prose('It is not defined, but see "the empty String is used" (sec-a).')
    assert quoted.refusal is None


def test_an_answer_written_as_json_is_read_as_one() -> None:
    draft = read_prose('Here:\n```json\n{"claims": [], "refusal": "Not defined here."}\n```')
    assert (draft.claims, draft.refusal) == ([], "Not defined here.")


def test_json_of_another_shape_is_prose() -> None:
    assert read_prose('{"answer": 42}').claims[0].text == '{"answer": 42}'
