"""Questions one after another: commands, errors and interruptions do not end the loop."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent.answer import Answer
from agent.repl import COMMANDS, converse
from storage.errors import ModelError
from tests.test_agent.test_answer import answer
from tests.test_tools.fake import FakeReader, small


@dataclass
class FakeSession:
    """Answers everything with one answer, or raises what it is told to."""

    reader: FakeReader = field(default_factory=small)
    asked: list[str] = field(default_factory=list)
    raises: BaseException | None = None

    def ask(self, question: str) -> Answer:
        self.asked.append(question)
        if self.raises:
            raise self.raises
        return answer(text=f"about {question}")


def typed(*lines: str | BaseException) -> Callable[[str], str]:
    """A person who types these lines and then ends the input."""
    left = iter(lines)

    def read(_: str) -> str:
        line = next(left, EOFError())
        if isinstance(line, BaseException):
            raise line
        return line

    return read


def talk(session: FakeSession, *lines: str | BaseException) -> None:
    fake: Any = session
    converse(fake, read=typed(*lines))


def test_answers_go_to_standard_output_and_the_rest_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = FakeSession()
    talk(session, "What is a bed?", "", "  ", "What is rain?")
    told = capsys.readouterr()
    assert session.asked == ["What is a bed?", "What is rain?"]
    assert told.out.startswith("about What is a bed?")
    assert "about What is rain?" in told.out
    assert "Ask a question" in told.err


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    talk(FakeSession(), "/help")
    told = capsys.readouterr()
    assert told.out == ""
    assert all(name in told.err for name in COMMANDS)


def test_quit_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    session = FakeSession()
    talk(session, "/quit", "never asked")
    assert session.asked == []


def test_an_unknown_command_is_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    session = FakeSession()
    talk(session, "/halp")
    assert session.asked == []
    assert "/help lists them" in capsys.readouterr().err


def test_the_edition_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    talk(FakeSession(), "/edition")
    assert "test-1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("raised", "said"),
    [(ModelError("The model m is down."), "The model m is down."), (KeyboardInterrupt(), "Stopped.")],
)
def test_an_error_or_ctrl_c_ends_the_answer_and_not_the_loop(
    raised: BaseException, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = FakeSession(raises=raised)
    talk(session, "first", "second")
    told = capsys.readouterr()
    assert session.asked == ["first", "second"]
    assert told.out == ""
    assert said in told.err


def test_ctrl_c_at_the_prompt_says_how_to_leave(capsys: pytest.CaptureFixture[str]) -> None:
    session = FakeSession()
    talk(session, KeyboardInterrupt(), "asked after")
    assert session.asked == ["asked after"]
    assert "Ctrl-D" in capsys.readouterr().err
