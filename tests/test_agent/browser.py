"""A real headless Chromium for tests: what a page becomes in it, what it asks the network for, how it looks.

Nothing is fetched: names resolve to nothing. A profile of its own, removed afterwards.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

_ITSELF = "not an origin"
"""How the log names the initiator of what no page asked for."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 300
_QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def chromium() -> str:
    """Its program; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on the PATH; on Debian: apt-get install chromium")
    return found


def dom(page: Path, *, dark: bool = False, width: int = 1_280) -> str:
    """The page as it stands once its scripts have run."""
    return _run(page, "--dump-dom", "--virtual-time-budget=120000", *_look(dark, width, 2_000))


def asked_for(page: Path) -> set[str]:
    """Every address of a network that the page made the browser request.

    What the browser asks for on its own (the time, a dictionary) has no page as its initiator.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "net.json"
        _run(page, "--dump-dom", f"--log-net-log={log}", "--net-log-capture-mode=Everything")
        text = log.read_text(encoding="utf-8", errors="replace")
    try:
        events = json.loads(text)["events"]
    except ValueError:
        # Chromium may end before it has closed the list.
        events = json.loads(text.rstrip().rstrip(",") + "]}")["events"]
    told = [event.get("params") or {} for event in events]
    urls = {str(one["url"]) for one in told if "url" in one and one.get("initiator", _ITSELF) != _ITSELF}
    return {url for url in urls if not url.startswith(("file:", "data:", "chrome:", "about:"))}


def picture(page: Path, to: Path, *, width: int, height: int, dark: bool = False) -> bytes:
    """A PNG of the page."""
    _run(page, f"--screenshot={to}", *_look(dark, width, height))
    return to.read_bytes()


def _look(dark: bool, width: int, height: int) -> tuple[str, ...]:
    size = f"--window-size={width},{height}"
    return (size, "--blink-settings=preferredColorScheme=0") if dark else (size,)


def _run(page: Path, *options: str) -> str:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command: Sequence[str] = [
            chromium(), *_QUIET, f"--user-data-dir={profile}", *options, page.resolve().as_uri()
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout
