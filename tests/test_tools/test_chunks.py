"""Where a long text is cut."""

from storage.markers import marker
from tools.chunks import cut

MARK = marker("sec-child", "A child with a rather long title")


def test_a_text_that_fits_is_not_cut() -> None:
    assert cut("abc", 0, 3) == 3
    assert cut("abc", 1, 50) == 3


def test_a_cut_falls_after_a_line_else_after_a_word_else_where_it_must() -> None:
    assert cut("one two\nthree four", 0, 12) == len("one two\n")
    assert cut("one two three four", 0, 12) == len("one two ")
    assert cut("x" * 40, 0, 12) == 12


def test_a_marker_is_never_cut() -> None:
    text = f"before {MARK} after"
    for room in range(1, len(text)):
        end = cut(text, 0, room)
        assert end <= len("before ") or end >= len("before ") + len(MARK)


def test_a_marker_longer_than_the_room_is_given_whole_so_that_paging_goes_on() -> None:
    assert cut(f"{MARK} after", 0, 20) == len(MARK)
