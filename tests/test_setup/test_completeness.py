"""The independent proof: every visible word of the HTML is in the text, in order; nothing is run together."""

import pytest
from bs4 import BeautifulSoup

from setup.alignment import align
from setup.completeness import UNEXPLAINED, Completeness, compare
from setup.pages import parse, render
from setup.words import visible_words
from storage.model import Level
from tests.spec import edition, needs_spec, reading, words


def seen(html: str) -> list[str]:
    return [word.text for word in visible_words(html)]


def rendered(body: str) -> Completeness:
    """The proof over a page as our own renderer writes it."""
    html = f'<div id="spec-container">{body}</div>'
    return compare([(html, render(parse(html, source="page.html"), source="page.html").text)])


# -- what a reader sees -----------------------------------------------------------------------------------


def test_words_are_cut_as_a_reader_sees_them() -> None:
    assert seen("<p>If<var>x</var> is 2<sup>53</sup>,&nbsp;th<b>en</b></p>stop") == [
        "Ifx", "is", "2", "53", ",", "then", "stop",
    ]  # fmt: skip


def test_only_the_specification_counts_and_only_what_shows() -> None:
    chrome = '<div id="menu"><ol><li>menu</li></ol></div><script>code()</script>'
    assert seen(f"<title>t</title>{chrome}<emu-clause><h1>1 A</h1></emu-clause>") == ["1", "A"]
    assert seen(f'{chrome}out<div id="spec-container"><p>in</p><style>x</style></div>out') == ["in"]


def test_each_word_knows_where_it_stands_and_whether_white_space_is_before_it() -> None:
    first, second, third = visible_words("<emu-alg><ol><li>Let <var>x</var>.</li></ol></emu-alg>")
    assert (first.path, first.spaced) == ("emu-alg > ol > li", None)
    assert (second.path, second.spaced) == ("ol > li > var", True)
    assert (third.path, third.spaced) == ("emu-alg > ol > li", False)


# -- what the proof finds ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "text", "missing"),
    [
        ("<p>a b c</p>", "a b c", {}),
        ("<p>a b c</p>", "a c", {"p": 1}),
        ("<ul><li>a <code>b</code></li></ul>", "- a", {"ul > li > code": 1}),
        ("<p>a b c d e f</p>", "a b d c e f", {"p": 1}),
    ],
)
def test_a_word_that_is_missing_is_told_by_its_elements(
    html: str, text: str, missing: dict[str, int]
) -> None:
    found = compare([(html, text)])
    assert found.missing == missing
    assert found.in_order == found.words - sum(missing.values())
    assert found.passed is (found.lost == 0 and not found.respaced)


def test_a_word_out_of_order_is_moved_and_not_lost() -> None:
    found = compare([("<p>one two three four</p>", "two three four one")])
    assert (found.moved, found.lost, found.share) == (1, 0, 0.75)
    assert found.passed


@pytest.mark.parametrize("text", ["a bc", "ab c"])
def test_words_run_together_or_torn_apart_are_missing(text: str) -> None:
    assert not compare([("<p>a b c</p>", text)]).passed


@pytest.mark.parametrize(
    ("html", "text"), [("<p>a.b</p>", "a. b"), ("<p>(a)</p>", "( a)"), ("<p>a (b)</p>", "a(b)")]
)
def test_a_changed_space_beside_a_mark_is_found(html: str, text: str) -> None:
    found = compare([(html, text)])
    assert found.in_order == found.words
    assert found.respaced == {"p": 1}
    assert not found.passed


def test_an_invented_word_is_found() -> None:
    found = compare([("<p>a b</p>", "a untitled b")])
    assert found.generated == {UNEXPLAINED: 1}
    assert found.examples[0].word == "untitled"
    assert not found.passed


@pytest.mark.parametrize(
    ("body", "reason", "count"),
    [
        ("<emu-alg><ol><li>a<ol><li>b</li></ol></li></ol></emu-alg>", "label of a step or an item", 4),
        ("<ul><li>a</li></ul>", "label of a step or an item", 1),
        ("<p>a <code>b</code></p>", "mark of code", 2),
        ("<pre>b</pre>", "mark of code", 6),
        ("<p>2<sup>53</sup></p>", "mark of a superscript, a subscript or `opt`", 1),
        ("<p>2<sup>a + b</sup></p>", "bracket around a script", 2),
        ("<p>a</p><img alt='b [[C]] d'>", "alternative text of an image", 11),
        ("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>", "bar between a table's cells", 4),
        ("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>", "rule under a table's header", 5),
        ("<table><tr><td colspan=2>b</td></tr></table>", "cell that spans rows or columns, repeated", 1),
        ("<table><tr><td>x | y</td></tr></table>", "escape of a bar", 1),
    ],
)
def test_whatever_the_text_has_besides_has_a_reason(body: str, reason: str, count: int) -> None:
    found = rendered(body)
    assert found.passed
    assert found.generated[reason] == count
    assert UNEXPLAINED not in found.generated


def test_stray_text_in_a_table_is_moved_as_a_browser_moves_it() -> None:
    found = rendered("<p>before</p><table><tr><td>a</td>STRAY<td>b</td></tr></table><p>after</p>")
    assert (found.moved, found.lost) == (1, 0)


# -- the alignment -----------------------------------------------------------------------------------------


def test_an_alignment_is_the_longest_there_is() -> None:
    assert align(list("abcd"), list("xaxbxcxd")) == [(0, 1), (1, 3), (2, 5), (3, 7)]
    assert align(list("abcd"), list("badc")) in (
        [(0, 1), (2, 3)],
        [(1, 0), (3, 2)],
        [(0, 1), (3, 2)],
        [(1, 0), (2, 3)],
    )
    assert align([], ["a"]) == align(["a"], []) == []


def test_an_alignment_goes_on_over_a_stretch_longer_than_its_window() -> None:
    first = [f"w{number}" for number in range(3_000)]
    inserted = [f"x{number}" for number in range(2_500)]
    pairs = align(first, [*first[:1_000], *inserted, *first[1_000:]])
    assert len(pairs) == len(first)
    pairs = align([*first[:1_000], *inserted, *first[1_000:]], first)
    assert len(pairs) == len(first)


def test_of_equal_alignments_the_one_stands_whose_words_stand_together() -> None:
    assert align(["1", "is"], ["1", ".", "1", "is"]) == [(0, 2), (1, 3)]


# -- the specifications ------------------------------------------------------------------------------------


@pytest.mark.spec
@needs_spec
@pytest.mark.parametrize(
    ("name", "count"),
    [("es2026", 402_870), ("ecma402", 81_833), ("es2025", 385_212), ("es2025-multipage-sample", 64_719)],
)
def test_every_word_of_the_real_specifications_is_in_the_text_in_order(name: str, count: int) -> None:
    found = words(name)
    assert found.words == found.in_order == count
    assert found.examples == ()
    assert found.passed


@pytest.mark.spec
@needs_spec
@pytest.mark.parametrize("name", ["es2026", "ecma402"])
def test_every_section_has_the_words_of_its_element_and_no_others(name: str) -> None:
    built = edition(name).assembled.built
    texts = {page.source: page.text for page in built.pages}
    spans = {
        unit.unitid: (unit.source, unit.start, unit.end)
        for unit in built.units
        if unit.level is Level.SECTION
    }
    looked_at = 0
    for file in reading(name).source.files:
        for section in BeautifulSoup(file.html, "html5lib").find_all(
            ["emu-clause", "emu-annex", "emu-intro"]
        ):
            if section.find(["emu-clause", "emu-annex"]):
                continue  # its words are its children's, which are looked at by themselves
            page, start, end = spans[str(section["id"])]
            found = compare([(str(section), texts[page][start:end])])
            assert found.in_order == found.words, section["id"]
            assert found.examples == (), section["id"]
            looked_at += 1
    assert looked_at >= 300


def test_every_word_of_the_sample_is_in_the_text_in_order() -> None:
    found = words("sample")
    assert found.words == found.in_order > 10_000
    assert found.examples == ()
    assert found.passed
