"""The tree of a page: what BeautifulSoup and html5lib make of it, without what no reader sees."""

import gc

import pytest
from bs4.element import Comment, NavigableString
from hypothesis import given
from hypothesis import strategies as st

from setup.tree import Tag, document, growing
from tests.test_setup.test_properties import documents

SOUP = st.lists(    st.sampled_from(
        (
            "text ", "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<a href=x>", "</a>", "<table>", "</table>",
            "<tr>", "</tr>", "<td>", "</td>", "<th colspan=2>", "<caption>", "<tbody>", "<ul>", "<li>",
            "</ul>", "<emu-clause id=x>", "</emu-clause>", "<emu-alg><ol>", "</ol></emu-alg>",
            "<div class='a  b'>",
            "</div>", "<br>", "<img alt=y>", "<!-- comment -->", "<pre>\n", "</pre>", "&amp; &nbsp;",
            "<svg><title>", "</svg>", "<h1>", "</h1>", "<script>var x = '<p>';</script>",
            "<select><option>", "</select>",
            "<form>", "</form>", "<dd>", "<dt>", "<emu-x />", "<nobr>", "<button>", "</button>", "é\x00",
        )
    ),
    max_size=30,
)  # fmt: skip


def shape(tag: Tag) -> list[object]:
    """What stands in an element, elements with their names and attributes."""
    return [
        str(child) if isinstance(child, NavigableString) else (child.name, dict(child.attrs), shape(child))
        for child in tag.contents
    ]


@documents(300)
@given(SOUP)
def test_a_comment_in_any_tag_soup_changes_nothing_of_the_tree(tokens: list[str]) -> None:
    places = [place for place, token in enumerate(tokens) if token == "<!-- comment -->"]
    without = [token for place, token in enumerate(tokens) if place not in places]
    assert shape(document("".join(tokens))) == shape(document("".join(without)))


@documents(300)
@given(SOUP)
def test_every_element_of_any_tag_soup_knows_where_it_stands(tokens: list[str]) -> None:
    page = document("".join(tokens))
    walked = list(page.walk())
    assert [id(tag) for tag in walked] == [id(tag) for tag in page.descendants if isinstance(tag, Tag)]
    for tag in walked:
        assert tag.parent is not None
        assert sum(child is tag for child in tag.parent.contents) == 1
        assert not any(isinstance(child, Comment) for child in tag.contents)


def test_stray_text_stands_where_a_browser_puts_it() -> None:
    (body,) = document("<table>stray<tr><td>cell</table>").named("body")
    assert [child if isinstance(child, NavigableString) else child.name for child in body.contents] == [
        "stray",
        "table",
    ]


def test_attributes_are_as_written_and_never_lists() -> None:
    (paragraph,) = document("<p class='a  b' headers='x y' rel='z'>").named("p")
    assert paragraph.attrs == {"class": "a  b", "headers": "x y", "rel": "z"}


def test_text_and_ids_are_found_in_document_order() -> None:
    page = document('<p id="a">one <b id="b">two</b></p><script id="s">no</script><p id="c">three</p>')
    assert page.words() == "one twothree"
    assert [tag.attrs["id"] for tag in page.with_ids()] == ["a", "b", "s", "c"]
    assert [tag.name for tag in page.named("p", "b")] == ["p", "b", "p"]
    second = page.by_id("b")
    assert second is not None
    assert second.parent is page.by_id("a")
    assert page.by_id("nowhere") is None


def test_an_element_knows_its_classes_and_what_follows_it() -> None:
    page = document("<p class='a  b'><i>x</i>then<b></b></p>")
    (paragraph,), (italic,), (bold,) = page.named("p"), page.named("i"), page.named("b")
    assert paragraph.classes == ["a", "b"]
    assert str(italic.next_sibling) == "then"
    assert bold.next_sibling is None


@pytest.mark.parametrize("html", [b"\xef\xbb\xbf<p>\xc3\xa9</p>", "<p>é</p>".encode(), "<p>é</p>"])
def test_bytes_are_read_as_utf_8_whatever_they_begin_with(html: bytes | str) -> None:
    assert document(html).words() == "é"


def test_bytes_that_are_no_utf_8_are_still_read() -> None:
    assert document(b"<p>a\xff</p>").words() == "a\N{REPLACEMENT CHARACTER}"


def test_garbage_is_collected_again_after_a_tree_has_grown() -> None:
    with growing():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), growing():
        _ = 1 / 0
    assert gc.isenabled()
