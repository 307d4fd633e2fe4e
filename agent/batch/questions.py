"""Files of questions in: JSON lines, JSON, CSV, Markdown lists or one a line. Asks nothing.

The form follows the file's name, or is told. A question keeps the id that it was given; one without has its
digest, so that a file may be reordered or added to between two runs of a batch.
"""

import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from storage.errors import InputError
from tools.clean import shortened
from tools.visible import shows_something

STANDARD_INPUT = "-"


class Form(StrEnum):
    """How a file writes its questions."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    MARKDOWN = "markdown"
    LINES = "lines"


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        ".jsonl": Form.JSONL,
        ".ndjson": Form.JSONL,
        ".json": Form.JSON,
        ".csv": Form.CSV,
        ".tsv": Form.TSV,
        ".md": Form.MARKDOWN,
        ".markdown": Form.MARKDOWN,
    }
)
"""By the end of a file's name; any other holds one question a line."""

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)$")
"""An item of a Markdown list, ticked or not."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the file has it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class _Row:
    where: str
    text: str
    id: str = ""


def read_questions(path: str, *, form: Form | None = None) -> list[Question]:
    """All questions of a file, `-` for standard input, in order.

    Raises InputError, with the line, for what cannot be read, for a question that is empty or no text, and
    for two questions with one id.
    """
    text = _text_of(path)
    rows = list(_READERS[form or FORMS.get(Path(path).suffix.lower(), Form.LINES)](text, path))
    if not rows:
        raise InputError(f"{path} holds no question; write one a line, or see docs/batch.md for other forms")
    return _with_ids(rows)


def _text_of(path: str) -> str:
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputError("standard input is closed; name a file of questions")
            return sys.stdin.read()
        return Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"it is no UTF-8 text ({error.reason})"
        raise InputError(f"the questions in {shortened(path, limit=200)} cannot be read: {reason}") from error


def _json_lines(text: str, path: str) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _from_json(_parsed(line, f"{path}:{number}"), f"{path}:{number}")


def _json(text: str, path: str) -> Iterator[_Row]:
    whole = _parsed(text, path)
    if not isinstance(whole, list):
        raise InputError(f"{path} is no JSON list of questions")
    for number, item in enumerate(whole, start=1):
        yield _from_json(item, f"{path}, item {number}")


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no JSON: {shortened(str(error), limit=120)}") from error


def _from_json(item: Any, where: str) -> _Row:
    """A string, or an object with `question` and perhaps `id`; whatever else it holds is left alone."""
    if isinstance(item, str):
        return _Row(where, item)
    if not isinstance(item, dict) or not isinstance(item.get("question"), str):
        raise InputError(f'{where} has no question: write {{"id": "q1", "question": "..."}}')
    given = item.get("id", "")
    if not isinstance(given, (str, int)) or isinstance(given, bool):
        raise InputError(f"{where}: the id must be a text or a whole number, not {shortened(repr(given))}")
    return _Row(where, item["question"], str(given))


def _table(delimiter: str) -> Callable[[str, str], Iterator[_Row]]:
    def read(text: str, path: str) -> Iterator[_Row]:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            if "question" not in (rows.fieldnames or ()):
                raise InputError(f"{path}:1 names no column `question`; a column `id` may stand beside it")
            for row in rows:
                yield _Row(f"{path}:{rows.line_num}", row["question"] or "", row.get("id") or "")
        except csv.Error as error:
            raise InputError(f"{path}:{rows.line_num} is no CSV: {error}") from error

    return read


def _markdown(text: str, path: str) -> Iterator[_Row]:
    """The items of its lists, lines that continue an item included; headings and prose are no questions."""
    found: _Row | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if item := _ITEM.match(line):
            if found:
                yield found
            found = _Row(f"{path}:{number}", item["text"])
        elif found and line[:1] in (" ", "\t") and line.strip():
            found = _Row(found.where, f"{found.text} {line.strip()}")
        elif found:
            yield found
            found = None
    if found:
        yield found


def _lines(text: str, path: str) -> Iterator[_Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield _Row(f"{path}:{number}", line)


_READERS: Mapping[Form, Callable[[str, str], Iterator[_Row]]] = MappingProxyType(
    {
        Form.JSONL: _json_lines,
        Form.JSON: _json,
        Form.CSV: _table(","),
        Form.TSV: _table("\t"),
        Form.MARKDOWN: _markdown,
        Form.LINES: _lines,
    }
)


def _with_ids(rows: list[_Row]) -> list[Question]:
    places: dict[str, str] = {}
    questions = []
    for row in rows:
        text = row.text.strip()
        if not shows_something(text):
            raise InputError(f"{row.where}: the question is empty")
        given = row.id.strip() or _free(digest_id(text), places)
        if given in places:
            raise InputError(f"{row.where}: the id {shortened(given)} stands at {places[given]} too")
        places[given] = row.where
        questions.append(Question(given, text))
    return questions


def digest_id(text: str) -> str:
    """The id of a question that was given none: of its words alone."""
    return f"q-{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:12]}"


def _free(wanted: str, taken: Mapping[str, str]) -> str:
    """The id, or for a question that is asked again the id with the next free number."""
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    return free
