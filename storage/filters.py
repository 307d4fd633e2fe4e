"""The one place where filter text is built: values are escaped, column names come from the schema.

Lance reads a filter as an SQL expression. A value is data whatever it holds; a column that is not ours is a
fault of the program and raises ValueError.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NewType, TypeAlias

Filter = NewType("Filter", str)
"""Filter text, escaped. Made by the functions here and nowhere else."""

Where: TypeAlias = Mapping[str, str | bool | Sequence[str]]
"""What callers say: each named column has the value, or one of the values."""

_COLUMN = re.compile(r"[a-z]+")


def literal(value: str | bool) -> str:
    """A value as SQL writes it. A quote is doubled; nothing else has a meaning inside quotes.

    >>> literal("x' OR '1'='1")
    "'x'' OR ''1''=''1'"
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    # Lone surrogates cannot be sent to the store, and no stored value holds one.
    clean = value.encode("utf-8", "replace").decode("utf-8")
    return "'" + clean.replace("'", "''") + "'"


def equals(column: str, value: str | bool) -> Filter:
    """The column has exactly this value."""
    return Filter(f"{_quoted(column)} = {literal(value)}")


def one_of(column: str, values: Iterable[str]) -> Filter:
    """The column has one of the values; nothing matches an empty list."""
    listed = ", ".join(literal(value) for value in values)
    return Filter(f"{_quoted(column)} IN ({listed})" if listed else "false")


def like(column: str, pattern: str) -> Filter:
    """The column's value matches an SQL pattern; escape what stands for itself with `escape_like`."""
    return Filter(f"{_quoted(column)} LIKE {literal(pattern)}")


def escape_like(text: str) -> str:
    r"""`text` as a part of a LIKE pattern that matches only itself.

    >>> escape_like("sec-%x%_y")
    'sec-\\%x\\%\\_y'
    """
    return re.sub(r"([\\%_])", r"\\\1", text)


def every(*filters: Filter | None) -> Filter | None:
    """All of the filters; None where none is given."""
    given = [f"({one})" for one in filters if one is not None]
    return Filter(" AND ".join(given)) if given else None


def matching(where: Where | None) -> Filter | None:
    """The filter that a mapping of columns to values describes."""
    return every(*(_matches(column, value) for column, value in (where or {}).items()))


def _matches(column: str, value: str | bool | Sequence[str]) -> Filter:
    return equals(column, value) if isinstance(value, (str, bool)) else one_of(column, value)


def _quoted(column: str) -> str:
    """In backticks, since `end` and `references` are words of SQL."""
    if not _COLUMN.fullmatch(column):
        raise ValueError(f"not a column: {column!r}")
    return f"`{column}`"
