"""The first session of someone who has only cloned the project: nothing built yet, a real terminal."""

import re
import sys
from pathlib import Path

import pytest

from tests.test_agent.terminal import CTRL_D, ENTER, terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals on Windows")

PROMPT = "ask262>"


def unwrapped(text: str) -> str:
    """As it was before the terminal's width broke its lines."""
    return " ".join(text.split())


def test_a_newcomer_asks_looks_exports_and_leaves(tmp_path: Path) -> None:
    """Each step waits for what the person would wait for, and nothing else is in the way."""
    page = tmp_path / "talk.html"
    environment = {"ASK262_STORAGE_DIR": str(tmp_path / "store"), "TERM": "xterm-256color"}
    with terminal(["-m", "agent", "--sample"], environment=environment) as person:
        built = person.until(PROMPT)
        assert "Ask a question, or /help; Ctrl-D leaves." in built
        assert "Traceback" not in built
        assert str(tmp_path / "store") in built.replace("\n", "")

        person.press(f"What does Count::divide do when the divisor is 0?{ENTER}")
        first = unwrapped(person.until("/trace shows them"))
        assert "throw a ValueFault exception" in first
        assert "✓ verified" in first
        assert "an invented language" in first
        person.until(PROMPT)

        person.press(f"When does UnitRatio throw a UnitFault?{ENTER}")
        second = unwrapped(person.until("/trace shows them"))
        assert "L-302" in second
        assert "an invented language" not in second
        person.until(PROMPT)

        person.press(f"Which clause defines setTimeout?{ENTER}")
        assert "Refused: " in person.until("/trace shows them")
        person.until(PROMPT)

        person.press(f"/sources{ENTER}")
        assert "The last answer quotes nothing." in person.until(r"of 40,000 characters")
        person.until(PROMPT)

        person.press(f"/section UnitRatio{ENTER}")
        person.until(r"throw a UnitFault\s+exception \(L-302\)")
        person.until(PROMPT)

        person.press(f"/export {page}{ENTER}")
        person.until("written: ")
        person.until(PROMPT)
        person.press(CTRL_D)
        assert person.leave() == 0
        assert "Traceback" not in person.text
    text = page.read_text(encoding="utf-8")
    assert len(re.findall("<article", text)) == 3
    assert "<mark>" in text
