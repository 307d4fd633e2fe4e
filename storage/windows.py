"""Cuts a long text into overlapping windows of at most 256 tokens, for any embedder.

A window starts and ends between words, so no word piece is split; together the windows cover the text.
Where a line begins in the last third of a window, the window ends there: a step or a row then stays whole.
Tokens are MiniLM's under every embedder, so that one edition has one set of windows.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from storage.bundled import tokenizer

MAX_TOKENS = 256
"""MiniLM was trained on this many; what is behind them does not enter the vector."""

SPECIAL_TOKENS = 2
"""`[CLS]` and `[SEP]` around every text."""

MAX_PREFIX_TOKENS = 96
"""Room for the heading path: a window keeps more than half of its tokens for the text."""

OVERLAP_TOKENS = 32
"""Shared by two neighbours: a sentence or a step, so that one cut by the border is whole in one of them."""

WINDOWING = f"windows/1:{MAX_TOKENS},{MAX_PREFIX_TOKENS},{OVERLAP_TOKENS}"
"""Names this procedure and its numbers; part of an edition's identity."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the tokenizer cuts them: where it starts, how many tokens, and whether it begins a line."""

    start: int
    tokens: int
    opens_line: bool


def windows(text: str, *, prefix: str = "") -> list[tuple[int, int]]:
    """Character ranges of `text`, in order; none for a text without a word.

    `prefix` is what will stand in front of each window when it is embedded; see `shorten_prefix`.
    """
    words = words_of(text)
    room = MAX_TOKENS - SPECIAL_TOKENS - count_tokens(prefix)
    cuts = pack(words, room=room, overlap=OVERLAP_TOKENS)
    starts = [word.start for word in words] + [len(text)]
    return [(0 if first == 0 else starts[first], starts[after]) for first, after in cuts]


def pack(words: Sequence[Word], *, room: int, overlap: int) -> list[tuple[int, int]]:
    """Index ranges of `words`, each of at most `room` tokens (or a single longer word)."""
    before = [0]
    for word in words:
        before.append(before[-1] + word.tokens)
    out: list[tuple[int, int]] = []
    first = 0
    while first < len(words):
        after = _window_end(words, before, first, room)
        out.append((first, after))
        if after == len(words):
            break
        first = _next_start(words, before, first, after, overlap)
    return out


def _window_end(words: Sequence[Word], before: Sequence[int], first: int, room: int) -> int:
    """The index after the last word that fits; back to the start of a line where one begins late enough."""
    after = max(first + 1, bisect_left(before, before[first] + room + 1) - 1)
    if after >= len(words):
        return len(words)
    earliest = bisect_left(before, before[first] + room * 2 // 3)
    lines = (index for index in range(after, max(earliest, first + 1) - 1, -1) if words[index].opens_line)
    return next(lines, after)


def _next_start(words: Sequence[Word], before: Sequence[int], first: int, after: int, overlap: int) -> int:
    """Up to `overlap` tokens back from `after`, at the start of a line where there is one."""
    start = max(first + 1, bisect_left(before, before[after] - overlap))
    lines = (index for index in range(start, after) if words[index].opens_line)
    return next(lines, min(start, after))


def words_of(text: str) -> list[Word]:
    """The words of a text with their token counts."""
    encoding = tokenizer().encode(text, add_special_tokens=False)
    out: list[Word] = []
    previous, behind = None, 0
    for number, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if number == previous and out:
            out[-1] = Word(out[-1].start, out[-1].tokens + 1, out[-1].opens_line)
        else:
            out.append(Word(start, 1, "\n" in text[behind:start]))
        previous, behind = number, end
    return out


def count_tokens(text: str) -> int:
    """MiniLM tokens of a text, without the special ones."""
    return len(tokenizer().encode(text, add_special_tokens=False).ids)


def shorten_prefix(titlepath: str, *, separator: str = " > ") -> str:
    """The heading path without its outermost titles, until it fits; the innermost is cut if it must be."""
    titles = titlepath.split(separator)
    while len(titles) > 1 and count_tokens(separator.join(titles)) > MAX_PREFIX_TOKENS:
        titles = titles[1:]
    path = separator.join(titles)
    cuts = pack(words_of(path), room=MAX_PREFIX_TOKENS, overlap=0)
    return path if len(cuts) < 2 else path[: words_of(path)[cuts[0][1]].start].rstrip()
