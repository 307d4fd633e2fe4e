"""What a model wrote into the fields of an answer, in the types that they have where it is plain what was
meant.

Pure: plain values in and out. One null or one number in the wrong place says nothing against the rest of an
answer. What cannot be understood is left as it is, for the check of the schema to reject.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from agent.taken import sound

_ABSENT = frozenset({"", "null", "none", "n/a"})
"""How models write that there is nothing."""


def text_or_none(value: Any) -> str | None:
    """A text that may be left out; a number is its digits, and anything else is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return None if str(value).strip().lower() in _ABSENT else str(value)


def one_of(value: Any, known: Collection[str]) -> str | None:
    """One of the known words, however it is cased; else none."""
    word = value.strip().lower() if isinstance(value, str) else None
    return word if word in known else None


def listed(value: Any) -> Any:
    """A list: one written as JSON, a single object, or nothing for an empty one."""
    if value is None or (isinstance(value, str) and text_or_none(value) is None):
        return []
    if isinstance(value, str):
        read = _read(value)
        return value if read is None else listed(read)
    return [value] if isinstance(value, Mapping) else value


def texts(value: Any) -> list[str]:
    """The texts of a list, or of one text alone."""
    read = listed(value)
    several = read if isinstance(read, list) else [read]
    return [one for one in several if isinstance(one, str) and text_or_none(one) is not None]


def claims(value: Any) -> Any:
    """A list of claims; one that is only its text cites nothing."""
    read = listed(value)
    return list(_claims(read)) if isinstance(read, list) else read


def _claims(several: list[Any]) -> Iterator[Any]:
    for one in several:
        if isinstance(one, str):
            read = _read(one)
            yield read if isinstance(read, Mapping) else {"text": one}
        else:
            yield one


def _read(written: str) -> Any:
    """The object or list that a text is the JSON of; None where it is something else."""
    if not written.lstrip().startswith(("{", "[")):
        return None
    try:
        return sound(json.loads(written, strict=False))
    except (ValueError, RecursionError):
        return None
