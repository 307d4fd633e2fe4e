"""When two calls of a tool ask the same, however a model spells them. Reads names, runs no tool.

Arguments count as the tool takes them: checked, with defaults filled in, white space trimmed, and without
what it does not know. A section counts as itself, whether its id, its number or its name was given.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from storage.errors import InputError
from tools.clean import one_line
from tools.ports import Reader
from tools.registry import TOOLS
from tools.resolve import seek

SECTIONS = frozenset({"sectionid", "chapter"})
"""Arguments that name a section."""


def asks(name: str, args: Mapping[str, Any], reader: Reader) -> str:
    """What a call asks for: the same text for two calls that ask the same.

    A call that no tool would take asks for exactly what was written.
    """
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    given = dict(args)
    if tool is not None:
        try:
            given = tool.args.model_validate(given).model_dump(mode="json")
        except ValidationError:
            return as_written(name, args)
    plain = {key: _plain(key, value, reader) for key, value in given.items()}
    return as_written(name, plain)


def as_written(name: str, args: Mapping[str, Any]) -> str:
    """The call letter for letter; only the order of its arguments does not count."""
    return f"{name} {json.dumps(args, sort_keys=True, ensure_ascii=False, default=str)}"


def _plain(key: str, value: Any, reader: Reader) -> Any:
    if not isinstance(value, str):
        return value
    return _section(value, reader) if key in SECTIONS else one_line(value)


def _section(asked: str, reader: Reader) -> str:
    """The id of the one unit that is meant; the text itself where there is none, or several."""
    try:
        meant = seek(asked, reader).units
    except InputError:
        return asked
    return meant[0].unitid if len(meant) == 1 else one_line(asked)
