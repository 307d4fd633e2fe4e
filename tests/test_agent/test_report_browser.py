"""The report in a real Chromium: opened from the disk, asks nobody for anything, and is accessible."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from agent.batch.__main__ import main
from agent.report.page import answers_page
from storage.settings import Settings
from tests.test_agent.browser import asked_for, chromium, dom, picture
from tests.test_agent.test_report import planted

pytestmark = pytest.mark.live

QUESTIONS = """\
What does Count::divide do when the divisor is 0?
What does UnitRatio do with bare?
Which clause defines setTimeout?
When is a UnitFault thrown?
What is a Reading?
"""
AXE = "axe-core@4.11.0"
"""Deque's checker, pinned: other releases have other rules."""
_RUN = """
axe.run(document, {resultTypes: ["violations"]}).then(
  result => {
    const told = document.createElement("pre");
    told.id = "axe-told";
    told.textContent = JSON.stringify({
      passes: result.passes.length,
      violations: result.violations.map(
        one => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map(node => node.html).join(" ")}`)});
    document.body.append(told);
  });
"""


@pytest.fixture(scope="module")
def report(sample_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real batch over the sample."""
    chromium()
    folder = tmp_path_factory.mktemp("report")
    (folder / "questions.txt").write_text(QUESTIONS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
        page = folder / "report.html"
        out = str(folder / "answers.jsonl")
        assert main([str(folder / "questions.txt"), "--sample", "--out", out, "--report", str(page)]) == 0
    return page


def opened(page: Path, to: Path) -> Path:
    """The same with everything unfolded."""
    to.write_text(page.read_text(encoding="utf-8").replace("<details>", "<details open>"), encoding="utf-8")
    return to


def test_a_report_asks_nobody_for_anything(report: Path, tmp_path: Path) -> None:
    control = tmp_path / "control.html"
    control.write_text('<!doctype html><img src="http://report.example/x.png">', encoding="utf-8")
    assert asked_for(control) == {"http://report.example/x.png"}
    assert asked_for(report) == set()


def test_planted_markup_runs_nothing_and_asks_nobody(tmp_path: Path) -> None:
    page = tmp_path / "planted.html"
    page.write_text(
        "".join(answers_page([planted()], title="<script>", reader=None, budget=1)), encoding="utf-8"
    )
    assert asked_for(page) == set()
    assert "<script" not in dom(page)


def test_everything_is_there_once_the_browser_has_read_it(report: Path) -> None:
    shown = dom(report)
    assert shown.count('<article class="ask262"') == len(QUESTIONS.splitlines())
    assert re.search(r"<mark>[^<]*throw a ValueFault exception", shown)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on the PATH")
    folder = tmp_path_factory.mktemp("npm")
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder), AXE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        pytest.skip(f"npm cannot install {AXE} here: {done.stderr.strip()[-200:]}")
    return script.read_text(encoding="utf-8")


def judged(page: Path, axe: str, *, dark: bool, width: int) -> Any:
    """What axe-core says. Injected into a copy, which may run scripts where the report may not."""
    copy = page.with_name("judged.html")
    text = re.sub(r"<meta http-equiv[^>]*>", "", page.read_text(encoding="utf-8"))
    scripts = "".join(f"<script>{code}</script>" for code in (axe.replace("</script", r"<\/script"), _RUN))
    copy.write_text(text.replace("</body>", f"{scripts}</body>"), encoding="utf-8")
    told = re.search(r'<pre id="axe-told">(.*?)</pre>', dom(copy, dark=dark, width=width), re.DOTALL)
    assert told, "axe-core said nothing"
    return json.loads(unescape(told[1]))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1_280, 500])
def test_a_report_is_accessible(report: Path, tmp_path: Path, axe: str, *, dark: bool, width: int) -> None:
    told = judged(opened(report, tmp_path / "open.html"), axe, dark=dark, width=width)
    assert told["violations"] == []
    assert told["passes"] > 10


def test_the_checker_finds_what_is_wrong(tmp_path: Path, axe: str) -> None:
    page = tmp_path / "wrong.html"
    page.write_text(
        '<!doctype html><html><body><main><img src="data:,"></main></body></html>', encoding="utf-8"
    )
    found = judged(page, axe, dark=False, width=1_280)["violations"]
    assert {one.partition(":")[0] for one in found} >= {"html-has-lang", "image-alt", "document-title"}


_EDGE = """
const wide = WIDTH;
document.body.style.width = `${wide}px`;
const edges = [...document.querySelectorAll("body *")].map(one => one.getBoundingClientRect().right);
document.title = `edge ${Math.ceil(Math.max(...edges))}`;
"""
PHONE = 390
"""Narrower than a window of Chromium may be: the body is made so narrow."""


@pytest.mark.parametrize("width", [1_280, PHONE])
def test_nothing_in_a_report_is_wider_than_the_screen(report: Path, tmp_path: Path, width: int) -> None:
    page = opened(report, tmp_path / "open.html")
    text = re.sub(r"<meta http-equiv[^>]*>", "", page.read_text(encoding="utf-8"))
    script = f"<script>{_EDGE.replace('WIDTH', str(width))}</script></body>"
    page.write_text(text.replace("</body>", script), encoding="utf-8")
    found = re.search(r"<title>edge (\d+)</title>", dom(page))
    assert found
    assert 0 < int(found[1]) <= width


def test_a_report_is_painted(report: Path, tmp_path: Path) -> None:
    """How it looks is for people: they are kept where pytest keeps its folders, and were looked at."""
    light = picture(report, tmp_path / "light.png", width=1_280, height=1_600)
    dark = picture(report, tmp_path / "dark.png", width=1_280, height=1_600, dark=True)
    assert light.startswith(b"\x89PNG")
    assert light != dark
