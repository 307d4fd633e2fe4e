"""Whole pages: of an answer, of a conversation, of a batch. Written piece by piece, whatever their length."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from agent.answer import Answer
from agent.answer_read import read_answer
from agent.batch.answers import ERROR, read_answers
from agent.batch.tally import Tally
from agent.render_html import fragment
from agent.report.parts import below, line, text
from storage.errors import InputError
from storage.reading import Reader

_ALLOWED = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser is told: its own style, and nothing else, whatever stands in the page."""
LISTED = 200
"""Questions of a batch that its table names; all are on the page."""


def answers_page(
    answers: Sequence[Answer], *, title: str, reader: Reader | None, budget: int
) -> Iterator[str]:
    """A page of an answer, or of a conversation."""
    yield from _head(title)
    for number, answer in enumerate(answers, start=1):
        yield _article(answer, number, reader=reader, budget=budget)
    yield _FOOT


def write_batch(path: Path, answers: Path, *, reader: Reader | None, budget: int) -> None:
    """A page of a batch's file of answers. Raises InputError where it cannot be written or read."""
    pieces = batch_page(answers, reader=reader, budget=budget)
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def batch_page(answers: Path, *, reader: Reader | None, budget: int) -> Iterator[str]:
    """Its summary, a table of its questions, and every answer."""
    tally, when = Tally(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    for row in read_answers(answers):
        tally.add(row)
    yield from _head(f"Batch {answers.name}")
    said = "".join(f"<li>{text(one)}</li>" for one in tally.summary())
    yield f'<p class="soft">{text(when)}</p>\n<ul>{said}</ul>\n'
    yield from _table(read_answers(answers), tally.statuses)
    for number, row in enumerate(read_answers(answers), start=1):
        yield _row(row, number, answers, reader=reader, budget=budget)
    yield _FOOT


def _row(row: Mapping[str, Any], number: int, path: Path, *, reader: Reader | None, budget: int) -> str:
    if row["status"] != ERROR:
        answer = read_answer(row, where=f"{path}:{number}")
        return _article(answer, number, reader=reader, budget=budget)
    return (
        f'<section class="failed" id="{_anchor(number)}"><h2>{line(str(row["question"]))}</h2>'
        f"<p><strong>Failed</strong>: {text(str(row['error']))}</p></section>\n"
    )


def _article(answer: Answer, number: int, *, reader: Reader | None, budget: int) -> str:
    inside = "\n".join(below(answer, reader=reader, budget=budget))
    anchor = _anchor(number)
    return f'<div id="{anchor}">{fragment(answer, anchor=anchor)}\n{inside}</div>\n'


def _table(rows: Iterable[Mapping[str, Any]], statuses: Counter[str]) -> Iterator[str]:
    """Links to what deserves a look first: failures, refusals, partial answers; then the rest."""
    first = (ERROR, "partial", "refused", "grounded")
    places: dict[str, list[tuple[int, str]]] = {status: [] for status in first}
    for number, row in enumerate(rows, start=1):
        if len(places[row["status"]]) < LISTED:
            places[row["status"]].append((number, str(row["question"])))
    yield '<div class="scroll" tabindex="0" role="region" aria-label="Questions"><table><thead><tr>'
    yield '<th scope="col">Status</th><th scope="col">Question</th></tr></thead><tbody>'
    for status in first:
        for number, question in places[status]:
            link = f'<a href="#{_anchor(number)}">{line(question)}</a>'
            yield f"<tr><td>{text(status)}</td><td>{link}</td></tr>\n"
        if statuses[status] > LISTED:
            yield f"<tr><td>{text(status)}</td><td>and {statuses[status] - LISTED:,} more below</td></tr>\n"
    yield "</tbody></table></div>\n"


def _head(title: str) -> Iterator[str]:
    yield (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{line(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}">\n'
        f"<style>\n{_style()}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#answers">Skip to the answers</a>\n'
        f'<header><h1>{line(title)}</h1></header>\n<main id="answers">\n'
    )


_FOOT = "</main>\n</body>\n</html>\n"


def _anchor(number: int) -> str:
    """By the place on the page: a question may have been asked twice, and its id may hold anything."""
    return f"answer-{number}"


@cache
def _style() -> str:
    return (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
