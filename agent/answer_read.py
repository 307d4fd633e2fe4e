"""Answers back from JSON: a line of a batch, a saved conversation. What is not of their shape is refused."""

from dataclasses import fields
from functools import cache
from typing import Any

from agent.answer import Answer
from storage.errors import InputError

_KEYS = frozenset(one.name for one in fields(Answer))


def read_answer(data: Any, *, where: str) -> Answer:
    """The answer that `to_dict` wrote; keys that it does not have are left alone.

    Raises InputError, saying `where`, for anything else.
    """
    from pydantic import ValidationError

    if not isinstance(data, dict):
        raise InputError(f"{where} is no answer")
    try:
        answer: Answer = _reader().validate_python({key: data[key] for key in data.keys() & _KEYS})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise InputError(f"{where} is no answer: {key}: {first['msg']}") from error
    return answer


@cache
def _reader() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Answer)
