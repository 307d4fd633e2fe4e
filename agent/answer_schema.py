"""The JSON Schema of an answer, made from `agent.answer`: what `--json` and every line of a batch hold.

python -m agent.answer_schema > docs/answer.schema.json
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from agent.answer import SCHEMA, Answer
from storage import program
from storage.arguments import Parser

_TITLE = "Answer of ask262"


def answer_schema() -> dict[str, Any]:
    """The schema as plain values. Every key is always there; keys may be added under the same name."""
    from pydantic import TypeAdapter

    made = _told(TypeAdapter(Answer).json_schema(mode="serialization"))
    named = {"schema": {"const": SCHEMA, "description": "Names this shape."}}
    out = {**made, "properties": {**named, **made["properties"]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _TITLE,
        **_complete(out),
    }


def written() -> str:
    """The schema as it stands in the file."""
    return json.dumps(answer_schema(), indent=2, ensure_ascii=False) + "\n"


def _told(made: Any) -> Any:
    """Without what pydantic adds by itself: titles that repeat the keys, defaults that are always written."""
    if isinstance(made, list):
        return [_told(one) for one in made]
    if not isinstance(made, dict):
        return made
    return {
        key: _told(value)
        for key, value in made.items()
        if key != "default" and not (key == "title" and isinstance(value, str))
    }


def _complete(made: dict[str, Any]) -> dict[str, Any]:
    """With every property required, here and in the definitions."""
    definitions = {name: _complete(one) for name, one in made.get("$defs", {}).items()}
    out = {**made, "$defs": definitions} if definitions else dict(made)
    return {**out, "required": list(out["properties"])} if "properties" in out else out


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schema to standard output."""
    return program.run(lambda: _write(arguments))


def _write(arguments: Sequence[str] | None) -> int:
    parser = Parser(
        prog="python -m agent.answer_schema",
        description="Writes the JSON Schema of an answer.",
        epilog="example: python -m agent.answer_schema > docs/answer.schema.json",
    )
    parser.parse_args(arguments)
    sys.stdout.write(written())
    return program.DONE


if __name__ == "__main__":
    raise SystemExit(main())
