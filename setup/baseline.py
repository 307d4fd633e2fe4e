"""The parsers alone, for measurements to compare with: no specification, no text, nothing of ours.

Here because HTML is parsed in `setup` only.
"""

from collections.abc import Sequence


def parse_with_html5lib(pages: Sequence[bytes]) -> None:
    """Each page into html5lib's own tree."""
    import html5lib

    for page in pages:
        html5lib.parse(page)


def parse_with_beautiful_soup(pages: Sequence[bytes]) -> None:
    """Each page into BeautifulSoup's tree, by html5lib."""
    from bs4 import BeautifulSoup

    for page in pages:
        BeautifulSoup(page, "html5lib")
