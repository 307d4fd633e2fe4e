"""Answers that came as prose: which citations are read out of them."""

import pytest

from agent.draft import AnswerDraft
from agent.plaintext import read_prose as read

IDS = ("sec-plant", "await", "typedarray-species-create", "String.prototype.trimleft")
SECTIONS = {
    **{sectionid: sectionid for sectionid in IDS},
    **{"1.1": "sec-plant", "7.1.4": "sec-tonumber", "B.1": "sec-old"},
    **{"ToNumber": "sec-tonumber", "Type": "sec-types", "Set": "sec-set"},
}


def read_prose(text: str) -> AnswerDraft:
    return read(text, section_of=lambda name: SECTIONS.get(name, ""))


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


FULL = "If bed is full, throw a RangeError exception."


@pytest.mark.parametrize(
    ("text", "sectionid"),
    [
        (f'Sources:\n1. sec-plant — "{FULL}"', "sec-plant"),
        (f"Sources:\n\n1. `sec-plant`: “{FULL}”", "sec-plant"),
        (f'**References**\n1) "{FULL}" (sec-plant)', "sec-plant"),
        (f'## Sources\n- [1] sec-plant, "{FULL}"', "sec-plant"),
        (f"[1] sec-plant\n> {FULL}", "sec-plant"),
        (f'Sources:\n【1】 sec-plant: "{FULL}"', "sec-plant"),
        (f'Sources:\n1. await — "{FULL}"', "await"),
        (f"Sources:\n1. `await`: {FULL!r}", "await"),
        (f'Sources:\n1. 1.1 PlantSeed ( seed, bed ): "{FULL}"', "1.1"),
        (f'Sources:\n1. § 1.1, "{FULL}"', "1.1"),
        (f'Sources:\n1. typedarray-species-create, step 2: "{FULL}"', "typedarray-species-create"),
    ],
)
def test_a_list_of_sources_supports_the_claims_that_bear_its_marks(text: str, sectionid: str) -> None:
    for mark in ("[1]", "【1】", "【1†source】", "[1, 2]"):
        draft = read_prose(f"Nothing is cited here.\n\nA full bed throws {mark}.\n\nIt grows.\n\n{text}")
        assert [claim.text for claim in draft.claims] == [
            "Nothing is cited here.",
            f"A full bed throws {mark}.",
            "It grows.",
        ]
        found = [[(one.sectionid, one.quote) for one in claim.citations] for claim in draft.claims]
        assert found == [[], [(sectionid, FULL)], []]


@pytest.mark.parametrize(
    "text",
    [
        f"A full bed throws.\n\nSources:\n1. sec-plant — “{FULL}”",
        f"A full bed throws.\nSources:\nsec-plant: “{FULL}”",
        f"A full bed throws.\n\nSource: “{FULL}” (sec-plant)",
        f"A full bed throws.\n\nEvidence:\n- “{FULL}” (sec-plant)",
    ],
)
def test_a_source_that_no_mark_leads_to_supports_what_stands_above(text: str) -> None:
    assert [claim.text for claim in read_prose(text).claims] == ["A full bed throws."]
    assert cited(text) == [[("sec-plant", FULL)]]


def test_each_claim_may_be_followed_by_its_source() -> None:
    text = f'One.\n\nSource: sec-plant, "{FULL}"\n\nTwo.\n\nSource: sec-other, "always and so"'
    assert cited(text) == [[("sec-plant", FULL)], [("sec-other", "always and so")]]


def test_what_is_said_after_the_sources_is_no_source() -> None:
    text = (
        f'It throws [1].\n\nSources:\n1. sec-plant: "{FULL}"\n\nThus the seed "never reaches it" (sec-bed).'
    )
    assert cited(text) == [[("sec-plant", FULL)], [("sec-bed", "never reaches it")]]


def test_an_answer_that_is_a_list_of_sources_is_kept() -> None:
    assert cited(f'Sources:\n1. sec-plant: "{FULL}"') == [[("sec-plant", FULL)]]


@pytest.mark.parametrize(
    "quoted",
    [f'"{FULL}"', f"“{FULL}”", f"'{FULL}'", f"‘{FULL}’", f"«{FULL}»", f"« {FULL} »", f"`{FULL}`"],
)
@pytest.mark.parametrize(
    ("name", "sectionid"),
    [
        ("(sec-plant)", "sec-plant"),
        ("[`sec-plant`]", "sec-plant"),
        ("(§ 1.1)", "1.1"),
        ("(§1.1)", "1.1"),
        ("(section 1.1, step 2)", "1.1"),
        ("(7.1.4)", "7.1.4"),
        ("— Section 7.1.4.", "7.1.4"),
        ("(Annex B.1)", "B.1"),
        ("(await)", "await"),
        ("(see `await`)", "await"),
        ("(ToNumber, step 2)", "ToNumber"),
        ("— await", "await"),
        ("[typedarray-species-create]", "typedarray-species-create"),
        ("(String.prototype.trimleft, step 1)", "String.prototype.trimleft"),
        ("in `String.prototype.trimleft`", "String.prototype.trimleft"),
    ],
)
def test_a_quotation_in_any_marks_has_the_source_behind_it(quoted: str, name: str, sectionid: str) -> None:
    assert cited(f"A full bed throws: {quoted} {name}") == [[(sectionid, FULL)]]


@pytest.mark.parametrize(
    ("lead", "sectionid"),
    [
        ("In sec-plant:", "sec-plant"),
        ("Section 1.1 says", "1.1"),
        ("According to § 1.1,", "1.1"),
        ("7.1.4:", "7.1.4"),
        ("await:", "await"),
        ("- `await` —", "await"),
        ("As typedarray-species-create says:", "typedarray-species-create"),
        ("`String.prototype.trimleft`, step 1:", "String.prototype.trimleft"),
    ],
)
def test_a_quotation_has_the_source_before_it(lead: str, sectionid: str) -> None:
    assert cited(f'{lead} "{FULL}"') == [[(sectionid, FULL)]]


def test_each_quotation_has_the_source_right_before_it() -> None:
    assert cited('sec-plant: "throws at once", and sec-bed: "never throws"') == [
        [("sec-plant", "throws at once"), ("sec-bed", "never throws")]
    ]


def test_a_quoted_line_may_name_any_section_at_its_end() -> None:
    assert cited(f"It throws.\n\n> {FULL} (await)") == [[("await", FULL)]]
    assert cited(f'It throws.\n\n> "{FULL}" (sec-plant)') == [[("sec-plant", FULL)]]


@pytest.mark.parametrize(
    "text",
    [
        'The keyword `await` is "a reserved word" only in modules.',
        'With await the text is "not an identifier", as they say.',
        'He called it "an odd choice of words" and await is rare.',
        "An async function's `await` isn't the callers' problem, it's the beds' own.",
        'There are 7.1.4 reasons: "as many as there are".',
        "Write `for (const x of await y) { f(x) }` (await).",
        "Call `await` and `String.prototype.trimleft` in turn.",
        "The well-known symbols are 'never read here again', I think.",
        'It returns "undefined" (await).',
        'Type: "the kind of value that is given".',
        'It is "the kind of value that is given" (Set).',
    ],
)
def test_prose_that_speaks_of_a_name_cites_nothing(text: str) -> None:
    assert cited(text) == [[]]


@pytest.mark.parametrize(
    "text",
    [
        'As said in "sec-plant" and elsewhere.',
        "See `sec-plant` and `let x = plant(seed, bed)` for more.",
        "See sec-plant; it is the beds' rule that isn't in the users' hands.",
        "Sources are scarce; sec-plant is one.",
    ],
)
def test_a_section_without_a_quotation_cites_nothing(text: str) -> None:
    assert cited(text) == [[]]


def test_a_heading_of_sources_is_no_claim() -> None:
    assert [
        claim.text for claim in read_prose("It throws [1].\n\nSources:\n\n1. I remember that.").claims
    ] == [
        "It throws [1].",
        "I remember that.",
    ]


@pytest.mark.parametrize("opened", ["“a ", "«a ", "【1", "‘a’b", "'a b ", "`a b ", '"a ', "[1, 2, "])
def test_marks_that_are_never_closed_cite_nothing(opened: str) -> None:
    assert cited(opened * 3_000) == [[]]
