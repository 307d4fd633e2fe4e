"""Text made safe for a terminal, a log and a model: no control characters, no escape sequences, no bidi
overrides.

Pure text. Newlines and tabs stay; everything visible stays. For what is *shown*: passages keep the exact
text.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

QUERY_LIMIT = 2_000
"""Characters of a question. The embedder reads about 1,000; beyond twice that a question is a pasted file."""

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movements
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC and other strings, up to their terminator
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
    r"|\x9b[0-?]*[ -/]*[@-~]",  # CSI as one C1 character
    re.DOTALL,
)
# Besides C0 and C1: bidirectional overrides and isolates, which make text read as something else than it is,
# and lone surrogates, which cannot be encoded.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_HALVES = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text without anything that acts instead of being read.

    >>> clean("a\\x1b[31mb\\x07\\u202ec\\r\\n")
    'abc\\n'
    """
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def encodable(text: str) -> str:
    """The text with halves of a character joined, and lone ones replaced by U+FFFD: no text of JSON can then
    fail to be sent or written.

    >>> encodable("\\ud83d\\ude00 \\ud83d") == "\\U0001f600 \\ufffd"
    True
    """
    if _HALVES.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def one_line(text: str) -> str:
    """Cleaned, and any run of white space is one space."""
    return " ".join(clean(text).split())


def shortened(text: str, *, limit: int = 60) -> str:
    """One line for a message: what was typed, recognisable, never a page of it."""
    line = one_line(text[: limit * 4])
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def to_json(data: Any) -> str:
    """JSON in which characters that would act on a terminal are escaped: nothing is lost, nothing acts."""
    raw = json.dumps(finite(data), ensure_ascii=False, indent=2, allow_nan=False)
    return re.sub(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", _escaped, raw)


def finite(data: Any) -> Any:
    """The data with null for every number that JSON has no form of; a model may write `NaN` or `1e999`.

    >>> finite({"limit": float("nan"), "at": [1e999, 1.5, 2]})
    {'limit': None, 'at': [None, 1.5, 2]}
    """
    if isinstance(data, Mapping):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
