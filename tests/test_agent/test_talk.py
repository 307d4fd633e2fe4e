"""The conversation: commands, errors and interruptions do not end it; whole transcripts over the sample."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.events import Listener, silent
from agent.offline import OfflineModel
from agent.session import Session, reopen
from agent.talk.commands import COMMANDS, Takes, execute
from agent.talk.keyboard import Names, completions
from agent.talk.loop import converse
from agent.talk.state import Conversation, More, Turn
from storage.embedder import load_embedder
from storage.errors import InputError, ModelError
from storage.reader import LanceReader
from storage.settings import Settings
from tests.golden import matches_golden
from tests.test_agent.helpers import settings
from tests.test_agent.test_answer import answer
from tests.test_tools.fake import FakeReader, small
from tools.strategies.table import STRATEGIES


@dataclass
class FakeSession:
    """Answers everything with one answer, or raises what it is told to."""

    reader: FakeReader = field(default_factory=small)
    asked: list[str] = field(default_factory=list)
    raises: BaseException | None = None
    settings: Settings = field(default_factory=settings)
    listener: Listener = silent

    def ask(self, question: str) -> Answer:
        self.asked.append(question)
        if self.raises:
            raise self.raises
        return answer(text=f"about {question}")


def typed(*lines: str | BaseException) -> Callable[[], str]:
    """A person who types these lines and then ends the input."""
    left: Iterator[str | BaseException] = iter(lines)

    def read() -> str:
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
    assert "Ask a question" in told.err
    assert "\x1b" not in told.out + told.err


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    talk(FakeSession(), "/help")
    told = capsys.readouterr().out
    assert [name for name in COMMANDS if name not in told] == []


def test_quit_leaves() -> None:
    session = FakeSession()
    talk(session, "/quit", "never asked")
    assert session.asked == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/halp", "did you mean /help?"),
        ("/sec", "did you mean /section?"),
        ("/s", "did you mean /section or /search or /sources?"),
        ("/trace maybe", "takes on, off or nothing"),
        ("/help me", "/help takes nothing after it"),
        ("/section", "say which, such as /section sec-tonumber"),
        ("/sources", "nothing was asked yet"),
        ("/budget many", "counts characters"),
        ("/budget 3", "ASK262_BUDGET_CHARACTERS"),
        ("/strategy magic", "magic is no strategy; there are default, flat_blocks"),
        ("/more", "there is nothing more to show"),
        ("/export talk.pdf", "ends in none of .md, .html, .json"),
        ("/resume nowhere.json", "nowhere.json cannot be read"),
        ("/edition es1999", "no edition"),
    ],
)
def test_a_command_that_cannot_work_is_one_line_and_ends_nothing(
    line: str, said: str, talking: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Exception, match=re.escape(said)) as raised:
        execute(line, talking)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("raised", "said"),
    [(ModelError("The model m is down."), "The model m is down."), (KeyboardInterrupt(), "Stopped.")],
)
def test_an_error_or_ctrl_c_ends_the_answer_and_not_the_conversation(
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


# -- completion ------------------------------------------------------------------------------------------

CLOSED = {Takes.STRATEGY: lambda: STRATEGIES, Takes.SWITCH: lambda: ("on", "off")}
TABLE = Names(["ToNumber", "ToNumeric", "sec-tonumber", "Array.prototype.map", "7.1.4"])


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("/se", ["/section", "/search"]),
        ("/section ton", ["ToNumber", "ToNumeric"]),
        ("/find array.", ["Array.prototype.map"]),
        ("What does ToNumb", ["ToNumber"]),
        ("What", []),
        ("/help T", []),
        ("/strategy fl", ["flat_blocks", "flat_sections", "flat_windows"]),
        ("/trace o", ["on", "off"]),
        ("/trace", ["/trace"]),
        ("/section %array", []),
        ("/budget 4", []),
    ],
)
def test_commands_and_names_are_completed_where_they_may_stand(before: str, expected: list[str]) -> None:
    assert sorted(completions(before, before.split(" ")[-1], lambda: TABLE, closed=CLOSED)) == sorted(
        expected
    )


# -- over the sample -------------------------------------------------------------------------------------


@pytest.fixture
def talking(sample_reader: LanceReader, sample_settings: Settings) -> Conversation:
    embedder = load_embedder(sample_settings)
    return Conversation(Session(sample_reader, embedder, OfflineModel(), sample_settings, silent), reopen)


ASKED = (
    "What does Count::divide do when the divisor is 0?",
    "And why?",
    "/sources",
    "/trace",
    "/why sec-unitratio",
    "/cost",
    "/section sec-unitratio",
    "/tree sec-types 2",
    "/children sec-types",
    "/find UnitRatio",
    "/refs sec-unitratio",
    "/search rounds towards negative infinity",
    "/strategy section_first",
    "/search rounds towards negative infinity",
    "/budget 5,000",
    "/edition",
    "/model",
    "/nonsense",
)


def test_a_whole_conversation_reads_like_this(
    talking: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    converse(talking.session, read=typed(*ASKED))
    told = capsys.readouterr()
    text = f"{told.out}\n---- standard error\n{told.err}"
    text = re.sub(r"[\d.]+ s\b", "0.0 s", text)
    text = re.sub(r"built \S+ from \S+", "built WHEN from WHERE", text)
    assert matches_golden("test_agent/golden/conversation.txt", text)


@pytest.fixture
def after(talking: Conversation) -> Conversation:
    """A conversation with one turn."""
    asked = ASKED[0]
    talking.add(Turn(asked, talking.session.ask(asked)), tokens=(0, 0))
    return talking


@pytest.mark.parametrize("name", ["talk.md", "talk.html", "talk.json"])
def test_a_conversation_is_exported_and_nothing_is_overwritten(
    after: Conversation, tmp_path: Path, name: str
) -> None:
    execute(f"/export {tmp_path / name}", after)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "What does Count::divide do" in text.replace("\\", "")
    with pytest.raises(InputError, match="is there already"):
        execute(f"/export {tmp_path / name}", after)
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_saved_conversation_is_taken_up_as_it_was(after: Conversation, tmp_path: Path) -> None:
    execute(f"/save {tmp_path / 'talk.json'}", after)
    again = Conversation(after.session, reopen)
    execute(f"/resume {tmp_path / 'talk.json'}", again)
    assert [turn.answer.to_dict() for turn in again.turns] == [turn.answer.to_dict() for turn in after.turns]
    assert execute("/sources", again) == execute("/sources", after)


@pytest.mark.parametrize(
    "data",
    [
        "[]",
        "{}",
        '{"schema": "ask262/session/1", "turns": [{}]}',
        '{"schema": "ask262/session/1", "turns": [{"question": "x", "answer": {"id": 3}}]}',
        "{broken",
    ],
)
def test_a_file_that_is_no_conversation_is_refused_in_one_line(
    after: Conversation, tmp_path: Path, data: str
) -> None:
    (tmp_path / "talk.json").write_text(data)
    with pytest.raises(InputError) as raised:
        execute(f"/resume {tmp_path / 'talk.json'}", after)
    assert "\n" not in str(raised.value)
    assert len(after.turns) == 1


def test_what_was_saved_cannot_act_on_a_terminal(after: Conversation, tmp_path: Path) -> None:
    turn = after.turns[0]
    hostile = replace(turn.answer, text="\x1b[2Jgone", question="\x1b]0;title\x07")
    after.turns[0] = Turn("\x1b[31mred", hostile)
    execute(f"/save {tmp_path / 'talk.json'}", after)
    assert "\x1b" not in (tmp_path / "talk.json").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "talk.json").read_text())["turns"][0]["question"] == "\x1b[31mred"
    assert "\x1b" not in execute(f"/resume {tmp_path / 'talk.json'}", Conversation(after.session, reopen))


def test_a_long_section_goes_on_with_more(talking: Conversation) -> None:
    first = talking.toolbox.fetch_section_chunks("sec-types", recursive=True, limit=500)
    talking.more = More("sec-types", str(first.data["next"]))
    shown = execute("/more", talking)
    assert shown != first.text
    assert "cursor" not in shown
    assert talking.more is None
