"""Exact before approximate, on a handful of names."""

import pytest

from storage.model import NameKind
from storage.names import fold
from tests.test_tools.fake import FakeNames, name, small
from tools.lookup import look_up, nearest

NAMES = FakeNames(
    [
        name("sec-tonumber", NameKind.ID, "sec-tonumber"),
        name("sec-tonumeric", NameKind.ID, "sec-tonumeric"),
        name("7.1.4", NameKind.NUMBER, "sec-tonumber"),
        name("B.3.1", NameKind.NUMBER, "sec-proto"),
        name("B", NameKind.NUMBER, "sec-annex-b"),
        name("2.5", NameKind.NUMBER, "sec-two-five"),
        name("ToNumber", NameKind.OPERATION, "sec-tonumber", start=40),
        name("ToNumber ( argument )", NameKind.TITLE, "sec-tonumber"),
        name("ToString", NameKind.OPERATION, "sec-tostring"),
        name("Set", NameKind.OPERATION, "sec-set"),
        name("Get", NameKind.OPERATION, "sec-get"),
        name("Type", NameKind.OPERATION, "sec-type"),
        name("BoundNames", NameKind.OPERATION, "sec-let-boundnames", detail="LetDeclaration"),
        name("BoundNames", NameKind.OPERATION, "sec-for-boundnames", detail="ForDeclaration"),
        name("[[Get]]", NameKind.SLOT, "sec-ordinary-get"),
        name("[[Get]]", NameKind.SLOT, "sec-proxy-get"),
        name("%Array.prototype%", NameKind.INTRINSIC, "sec-array-prototype"),
        name("%Symbol.iterator%", NameKind.SYMBOL, "sec-symbols"),
        name("Array.prototype.sort", NameKind.METHOD, "sec-array.prototype.sort"),
        name("%TypedArray%.prototype.fill", NameKind.METHOD, "sec-ta-fill"),
        name("RegExp.prototype [ %Symbol.match% ]", NameKind.METHOD, "sec-match"),
        name("Number::toString", NameKind.OPERATION, "sec-number-tostring"),
        name("IfStatement", NameKind.NONTERMINAL, "sec-if"),
        name("Statement", NameKind.NONTERMINAL, "sec-statements"),
        name("prod-IfStatement", NameKind.ANCHOR, "sec-if", start=7),
        name("table-tonumber-conversions", NameKind.LEGACY_ID, "sec-tonumber"),
        name("sec-x-td-2", NameKind.ID, "sec-x-td-2"),
        name("sort", NameKind.ANCHOR, "sec-elsewhere"),
        name("Sort", NameKind.METHOD, "sec-sort-constructor"),
        name("get Array [ %Symbol.species% ]", NameKind.METHOD, "sec-species"),
    ]
)


def sections(query: str) -> list[str]:
    return [match.name.sectionid for match in look_up(query, NAMES).matches]


@pytest.mark.parametrize(
    ("query", "sectionid"),
    [
        ("sec-tonumber", "sec-tonumber"),
        ("SEC-ToNumber", "sec-tonumber"),
        ("#sec-tonumber", "sec-tonumber"),
        ("https://example.org/spec/page.html#sec-tonumber", "sec-tonumber"),
        ("7.1.4", "sec-tonumber"),
        ("§7.1.4", "sec-tonumber"),
        ("§ 7.1.4.", "sec-tonumber"),
        ("section 7.1.4", "sec-tonumber"),
        ("B.3.1", "sec-proto"),
        ("Annex B", "sec-annex-b"),
        ("ToNumber", "sec-tonumber"),
        ("`tonumber`", "sec-tonumber"),
        ("To Number", "sec-tonumber"),
        ("ToNumber()", "sec-tonumber"),
        ("ToNumber ( argument )", "sec-tonumber"),
        ("ToNumber(x)?", "sec-tonumber"),
        ("Array.prototype.sort", "sec-array.prototype.sort"),
        ("array.prototype.SORT ( comparator )", "sec-array.prototype.sort"),
        ("Array#sort", "sec-array.prototype.sort"),
        ("Array.p.sort", "sec-array.prototype.sort"),
        ("Array.sort", "sec-array.prototype.sort"),
        ("arr.prototype.sort()", "sec-array.prototype.sort"),
        ("[].sort", "sec-array.prototype.sort"),
        ("Sort", "sec-sort-constructor"),
        ("BoundNames of ForDeclaration", "sec-for-boundnames"),
        ("ForDeclaration BoundNames", "sec-for-boundnames"),
        ("TypedArray.prototype.fill", "sec-ta-fill"),
        ("RegExp.prototype[Symbol.match]", "sec-match"),
        ("RegExp.prototype[@@match]", "sec-match"),
        ("%Array.prototype%", "sec-array-prototype"),
        ("@@iterator", "sec-symbols"),
        ("|IfStatement|", "sec-if"),
        ("IfStatement[Yield, Await, Return]", "sec-if"),
        ("prod-IfStatement", "sec-if"),
        ("table-tonumber-conversions", "sec-tonumber"),
        ("Get", "sec-get"),
        ("set", "sec-set"),
        ("Statement", "sec-statements"),
    ],
)
def test_a_query_that_is_a_name_is_found_however_it_is_spelled(query: str, sectionid: str) -> None:
    found = look_up(query, NAMES)
    assert [match.name.sectionid for match in found.matches] == [sectionid]
    assert found.whole
    assert not found.matches[0].mended


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does ToNumber do with a BigInt?", ["sec-tonumber"]),
        ("Is sec-tonumber right here?", ["sec-tonumber"]),
        ("See 7.1.4, please", ["sec-tonumber"]),
        ("What stands in Annex B and elsewhere?", ["sec-annex-b"]),
        ("Why does Array.prototype.sort.call(x) throw?", ["sec-array.prototype.sort"]),
        (
            "Which [[Get]] is called by %Array.prototype%?",
            ["sec-ordinary-get", "sec-proxy-get", "sec-array-prototype"],
        ),
        ("How does IfStatement use @@iterator?", ["sec-if", "sec-symbols"]),
        ("What is Number::toString for?", ["sec-number-tostring"]),
        ("Does RegExp.prototype[Symbol.match] read flags?", ["sec-match"]),
    ],
)
def test_identifiers_inside_a_question_are_looked_up_in_order(question: str, expected: list[str]) -> None:
    assert sections(question) == expected
    assert not look_up(question, NAMES).whole


@pytest.mark.parametrize(
    "question",
    [
        "Can I Set or Get the Type of a Statement?",
        "What is new Set() for?",
        "What does x.toString() return?",
        "Why is Math.round(2.5) three?",
        "Is 2.5 * 2 exact?",
        "Which clause defines setTimeout?",
    ],
)
def test_common_words_calls_and_numerals_inside_a_question_are_not_names(question: str) -> None:
    assert sections(question) == []


def test_a_name_with_many_definitions_gives_them_all() -> None:
    found = look_up("BoundNames", NAMES)
    assert [match.name.detail for match in found.matches] == ["LetDeclaration", "ForDeclaration"]


def test_one_section_under_several_names_is_one_match_of_the_best_kind() -> None:
    names = FakeNames([name("await", NameKind.OPERATION, "await"), name("await", NameKind.ID, "await")])
    assert [match.name.kind for match in look_up("await", names).matches] == [NameKind.ID]


@pytest.mark.parametrize(
    ("query", "sectionid"),
    [
        ("ToNumbr", "sec-tonumber"),
        ("Array.prototype.srot", "sec-array.prototype.sort"),
        ("IfStatemnt", "sec-if"),
        ("sec-tonumbre", "sec-tonumber"),
        ("arr.srot()", "sec-array.prototype.sort"),
        ("RegExp.prototype[Symbol.mtach]", "sec-match"),
        ("get Array [ %Symbol.spcies% ]", "sec-species"),
    ],
)
def test_a_small_slip_in_a_lone_name_is_mended_and_said(query: str, sectionid: str) -> None:
    found = look_up(query, NAMES)
    assert [match.name.sectionid for match in found.matches] == [sectionid]
    assert found.matches[0].mended
    assert found.matches[0].why.startswith("near ")


@pytest.mark.parametrize(
    "query",
    [
        "Gett",  # short: every edit makes another word
        "sec-x-td-3",  # a digit is never a slip
        "7.1.5",
        "sec-tonumbeic",  # as near to sec-tonumber as to sec-tonumeric
        "ToNumbr of a value",  # not one name
    ],
)
def test_what_could_mean_something_else_is_not_mended(query: str) -> None:
    assert sections(query) == []


def test_a_miss_offers_the_nearest_names_one_a_section_best_first() -> None:
    offered = look_up("sec-tonumbering", NAMES).nearest
    assert offered[0].sectionid == "sec-tonumber"
    assert len({found.sectionid for found in offered}) == len(offered)


@pytest.mark.parametrize(
    ("query", "offered"),
    [
        ("Gett", "sec-get"),  # one slip in a short name
        ("things.sort", "sec-array.prototype.sort"),  # the same property of something else
        ("7.1.9", "sec-tonumber"),  # beside it
        ("B.3.1.5", "sec-proto"),  # would hold it
    ],
)
def test_what_is_offered_first_has_a_reason(query: str, offered: str) -> None:
    assert offered in [name.sectionid for name in nearest(query, NAMES)][:2]


def test_a_slip_in_a_path_is_no_reason_to_read_only_its_beginning() -> None:
    names = FakeNames(
        [
            name("%Array.prototype%", NameKind.INTRINSIC, "sec-array-prototype"),
            name("Array.prototype", NameKind.METHOD, "sec-prototype"),
            name("Array.prototype.find", NameKind.METHOD, "sec-find"),
            name("Array.prototype.fill", NameKind.METHOD, "sec-fill"),
        ]
    )
    found = look_up("Array.prototype.fixl", names)
    assert not found.matches or found.matches[0].name.sectionid == "sec-fill"
    tied = look_up(
        "Array.prototype.fixd",
        FakeNames([*names.rows, name("Array.prototype.fixx", NameKind.METHOD, "sec-x")]),
    )
    assert not tied.matches
    assert {one.sectionid for one in tied.nearest[:2]} == {"sec-find", "sec-x"}


@pytest.mark.parametrize(
    "query", ["sec-%", "x' OR '1'='1", "_", "%", "[[", "]]", "()", ".", "#", "`", "\\", "~"]
)
def test_fragments_and_quotes_are_misses_and_raise_nothing(query: str) -> None:
    assert sections(query) == []


def test_nearest_does_not_depend_on_the_order_of_the_table() -> None:
    forward = nearest("sec-tonum", NAMES.rows)
    backward = nearest("sec-tonum", list(reversed(NAMES.rows)))
    assert [found.sectionid for found in forward] == [found.sectionid for found in backward]


def test_keys_are_compared_folded() -> None:
    assert all(found.key == fold(found.name) for found in small().names())


def test_a_method_that_there_is_not_is_no_prototype_that_it_would_be_one_of() -> None:
    table = FakeNames([
        name("Array.prototype", NameKind.METHOD, "sec-array.prototype"),
        name("Array.prototype.flat", NameKind.METHOD, "sec-array.prototype.flat"),
    ])  # fmt: skip
    asked = look_up("Array.prototype.frobnicate", table)
    assert (asked.matches, asked.whole) == ((), True)
    assert "sec-array.prototype.flat" in [one.sectionid for one in asked.nearest]
    assert look_up("What is in Array.prototype?", table).matches
