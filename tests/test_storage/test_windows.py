from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from storage.windows import (
    MAX_PREFIX_TOKENS,
    MAX_TOKENS,
    SPECIAL_TOKENS,
    Word,
    count_tokens,
    pack,
    shorten_prefix,
    windows,
    words_of,
)

STEPS = "".join(
    f"{number}. Let value{number} be ? ToNumericConversion(argument).\n" for number in range(1, 60)
)


def test_a_text_without_a_word_has_no_window() -> None:
    assert windows("") == []
    assert windows(" \n\t") == []


def test_a_short_text_is_one_window_with_all_its_spaces() -> None:
    assert windows("  x\n") == [(0, 4)]


def test_no_window_with_its_prefix_is_over_the_limit() -> None:
    prefix = "Abstract Operations > Type Conversion"
    for start, end in windows(STEPS, prefix=prefix):
        assert count_tokens(f"{prefix}\n{STEPS[start:end]}") + SPECIAL_TOKENS <= MAX_TOKENS


def test_windows_end_and_begin_at_lines_where_lines_are_short_enough() -> None:
    found = windows(STEPS)
    assert len(found) > 3
    assert all(start == 0 or STEPS[start - 1] == "\n" for start, _ in found)
    assert all(end == len(STEPS) or STEPS[end - 1] == "\n" for _, end in found)


def test_neighbours_overlap() -> None:
    found = windows(STEPS)
    assert all(after[0] < before[1] for before, after in pairwise(found))


@given(st.text(alphabet=st.sampled_from("ab1 .\n[]%é漢\u0301"), max_size=2_000))
def test_windows_cover_the_text_and_split_no_word(text: str) -> None:
    found = windows(text)
    starts = {word.start for word in words_of(text)}
    if not starts:
        assert found == []
        return
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(start in starts for start, _ in found[1:])
    assert all(after[0] <= before[1] for before, after in pairwise(found))


@given(
    st.lists(st.builds(Word, st.just(0), st.integers(1, 12), st.booleans()), max_size=80),
    st.integers(1, 40),
    st.integers(0, 20),
)
def test_packing_moves_on_and_loses_no_word(words: list[Word], room: int, overlap: int) -> None:
    cuts = pack(words, room=room, overlap=overlap)
    covered = {index for first, after in cuts for index in range(first, after)}
    assert covered == set(range(len(words)))
    assert all(first < after for first, after in cuts)
    for first, after in cuts:
        assert after - first == 1 or sum(word.tokens for word in words[first:after]) <= room


def test_a_long_heading_path_loses_its_outermost_titles_first() -> None:
    assert shorten_prefix("Outer " * 200 + "> Middle > Inner") == "Middle > Inner"


def test_a_single_title_that_is_too_long_is_cut() -> None:
    short = shorten_prefix("word " * 300)
    assert 0 < count_tokens(short) <= MAX_PREFIX_TOKENS


def test_a_usual_heading_path_is_kept_whole() -> None:
    path = "Abstract Operations > Type Conversion > ToNumber ( argument )"
    assert shorten_prefix(path) == path
