"""Our tree is BeautifulSoup's with html5lib: every element, attribute and string, in the same places."""

import gc
from random import Random
from typing import Any

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString
from bs4.element import Tag as Reference
from hypothesis import given
from hypothesis import strategies as st

from setup.tree import Tag, document, growing
from tests.spec import SHARED, needs_spec
from tests.test_setup.generated import Document
from tests.test_setup.test_properties import documents

Shape = tuple[str, dict[str, str], list["Shape | str"]]

SOUP = st.lists(
    st.sampled_from(
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


def ours(html: str) -> list[Shape | str]:
    return shape(document(html))


def shape(tag: Tag) -> list[Shape | str]:
    return [
        child if isinstance(child, str) else (child.name, attributes(child), shape(child))
        for child in tag.contents
    ]


def attributes(tag: Tag) -> dict[str, str]:
    """As the reference names them; html5lib gives those of drawings with their name space."""
    found: dict[Any, str] = dict(tag.attrs)
    return {
        name if isinstance(name, str) else ":".join(filter(None, name[:2])): found[name] for name in found
    }


def theirs(html: str) -> list[Shape | str]:
    return reference(BeautifulSoup(html, "html5lib", multi_valued_attributes=None))


def reference(tag: Reference) -> list[Shape | str]:
    """BeautifulSoup's tree without comments, the text around which is one string."""
    out: list[Shape | str] = []
    for child in tag.contents:
        if isinstance(child, Reference):
            out.append((child.name, {str(k): str(v) for k, v in child.attrs.items()}, reference(child)))
        elif type(child).__name__ not in ("Comment", "Doctype") and isinstance(child, NavigableString):
            if out and isinstance(out[-1], str):
                out[-1] += str(child)
            else:
                out.append(str(child))
    return out


@documents(300)
@given(SOUP)
def test_the_tree_of_any_tag_soup_is_the_reference_s(tokens: list[str]) -> None:
    html = "".join(tokens)
    assert merged(ours(html)) == merged(theirs(html))


def merged(content: list[Shape | str]) -> list[Shape | str]:
    """Text beside text is one string, as in what a reader sees."""
    out: list[Shape | str] = []
    for child in content:
        if isinstance(child, str):
            if out and isinstance(out[-1], str):
                out[-1] += child
            else:
                out.append(child)
        else:
            out.append((child[0], child[1], merged(child[2])))
    return out


@documents(100)
@given(st.randoms(use_true_random=True))
def test_the_tree_of_a_specification_is_the_reference_s(chance: Random) -> None:
    html = f'<!DOCTYPE html><title>T</title><div id="spec-container">{Document(chance).page()}</div>'
    assert ours(html) == theirs(html)


def test_text_and_ids_are_found_in_document_order() -> None:
    page = document('<p id="a">one <b id="b">two</b></p><script id="s">no</script><p id="c">three</p>')
    assert page.get_text() == "one twothree"
    assert [tag.attrs["id"] for tag in page.with_ids()] == ["a", "b", "s", "c"]
    assert [tag.name for tag in page.find_all("p", "b")] == ["p", "b", "p"]
    second = page.by_id("b")
    assert second is not None
    assert second.parent is page.by_id("a")
    assert page.by_id("nowhere") is None


def test_an_element_knows_its_classes_and_what_follows_it() -> None:
    page = document("<p class='a  b'><i>x</i>then<b></b></p>")
    (paragraph,), (italic,), (bold,) = page.find_all("p"), page.find_all("i"), page.find_all("b")
    assert paragraph.classes == ["a", "b"]
    assert italic.next_sibling() == "then"
    assert bold.next_sibling() is None
    assert page.next_sibling() is None


@pytest.mark.parametrize("html", [b"\xef\xbb\xbf<p>\xc3\xa9</p>", "<p>é</p>".encode(), "<p>é</p>"])
def test_bytes_are_read_as_utf_8_whatever_they_begin_with(html: bytes | str) -> None:
    assert document(html).get_text() == "é"


def test_bytes_that_are_no_utf_8_are_still_read() -> None:
    assert document(b"<p>a\xff</p>").get_text() == "a\N{REPLACEMENT CHARACTER}"


def test_garbage_is_collected_again_after_a_tree_has_grown() -> None:
    with growing():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), growing():
        _ = 1 / 0
    assert gc.isenabled()


@pytest.mark.spec
@needs_spec
@pytest.mark.parametrize("name", ["ecma402", "es2025-multipage-sample"])
def test_the_trees_of_the_real_specifications_are_the_reference_s(name: str) -> None:
    for path in sorted((SHARED / "spec" / name).glob("*.html")):
        html = path.read_text(encoding="utf-8")
        assert merged(ours(html)) == merged(theirs(html)), path.name
