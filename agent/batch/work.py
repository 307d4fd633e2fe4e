"""Questions asked side by side, each answer handed on as it comes. Knows no file and no program.

A question that fails for its model's server is asked again, later each time; what still fails becomes a line
that says so. Where question after question fails, the rest is not tried: the server is gone, or the key is
wrong. Memory holds the questions under way, never the answers.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from agent.answer import Answer, Status
from agent.batch.answers import ERROR
from agent.batch.questions import Question
from agent.batch.spend import Prices, Usage, counted
from storage.errors import Ask262Error, ModelError, StoreError
from tools.clean import shortened

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a question is asked again, doubled each time; servers ask for no more patience."""
STOPPED = "stopped"
"""Why a batch ended that a person interrupted."""
HOPELESS = 10
"""Failures in a row after which nothing more is asked."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a batch goes about it."""

    concurrency: int
    retries: int
    max_cost: float | None
    prices: Prices | None


@dataclass(slots=True)
class Batch:
    """A batch under way. `why_ended` says why questions were left; empty while there is no reason."""

    ask: Callable[[str], Answer]
    edition: str
    model: str
    rules: Rules
    sleep: Callable[[float], None] = time.sleep
    spent: float = 0.0
    why_ended: str = ""
    _failures: int = 0
    _ending: bool = field(default=False)

    def lines(self, questions: Iterable[Question]) -> Iterator[dict[str, Any]]:
        """A line for each question, as they are ready; after `end` only for those under way."""
        waiting = iter(questions)
        running: set[Future[dict[str, Any]]] = set()
        with ThreadPoolExecutor(self.rules.concurrency, thread_name_prefix="question") as pool:
            while True:
                while not self._ending and len(running) < self.rules.concurrency:
                    question = next(waiting, None)
                    if question is None:
                        break
                    running.add(pool.submit(self._line, question))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    line = one.result()
                    self._count(line)
                    yield line

    def end(self, why: str) -> None:
        """Ask nothing more; what is under way is finished."""
        self._ending = True
        self.why_ended = self.why_ended or why

    def _count(self, line: dict[str, Any]) -> None:
        self._failures = self._failures + 1 if line["status"] == ERROR else 0
        if self._failures >= HOPELESS:
            self.end(f"{HOPELESS} questions in a row failed; the last one said: {line['error']}")
        self.spent += line["usage"]["cost"] or 0.0
        limit = self.rules.max_cost
        if limit is not None and self.spent >= limit:
            self.end(f"the questions so far cost {self.spent:.4f}, and --max-cost is {limit:g}")

    def _line(self, question: Question) -> dict[str, Any]:
        """Ask until there is an answer, or no more attempt is left."""
        usage, attempts = Usage(), 0
        while True:
            attempts += 1
            try:
                with counted() as used:
                    answer = self.ask(question.text)
            except StoreError:
                # The store is the same for every question: nothing can be answered any more.
                raise
            except Ask262Error as error:
                usage += used()
                if isinstance(error, ModelError) and attempts <= self.rules.retries and not self._ending:
                    self.sleep(min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT))
                    continue
                return self._dressed(self._failed(question, str(error)), usage, attempts)
            except Exception as error:  # a fault of ours: it must not cost a night's other answers
                fault = f"unexpected {type(error).__name__}: {shortened(str(error), limit=200)}"
                return self._dressed(self._failed(question, fault), usage, attempts)
            usage += used()
            line = {**answer.to_dict(), "id": question.id, "question": question.text, "error": ""}
            return self._dressed(line, usage, attempts)

    def _dressed(self, line: dict[str, Any], usage: Usage, attempts: int) -> dict[str, Any]:
        return {**line, "attempts": attempts, "usage": usage.to_dict(self.rules.prices)}

    def _failed(self, question: Question, error: str) -> dict[str, Any]:
        """A line with the keys of an answer, so that whoever reads the file reads all lines one way."""
        empty = Answer(
            id=question.id, question=question.text, edition=self.edition, status=Status.REFUSED, text="",
            claims=(), citations=(), refusal="", notes=(), read=(), unfollowed=(), searched=(), calls=0,
            characters=0, seconds=0.0, model=self.model,
        )  # fmt: skip
        return {**empty.to_dict(), "status": ERROR, "error": error}
