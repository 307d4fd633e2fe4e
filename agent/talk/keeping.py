"""Commands that write a conversation to a file, and take one up again. Nothing is overwritten unasked.

A saved conversation is JSON, `ask262/session/1`: its turns with their whole answers. Nothing in it is
trusted: what is not of its shape is refused, and shown text is cleaned like all other.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agent.answer import Answer, Citation, Status, Verdict, judge
from agent.answer_read import read_answer
from agent.render import said
from agent.talk.state import Conversation, Turn
from storage.errors import InputError
from storage.reading import Reader
from tools.clean import clean, shortened, to_json

SCHEMA = "ask262/session/1"
FROM_A_FILE = "it comes from a file, and the edition that is open does not have these words there"
"""Why a quotation of a conversation that was taken up is no longer called verified."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is taken up; a conversation of a thousand answers has about 10 MB."""


def save(conversation: Conversation, name: str) -> str:
    """All turns, to go on with later. The file that this conversation is kept in is brought up to date."""
    path = _path(name, "/save talk.json")
    if path.resolve() not in conversation.written:
        said = _write(path, _saved(conversation))
    else:
        said = _replace(path, _saved(conversation))
    conversation.written.add(path.resolve())
    return said


def export(conversation: Conversation, name: str) -> str:
    """All turns for a reader: the end of the name says how."""
    path = _path(name, "/export talk.md")
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(f"{path.name} ends in none of {', '.join(_WRITERS)}: the end says how to write it")
    if not conversation.turns:
        raise InputError("nothing was asked yet")
    return _write(path, writer(conversation))


def resume(conversation: Conversation, name: str) -> str:
    """Take up the turns of a file; they come before those of now."""
    path = _path(name, "/resume talk.json")
    try:
        data = json.loads(_bytes(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {shortened(str(error), limit=100)}") from error
    reader = conversation.session.reader
    turns = [replace(turn, answer=looked_up(turn.answer, reader)) for turn in _turns(data, path)]
    if not conversation.turns:
        conversation.written.add(path.resolve())
    conversation.turns[:0] = turns
    last = f"; the last question was “{shortened(turns[-1].question)}”" if turns else ""
    return f"{len(turns)} {'turn' if len(turns) == 1 else 'turns'} taken up{last}"


def looked_up(answer: Answer, reader: Reader) -> Answer:
    """An answer out of a file, with no more called verified than the edition that is open still says."""
    citations = tuple(
        one
        if one.verdict is not Verdict.VERIFIED or _stands(one, reader)
        else replace(one, verdict=Verdict.NOT_SHOWN, note=FROM_A_FILE)
        for one in answer.citations
    )
    if citations == answer.citations:
        return answer
    status = judge(answer.claims, citations, refusal=answer.refusal)
    told = replace(answer, citations=citations, status=Status.PARTIAL if status is Status.REFUSED else status)
    return replace(told, text=said(told))


def _stands(cited: Citation, reader: Reader) -> bool:
    """Whether the words stand where the citation says, letter for letter."""
    if cited.edition != reader.record.edition:
        return False
    unit = reader.unit(cited.sectionid)
    inside = (
        unit is not None and unit.source == cited.source and unit.start <= cited.start < cited.end <= unit.end
    )
    return inside and reader.slice(cited.source, cited.start, cited.end) == cited.quote


def _bytes(path: Path) -> bytes:
    """Of a real file: a pipe or a device may never end."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no file")
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(f"{path} has more than {LARGEST // 1024**2} MB and is no conversation")
    return raw


def _turns(data: Any, path: Path) -> list[Turn]:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("turns"), list):
        raise InputError(f"{path} is no conversation that /save wrote")
    return [_turn(turn, where=f"{path}, turn {number}") for number, turn in enumerate(data["turns"], start=1)]


def _turn(data: Any, *, where: str) -> Turn:
    if not isinstance(data, dict) or not isinstance(data.get("question"), str):
        raise InputError(f"{where} has no question")
    return Turn(
        data["question"],
        read_answer(data.get("answer"), where=where),
        str(data.get("understood", "")),
    )


def _saved(conversation: Conversation) -> str:
    turns = [
        {"question": turn.question, "understood": turn.understood, "answer": turn.answer.to_dict()}
        for turn in conversation.turns
    ]
    return to_json({"schema": SCHEMA, "turns": turns}) + "\n"


def _markdown(conversation: Conversation) -> str:
    from agent.render_markdown import markdown

    return "\n".join(markdown(turn.answer) for turn in conversation.turns)


def _html(conversation: Conversation) -> str:
    from agent.report.page import answers_page

    session = conversation.session
    answers = [turn.answer for turn in conversation.turns]
    budget = session.settings.budget_characters
    title = f"Conversation about {session.reader.record.title}"
    return "".join(answers_page(answers, title=title, reader=session.reader, budget=budget))


_WRITERS: Mapping[str, Callable[[Conversation], str]] = MappingProxyType(
    {".md": _markdown, ".html": _html, ".json": _saved}
)


def _path(name: str, example: str) -> Path:
    if not name:
        raise InputError(f"say where, such as {example}")
    if len(name) > 2 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1]
    if clean(name) != name or "\n" in name:
        raise InputError(f"{shortened(name)} is no name for a file: it holds characters that cannot be seen")
    try:
        path = Path(name).expanduser()
        path.exists()
    except (RuntimeError, ValueError, OSError) as error:
        raise InputError(f"{shortened(name)} is no file: {shortened(str(error))}") from error
    return path


def _write(path: Path, text: str) -> str:
    """A file that is there stays."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError(f"{path} is there already: name another file, or remove it first") from error
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    return f"written: {path}"


def _replace(path: Path, text: str) -> str:
    """The old file or the new one, never half of it."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    _write(part, text)
    try:
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    return f"written: {path}"
