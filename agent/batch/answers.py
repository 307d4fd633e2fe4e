"""The file of answers: one JSON line an answer, on the disk before the next question counts as asked.

A crash may tear the last line, never another. `open_answers` takes up where a file ends: a torn line and the
lines of failures go, whole answers stay. Two batches cannot write to one file. Asks nothing.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from agent.batch.questions import Question
from storage.errors import InputError
from tools.clean import finite, shortened

_ACTING = re.compile(r"[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

ERROR = "error"
"""The status of a line that holds no answer: the question could not be asked to its end."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a kept line says about itself; two batches with different ones do not share a file."""

    edition: str
    model: str


@dataclass(slots=True)
class Answers:
    """An open file of answers."""

    path: Path
    kept: frozenset[str]
    """Ids that were answered by runs before this one."""
    dropped: int
    """Lines that were torn or told of a failure; their questions are asked again."""
    _file: BinaryIO = field(repr=False)

    def add(self, line: Mapping[str, Any]) -> None:
        """Write one line. When this returns it is on the disk."""
        self._file.write(_encoded(line))
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def open_answers(path: Path, questions: Sequence[Question], *, asked: Asked) -> Iterator[Answers]:
    """The file, made or taken up.

    Raises InputError when another batch is writing to it, when it cannot be written, and when it holds
    something else than answers to these questions in this edition by this model.
    """
    with _alone(path):
        try:
            kept, dropped = _take_up(path, {question.id: question.text for question in questions}, asked)
            with path.open("ab") as file:
                _sync_folder(path)
                yield Answers(path, kept, dropped, file)
        except OSError as error:
            if error.filename is None and error.strerror is None:
                raise
            raise InputError(f"{path} cannot be written: {error.strerror}") from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Its lock stands in the system's folder for temporary files: nothing is left behind."""
    from filelock import FileLock, Timeout

    name = sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    lock = FileLock(Path(tempfile.gettempdir()) / f"ask262-batch-{name}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"another batch is writing to {path}; wait for it, or name another --out") from None
    try:
        yield
    finally:
        # Still held: who waits for it finds the file gone, and makes another. Windows keeps an open file.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()


def _take_up(path: Path, texts: Mapping[str, str], asked: Asked) -> tuple[frozenset[str], int]:
    """The ids that need not be asked again, and how many lines went."""
    _part(path).unlink(missing_ok=True)
    if not path.exists():
        return frozenset(), 0
    kept: dict[str, _Place] = {}
    dropped = 0
    for number, (place, raw) in enumerate(_raw_lines(path), start=1):
        line = _whole(raw, path, number)
        if line is None or line["status"] == ERROR:
            dropped += 1
            continue
        _same_batch(line, texts, asked, where=f"{path}:{number}")
        if line["id"] in kept:
            raise InputError(f"{path}:{number} answers {shortened(line['id'])} a second time")
        kept[line["id"]] = place
    if dropped:
        _rewrite(path, kept.values())
    return frozenset(kept), dropped


_Place = tuple[int, int]
"""Where a line begins, and how many bytes it has."""


def _part(path: Path) -> Path:
    """What is being written in place of the file; a crash may leave it, the next run takes it away."""
    return path.with_name(f".{path.name}.part")


def _rewrite(path: Path, places: Iterable[_Place]) -> None:
    """Keep these lines, in this order: the file is the old one or the new one, never half of it."""
    part = _part(path)
    with path.open("rb") as source, part.open("wb") as fresh:
        for start, length in places:
            source.seek(start)
            fresh.write(source.read(length))
        fresh.flush()
        os.fsync(fresh.fileno())
    os.chmod(part, path.stat().st_mode & 0o777)
    os.replace(part, path)
    _sync_folder(path)


def _raw_lines(path: Path) -> Iterator[tuple[_Place, bytes]]:
    at = 0
    with path.open("rb") as file:
        for raw in file:
            yield (at, len(raw)), raw
            at += len(raw)


def _whole(raw: bytes, path: Path, number: int) -> dict[str, Any] | None:
    """A line as JSON; None for the torn last one."""
    try:
        line = json.loads(raw)
        if isinstance(line, dict) and isinstance(line.get("id"), str) and isinstance(line.get("status"), str):
            return line
    except (ValueError, RecursionError):
        if not raw.endswith(b"\n"):
            return None
    raise InputError(
        f"{path}:{number} is no answer of a batch; name another --out, or take that line out by hand"
    )


def _same_batch(line: Mapping[str, Any], texts: Mapping[str, str], asked: Asked, *, where: str) -> None:
    """Refuse to mix: what stands in the file must be what this batch would have written."""
    for key, now in (("edition", asked.edition), ("model", asked.model)):
        if line.get(key) != now:
            raise InputError(
                f"{where} was answered with {key} {shortened(str(line.get(key)))},"
                f" this batch has {shortened(now)}; name another --out"
            )
    if line["id"] in texts and line.get("question") != texts[line["id"]]:
        raise InputError(
            f"{where} answers another question under the id {shortened(line['id'])}; name another --out"
        )


def in_order(path: Path, questions: Iterable[Question]) -> None:
    """Bring the lines into the order of the questions, in one step; answers to others come last."""
    places = {json.loads(raw)["id"]: place for place, raw in _raw_lines(path)}
    wanted = [places.pop(question.id) for question in questions if question.id in places]
    _rewrite(path, [*wanted, *places.values()])


def read_answers(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a finished file, one at a time."""
    for _, raw in _raw_lines(path):
        yield json.loads(raw)


def _encoded(line: Mapping[str, Any]) -> bytes:
    """One line whatever stands in it; what would act on a terminal, or end a line, is escaped."""
    return (
        _ACTING.sub(_escape, json.dumps(finite(line), ensure_ascii=False, allow_nan=False)).encode() + b"\n"
    )


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def _sync_folder(path: Path) -> None:
    """A new name is on the disk only once its folder is; Windows has no such call, and needs none."""
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
