"""The conversation in a real terminal: keys, colours, links, interruptions. A pseudo-terminal, the sample."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from storage.settings import Settings
from tests.test_agent.terminal import CTRL_C, CTRL_D, ENTER, ESCAPE, TAB, UP, Terminal, terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals on Windows")

COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
LINK = re.compile(r"\x1b\]8;[^;]*;(?P<url>[^\x1b\x07]+)")
PROMPT = "ask262>"
QUESTION = "What does Count::divide do when the divisor is 0?"

Start = Callable[..., AbstractContextManager[Terminal]]


@pytest.fixture
def start(sample_settings: Settings) -> Start:
    """Starts a conversation over the sample."""

    def run(**environment: str) -> AbstractContextManager[Terminal]:
        known = {"ASK262_STORAGE_DIR": str(sample_settings.storage_dir), "TERM": "xterm-256color"}
        return terminal(["-m", "agent", "--sample"], environment=known | environment)

    return run


@pytest.fixture
def running(start: Start) -> Iterator[Terminal]:
    with start() as opened:
        opened.until(PROMPT)
        yield opened


def test_a_person_asks_is_answered_and_leaves(running: Terminal) -> None:
    running.press(QUESTION + ENTER)
    told = running.until(r"; /trace shows them")
    assert "throw a ValueFault exception (L-501)" in told
    assert "verified" in told
    assert re.search(r"\d+ calls?, \d+ search(?:es)?, \d+ sections? read, [\d.]+ s", told)
    running.until(PROMPT)
    assert COLOUR.search(running.raw)
    running.press(CTRL_D)
    assert running.leave() == 0


def test_ctrl_c_stops_an_answer_and_keeps_the_conversation(running: Terminal) -> None:
    running.press(f"/trace on{ENTER}")
    running.until(r"Every step")
    running.until(PROMPT)
    running.press(QUESTION + ENTER)
    running.until(r"-> ")
    running.press(CTRL_C)
    running.until(r"Stopped\.")
    running.until(PROMPT)
    running.press(f"/sources{ENTER}")
    running.until(r"nothing was asked yet")
    running.until(PROMPT)
    running.press(QUESTION + ENTER)
    running.until(r"ValueFault[\s\S]*/trace shows them")
    running.until(PROMPT)
    running.press(CTRL_D)
    assert running.leave() == 0


def test_a_colour_that_was_pasted_along_is_no_fault(running: Terminal) -> None:
    running.press(f"{ESCAPE}[31m/help{ENTER}")
    assert "Unhandled exception" not in running.until(r"/quit")
    running.until(PROMPT)
    running.press(CTRL_D)
    assert running.leave() == 0


def test_ctrl_c_at_the_prompt_keeps_the_conversation(running: Terminal) -> None:
    running.press("half a quest")
    running.until("half a quest")
    running.press(CTRL_C)
    running.until(r"Ctrl-D or /quit leaves\.")
    running.until(PROMPT)
    running.press(CTRL_D)
    assert running.leave() == 0


def test_tab_completes_a_command_and_a_section_id(running: Terminal) -> None:
    running.press("/sec" + TAB)
    running.until("/section")
    running.press(" sec-unitr" + TAB)
    running.until("sec-unitratio")
    running.press(ENTER)
    running.until(r"throw a UnitFault exception")


def test_up_recalls_what_was_typed(running: Terminal) -> None:
    running.press(f"/find UnitRatio{ENTER}")
    running.until(r"6\.5 UnitRatio \( from, to \)")
    running.until(PROMPT)
    running.press(UP)
    running.until("/find UnitRatio")
    running.press(ENTER)
    running.until(r"6\.5 UnitRatio \( from, to \)")


def test_escape_enter_begins_a_line_and_enter_sends_all(running: Terminal) -> None:
    running.press("/search rounds towards" + ESCAPE + ENTER)
    running.until(r"\.\.\.")
    running.press("negative infinity" + ENTER)
    running.until(r"for `rounds towards negative infinity`")


def test_pasted_lines_wait_for_enter(running: Terminal) -> None:
    running.press("\x1b[200~/search rounds towards\nnegative infinity\x1b[201~")
    running.until("negative infinity")
    running.press(ENTER)
    running.until(r"for `rounds towards negative infinity`")


def test_without_colour_nothing_is_coloured_or_linked(start: Start) -> None:
    with start(NO_COLOR="1") as opened:
        opened.until(PROMPT)
        opened.press(QUESTION + ENTER)
        opened.until(r"; /trace shows them")
        opened.press(f"/nonsense{ENTER}")
        opened.until("there is no command")
        opened.until(PROMPT)
        opened.press(CTRL_D)
        assert opened.leave() == 0
    assert not COLOUR.search(opened.raw)
    assert not LINK.search(opened.raw)


def test_a_dumb_terminal_gets_plain_lines(start: Start) -> None:
    with start(TERM="dumb") as opened:
        opened.until(PROMPT)
        opened.press(QUESTION + ENTER)
        opened.until(r"throw a ValueFault exception[\s\S]*; /trace shows them")
        opened.press(f"/quit{ENTER}")
        assert opened.leave() == 0
    assert not COLOUR.search(opened.raw)


def test_the_sample_has_no_public_page_and_no_links(running: Terminal) -> None:
    running.press(f"/section sec-unitratio{ENTER}")
    running.until("throw a UnitFault exception")
    running.until(PROMPT)
    assert not LINK.search(running.raw)


def test_what_was_typed_is_remembered_for_its_owner_alone(
    running: Terminal, sample_settings: Settings
) -> None:
    running.press(f"/find UnitRatio{ENTER}")
    running.until(r"6\.5 UnitRatio")
    running.until(PROMPT)
    history = Path(sample_settings.storage_dir) / "history"
    assert "/find UnitRatio" in history.read_text(encoding="utf-8")
    assert history.stat().st_mode & 0o777 == 0o600
