"""What a doctor sees of sources, addresses, models and prompts."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from setup.doctor_finding import Finding, Severity
from setup.doctor_models import chat_model, embedder, prompts
from setup.doctor_sources import configured_source, downloads
from setup.sources import read_source
from storage.progress import Silent
from storage.settings import ROOT
from tests.test_setup.test_doctor import HTML
from tests.test_storage.small import settings_for


def test_the_configured_source_must_be_there(tmp_path: Path) -> None:
    def look(source: str | None) -> Finding:
        (finding,) = configured_source(settings_for(tmp_path, source=source))
        return finding

    assert look(None).severity is Severity.OK
    assert look("https://example.invalid/spec/").severity is Severity.OK
    assert look(str(tmp_path / "gone")).severity is Severity.FAIL
    (tmp_path / "a.html").write_text(HTML)
    assert look(str(tmp_path)).message == f"{tmp_path}: 1 files"


Answers = dict[str, tuple[int, str]]


@pytest.fixture
def server() -> Iterator[tuple[str, Answers]]:
    """An address, and what is answered there by path; anything else is 404."""
    answers: Answers = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answers.get(self.path, (404, ""))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        thread = threading.Thread(target=one.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{one.server_port}", answers
        one.shutdown()
        thread.join()


def test_kept_downloads_are_checked_file_by_file(tmp_path: Path, server: tuple[str, Answers]) -> None:
    address, answers = server
    settings = settings_for(tmp_path, offline=False)
    assert list(downloads(settings)) == []
    answers["/index.html"] = (200, HTML)
    read_source(f"{address}/index.html", sample=False, settings=settings, progress=Silent())
    (page,) = tmp_path.glob("downloads/*/index.html")
    (intact,) = downloads(settings)
    assert (intact.severity, intact.message) == (
        Severity.OK,
        f"{address}/index.html: 1 files, as they were fetched",
    )
    page.write_text("tampered")
    (tampered,) = downloads(settings)
    page.unlink()
    (missing,) = downloads(settings)
    for finding in (tampered, missing):
        assert finding.severity is Severity.FAIL
        assert finding.remedy == f"python -m setup.ingest {address}/index.html --refresh"
    page.with_name("manifest.json").write_text("{")
    (torn,) = downloads(settings)
    assert (torn.severity, torn.remedy) == (Severity.WARN, f"rm -r {page.parent}")


# -- models -----------------------------------------------------------------------------------------------

LISTED = json.dumps({"data": [{"id": "served"}]})


@pytest.mark.parametrize(
    ("answer", "model", "severity", "remedy"),
    [
        ((200, LISTED), "served", Severity.OK, ""),
        ((200, LISTED), "openai:served", Severity.OK, ""),
        ((200, LISTED), "other", Severity.WARN, "export {setting}=served"),
        ((200, "no list"), "other", Severity.OK, ""),
        ((200, "[" * 100_000), "other", Severity.OK, ""),
        ((200, json.dumps({"data": [{"id": "$(id)"}]})), "other", Severity.WARN, "export {setting}='$(id)'"),
        ((200, json.dumps({"data": [{"id": "a\x1b[31m\nb"}]})), "other", Severity.OK, ""),
        ((404, ""), "other", Severity.OK, ""),
        ((401, ""), "served", Severity.FAIL, "export {key}=KEY"),
    ],
)
def test_a_configured_address_is_asked_once(
    tmp_path: Path,
    server: tuple[str, Answers],
    answer: tuple[int, str],
    model: str,
    severity: Severity,
    remedy: str,
) -> None:
    address, answers = server
    answers["/v1/models"] = answer
    chat = settings_for(tmp_path, model=model, base_url=f"{address}/v1", offline=True)
    vectors = settings_for(tmp_path, embedder=model, embedder_base_url=f"{address}/v1", offline=True)
    for (finding,), setting, key in (
        (chat_model(chat), "ASK262_MODEL", "ASK262_API_KEY"),
        (embedder(vectors), "ASK262_EMBEDDER", "ASK262_EMBEDDER_API_KEY"),
    ):
        assert finding.severity is severity
        assert finding.remedy == remedy.format(setting=setting, key=key)


def test_a_server_that_is_down_is_told_with_its_address(tmp_path: Path) -> None:
    (down,) = chat_model(settings_for(tmp_path, model="m", base_url="http://127.0.0.1:9/v1"))
    assert down.severity is Severity.FAIL
    assert "http://127.0.0.1:9/v1 cannot be reached" in down.message


def test_a_server_is_told_without_its_password(tmp_path: Path) -> None:
    address = "http://me:hunter2@127.0.0.1:9/v1"
    for name in ("m", None):
        (found,) = chat_model(settings_for(tmp_path, model=name, base_url=address))
        assert found.severity is Severity.FAIL
        assert "127.0.0.1:9/v1" in found.message
        assert "hunter2" not in f"{found.message} {found.remedy}"


@pytest.mark.parametrize(
    ("named", "severity"),
    [
        ({"model": None, "base_url": None}, Severity.OK),
        ({"model": "offline"}, Severity.OK),
        ({"model": "openai:x", "base_url": None, "offline": False}, Severity.OK),
        ({"model": "openai:x", "base_url": None, "offline": True}, Severity.FAIL),
        ({"model": None, "base_url": "http://127.0.0.1:9/v1"}, Severity.FAIL),
        ({"model": "m", "base_url": "http://models.invalid/v1", "offline": True}, Severity.FAIL),
    ],
)
def test_no_address_is_asked_that_is_not_configured_or_not_allowed(
    tmp_path: Path, named: dict[str, object], severity: Severity
) -> None:
    (finding,) = chat_model(settings_for(tmp_path, **named))
    assert finding.severity is severity


def test_an_embedder_out_of_reach_is_told(tmp_path: Path) -> None:
    (offline,) = embedder(settings_for(tmp_path, embedder="openai:x", offline=True))
    assert (offline.severity, offline.remedy) == (Severity.FAIL, "export ASK262_EMBEDDER=minilm")
    (provider,) = embedder(settings_for(tmp_path, embedder="openai:x", offline=False))
    assert provider.severity is Severity.OK


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, "greeting.md cannot be read"),
        ("Good day.", "greeting.md has [], the code gives ['name']"),
        ("Good {{day}}, {{name}}.", "greeting.md has ['day', 'name'], the code gives ['name']"),
    ],
)
def test_a_prompt_must_have_the_placeholders_that_the_agent_fills_in(
    tmp_path: Path, text: str | None, fault: str
) -> None:
    folder, code = tmp_path / "prompts", tmp_path / "agent"
    folder.mkdir()
    code.mkdir()
    (code / "greet.py").write_text('def greet(name):\n    return render("greeting", name=name)\n')
    (folder / "greeting.md").write_text("Good day, {{name}}.")
    assert [finding.severity for finding in prompts(folder, code)] == [Severity.OK]
    (folder / "greeting.md").unlink()
    if text is not None:
        (folder / "greeting.md").write_text(text)
    (finding,) = prompts(folder, code)
    assert (finding.severity, finding.message) == (Severity.FAIL, fault)


def test_every_prompt_of_the_project_is_looked_at() -> None:
    (finding,) = prompts()
    # Those of the MCP server are rendered by a table of jobs, whose own test fills in each.
    named = [path for path in (ROOT / "prompts").rglob("*.md") if path.parent.name != "mcp"]
    assert finding.message == f"{len(named)} prompts, complete"
