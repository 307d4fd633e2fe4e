"""The conversation: commands, errors and interruptions do not end it; whole transcripts over the sample."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer, Claim
from agent.events import Listener, silent
from agent.session import reopen
from agent.talk.commands import COMMANDS, Gives, Takes, execute
from agent.talk.keyboard import OFFERED, Names, _writable, completions
from agent.talk.loop import converse, respond
from agent.talk.state import Conversation, More
from storage.errors import ModelError
from storage.reader import LanceReader
from storage.settings import Settings
from tests.golden import matches_golden
from tests.test_agent.helpers import settings
from tests.test_agent.scripted import ScriptedModel, call
from tests.test_agent.scripted import answer as model_answer
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
        return answer(claims=(Claim(f"about {question}", (0,)),))


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
    told = capsys.readouterr().err
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
        ("/budget 3", "/budget is"),
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


def test_where_no_history_can_be_kept_none_is(tmp_path: Path) -> None:
    assert not _writable(tmp_path / "no-folder" / "history")
    assert not _writable(tmp_path)
    assert _writable(tmp_path / "history")


def test_the_list_of_commands_fits_80_columns(talking: Conversation) -> None:
    assert max(map(len, execute("/help", talking).splitlines())) < 80


def test_completion_among_as_many_names_as_a_specification_has_reads_only_what_it_offers() -> None:
    names = Names(f"sec-name-{number:05}" for number in range(38_000))
    assert names.beginning("SEC-NAME-3") == [f"sec-name-3{number:04}" for number in range(OFFERED)]
    assert names.beginning("sec-none") == []


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


DIVIDE = "sec-numeric-types-count-divide"


def knowing() -> ScriptedModel:
    """A model that searches, reads and answers twice; what the built-in one does is tested elsewhere."""
    said = (
        ("It throws a ValueFault.", "If ℝ(y) = 0, throw a ValueFault exception (L-501)."),
        ("The quotient has to be a Count.", "so that the quotient of two Counts is always a Count"),
    )
    script = [
        line
        for number, (claim, quote) in enumerate(said, start=1)
        for line in (
            call("search_spec", query=f"divide by 0, {number}", limit=3),
            call("fetch_section_chunks", sectionid=DIVIDE),
            call("no_such_tool"),
            model_answer((claim, [(DIVIDE, quote)])),
        )
    ]
    return ScriptedModel(script=script)


def test_a_whole_conversation_reads_like_this(
    talking: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    converse(replace(talking.session, model=knowing()), read=typed(*ASKED))
    told = capsys.readouterr()
    text = f"{told.out}\n---- standard error\n{told.err}"
    text = re.sub(r"[\d.]+ s\b", "0.0 s", text)
    text = re.sub(r"built \S+ from \S+", "built WHEN from WHERE", text)
    assert matches_golden("test_agent/golden/conversation.txt", text)


def test_every_id_that_a_list_shows_is_taken_by_every_command(talking: Conversation) -> None:
    shown = "\n".join(execute(line, talking) for line in ("/find next", "/refs sec-unitratio", "/tree"))
    ids = [name for name in re.findall(r"[\w%.-]+", shown) if name in talking.session.reader.outline()]
    assert any("%" in one for one in ids)
    for one in ids:
        assert execute(f"/section {one}", talking)
        assert execute(f"/refs {one}", talking)


def test_an_id_is_linked_where_its_edition_has_a_page(talking: Conversation) -> None:
    assert talking.link("sec-types") == ""
    published: Any = Published(talking.session.reader)
    session = replace(talking.session, reader=published)
    assert Conversation(session, reopen).link("sec-types") == "https://tc39.es/ecma262/2026/#sec-types"
    assert Conversation(session, reopen).link("sec-nowhere") == ""


class Published:
    """A reader whose edition is public."""

    def __init__(self, reader: LanceReader) -> None:
        self.record = replace(reader.record, edition="es2026", sample=False)
        self.outline = reader.outline


def test_status_goes_to_standard_error_and_text_to_standard_output(
    talking: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in COMMANDS.values():
        if command.takes in (Takes.SWITCH, Takes.EDITION, Takes.MODEL, Takes.STRATEGY, Takes.NUMBER):
            respond(command.name, talking)
            told = capsys.readouterr()
            assert command.gives is Gives.TEXT or (told.out == "" and told.err)
    respond("/section sec-unitratio", talking)
    told = capsys.readouterr()
    assert ("UnitFault" in told.out, told.err) == (True, "")


def test_a_question_may_begin_with_a_stroke_after_a_space(capsys: pytest.CaptureFixture[str]) -> None:
    session = FakeSession()
    talk(session, " /a/u.test(x)?", "/a/u.test(x)?")
    assert session.asked == ["/a/u.test(x)?"]
    assert "there is no command" in capsys.readouterr().err


def test_a_long_section_goes_on_with_more(talking: Conversation) -> None:
    first = talking.toolbox.fetch_section_chunks("sec-types", recursive=True, limit=500)
    talking.more = More("sec-types", str(first.data["next"]))
    shown = execute("/more", talking)
    assert shown != first.text
    assert "cursor" not in shown
    assert talking.more is None
