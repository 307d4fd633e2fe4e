"""The page on the settings, made from `Settings`: names, defaults, ranges and what they do, by subject.

    python -m storage.settings_page > docs/settings.md

Reads no setting and prints no secret: only what the class says.
"""

import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from storage import program
from storage.arguments import Parser
from storage.settings import PREFIX, ROOT, Settings

GROUPS = {
    "What is asked": ("edition", "storage_dir", "source"),
    "The chat model": (
        "model",
        "base_url",
        "api_key",
        "timeout",
        "stream",
        "reply_tokens",
        "context_characters",
        "hold_to_schema",
        "rewrite",
        "model_cache",
    ),
    "What one question may cost": ("budget_characters", "max_calls", "max_seconds"),
    "How sections are cut": ("threshold", "max_depth", "smallest"),
    "The embedding model": ("embedder", "embedder_base_url", "embedder_api_key", "batch_size", "threads"),
    "The network": ("offline", "mcp_token"),
}
"""Every field once, by what somebody is about to do; a test compares it with the class."""

AFTERWARDS = {
    "How sections are cut": "An edition is cut when it is ingested: after a change, ingest it again. The\n"
    "[breakdown](breakdown.md) shows what comes of the defaults.",
    "The embedding model": "An edition can be searched only with the model that it was built with: after a\n"
    "change, ingest it again. What was embedded before is [kept](store.md).",
    "The chat model": "[Chat models](models.md) shows which settings each server wants.",
}
"""What a reader needs to know beside the table of a group."""

_HEAD = """\
# Settings

Written by `python -m storage.settings_page > docs/settings.md`; not edited by hand.

A setting is an environment variable, or a line of the file `.env` in the project's folder; the environment
goes before the file, and an option of a program before both. [`.env.example`](../.env.example) lists them all
with their defaults: copy it to `.env` and uncomment what you change. Nothing has to be set.

A misspelt name stops the program, with the nearest one; so does a value out of range. An empty value is no
value. Keys and tokens are never printed.
"""


def page() -> str:
    """The page as it stands in the file."""
    return _HEAD + "".join(_group(title, names) for title, names in GROUPS.items())


def _group(title: str, names: Sequence[str]) -> str:
    rows = "".join(_row(name, Settings.model_fields[name]) for name in names)
    after = f"\n{AFTERWARDS[title]}\n" if title in AFTERWARDS else ""
    return f"\n## {title}\n\n| setting | default | values | |\n| --- | --- | --- | --- |\n{rows}{after}"


def _row(name: str, field: FieldInfo) -> str:
    return (
        f"| `{PREFIX}{name.upper()}` | {_default(field.default)} | {_values(field)} | {field.description} |\n"
    )


def _default(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value.relative_to(ROOT).as_posix() if isinstance(value, Path) else value}`"


def _values(field: FieldInfo) -> str:
    """What may stand there, in words."""
    (kind,) = _kinds(field.annotation)
    if kind is bool:
        return "`true`, `false`"
    if kind is SecretStr:
        return "a secret"
    if kind is Path:
        return "a folder"
    return " ".join(["a number" if kind in (int, float) else "text", *_range(field)])


def _kinds(annotation: Any) -> list[type]:
    """The type of a field without `None` and without what is attached to it."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [one for part in get_args(annotation) if part is not type(None) for one in _kinds(part)]
    attached = getattr(annotation, "__origin__", annotation)
    return [attached]


def _range(field: FieldInfo) -> Iterator[str]:
    """`from 500 to 1,000,000`, as far as the field has bounds."""
    words = {"ge": "from", "gt": "over", "le": "to", "lt": "below"}
    for name, word in words.items():
        for one in field.metadata:
            if (bound := getattr(one, name, None)) is not None:
                yield f"{word} {bound:,}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page to standard output."""
    return program.run(lambda: _write(arguments))


def _write(arguments: Sequence[str] | None) -> int:
    parser = Parser(
        prog="python -m storage.settings_page",
        description="Writes the page on the settings.",
        epilog="example: python -m storage.settings_page > docs/settings.md",
    )
    parser.parse_args(arguments)
    sys.stdout.write(page())
    return program.DONE


if __name__ == "__main__":
    raise SystemExit(main())
