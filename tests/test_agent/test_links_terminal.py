"""An answer that is asked for once, in a real terminal: its sections lead to their public page."""

import subprocess
import sys
from pathlib import Path

import pytest

from setup.pipeline import build
from setup.sources import read_source
from storage.embedder import load_embedder
from storage.model import BreakdownRules
from storage.progress import Silent
from storage.settings import ROOT, Settings
from storage.writer import write_edition
from tests.test_agent.terminal import terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals on Windows")

ASKED = ["-m", "agent", "--edition", "es2026", "What does Count::divide do when the divisor is 0?"]
SECTION = "sec-numeric-types-count-divide"
LINK = f"\x1b]8;;https://tc39.es/ecma262/2026/#{SECTION}\x1b\\{SECTION}\x1b]8;;\x1b\\"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A store with the sample's text under the name of an edition that has a public page."""
    settings = Settings(storage_dir=tmp_path_factory.mktemp("store"), edition=None, source=None)
    source = read_source(str(ROOT / "setup" / "sample"), sample=False, settings=settings, progress=Silent())
    made = build(source, edition="es2026", rules=BreakdownRules(), progress=Silent())
    write_edition(Path(settings.storage_dir), made.assembled.built, load_embedder(settings))
    return {"ASK262_STORAGE_DIR": str(settings.storage_dir), "TERM": "xterm-256color"}


def shown(arguments: list[str], environment: dict[str, str]) -> str:
    with terminal(arguments, environment=environment) as opened:
        assert opened.leave() == 0
        return opened.raw


def test_on_a_terminal_each_section_of_an_answer_leads_to_its_public_page(
    environment: dict[str, str],
) -> None:
    told = shown(ASKED, environment)
    assert LINK in told
    assert "\x1b" not in told.replace(LINK, "").replace("\x1b]8;;", "").replace("\x1b\\", "")


@pytest.mark.parametrize("changed", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_or_can_show_none_gets_no_links(
    environment: dict[str, str], changed: dict[str, str]
) -> None:
    told = shown(ASKED, environment | changed)
    assert SECTION in told
    assert "\x1b" not in told


def test_only_text_is_linked(environment: dict[str, str]) -> None:
    assert "\x1b" not in shown([*ASKED, "--format", "markdown"], environment)


def test_a_pipe_gets_no_links(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([sys.executable, *ASKED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert SECTION in done.stdout
    assert "\x1b" not in done.stdout
