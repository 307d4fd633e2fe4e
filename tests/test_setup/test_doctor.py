"""Every fault that a doctor must see, planted one by one in a sound store."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from setup.doctor import findings, main
from setup.doctor_finding import Finding, Severity
from setup.doctor_sources import sections_in
from setup.doctor_store import room, store_findings
from setup.pipeline import build
from setup.sources import read_source
from storage.catalog import TABLE, list_editions
from storage.identity import BUNDLED
from storage.lance import connect, tables_folder
from storage.model import BreakdownRules
from storage.progress import Silent
from storage.settings import ROOT, Settings
from storage.vector_cache import FILE_NAME, VectorCache, embed_cached
from storage.writer import write_edition
from tests.test_storage.small import LetterEmbedder, settings_for
from tests.test_storage.test_catalog import outdate

HTML = """<title>T</title><div id="spec-container"><emu-clause id="sec-a"><h1>1 Alpha</h1><p>Alpha text.</p>
<emu-clause id="sec-b"><h1>1.1 Beta</h1><p>Beta text.</p></emu-clause></emu-clause></div>"""


class Lookalike(LetterEmbedder):
    """Calls itself the bundled embedder, and is quick."""

    def __init__(self) -> None:
        super().__init__()
        self.identity = BUNDLED

    def _vector(self, text: str) -> list[float]:
        return super()._vector(text) + [0.5] * (BUNDLED.dimension - 26)


def ingest(parent: Path, html: str = HTML) -> Settings:
    """Settings of a store with the edition `small`, made of `small.html` beside it."""
    (parent / "small.html").write_text(html)
    settings = settings_for(parent / "store", source=None, model=None, base_url=None, offline=False)
    source = read_source(str(parent / "small.html"), sample=False, settings=settings, progress=Silent())
    made = build(source, edition="small", rules=BreakdownRules(), progress=Silent())
    write_edition(settings.storage_dir, made.assembled.built, Lookalike())
    return settings


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parent = tmp_path_factory.mktemp("sound")
    ingest(parent)
    return parent


@pytest.fixture
def settings(sound: Path, tmp_path: Path) -> Settings:
    """A copy of the sound store, to be damaged."""
    shutil.copytree(sound / "store", tmp_path / "store")
    return settings_for(tmp_path / "store", source=None, model=None, base_url=None, offline=False)


def by_name(found: Iterator[Finding]) -> dict[str, Finding]:
    return {finding.name: finding for finding in found}


def table(settings: Settings, role: str) -> object:
    (record,) = list_editions(settings.storage_dir)
    return connect(settings.storage_dir).open_table(record.tables[role])


def test_a_sound_store_has_no_fault_and_a_fault_always_has_a_remedy(settings: Settings) -> None:
    found = list(findings(settings))
    assert {finding.severity for finding in found} == {Severity.OK}
    names = [finding.name for finding in found]
    assert names == [
        "source",
        "catalog",
        "small embedder",
        "small tables",
        "small structure",
        "small vectors",
        "small source",
        "leftovers",
        "embedding cache",
        "disk space",
        "embedder",
        "chat model",
        "prompts",
    ]
    assert "2 sections there and 2 in the store" in by_name(iter(found))["small source"].message


def test_looking_changes_no_file(settings: Settings) -> None:
    def files() -> dict[Path, int]:
        every = settings.storage_dir.rglob("*")
        # SQLite's own files for sharing the cache are none of ours.
        return {
            path: path.stat().st_mtime_ns for path in every if path.is_file() and "sqlite" not in path.name
        }

    before = files()
    list(findings(settings))
    assert files() == before


SQL = {
    "an orphan": ("units", {"parentsectionid": "sec-gone"}, "unitid = 'sec-b'", "structure", "check 5"),
    "a wrong marker": ("units", {"text": "Alpha text."}, "unitid = 'sec-a'", "structure", "check 2"),
    "a moved span": ("units", {"start": 0}, "unitid = 'sec-b'", "structure", "check"),
    "a level": (
        "units",
        {"level": "block"},
        "unitid = 'sec-b'",
        "structure",
        "of level section instead of 2",
    ),
    "changed text": ("pages", {"text": "x"}, "true", "structure", "check 4: page-small: span 0-"),
    "another digest": ("pages", {"digest": "x"}, "true", "structure", "small.html has another digest than"),
    "a text of another page": ("units", {"digest": "x"}, "true", "structure", "belongs to another text"),
    "a lost name": (
        "names",
        {"sectionid": "sec-gone"},
        "sectionid = 'sec-b'",
        "structure",
        "leads to sec-gone",
    ),
    "a zero vector": ("windows", {"vector": [0.0] * 384}, "unitid = 'sec-b'", "vectors", "sec-b#1 is zero"),
    "a stray vector": (
        "windows",
        {"unitid": "sec-gone"},
        "unitid = 'sec-b'",
        "vectors",
        "sec-b has no vector",
    ),
}


@pytest.mark.parametrize("fault", SQL)
def test_a_fault_in_the_rows_is_found_and_named(settings: Settings, fault: str) -> None:
    role, values, where, name, message = SQL[fault]
    table(settings, role).update(where=where, values=values)  # type: ignore[attr-defined]
    found = by_name(store_findings(settings))
    assert found[f"small {name}"].severity is Severity.FAIL
    assert message in found[f"small {name}"].message
    # By its files too, whatever the fault: nothing but an ingest writes to a table.
    assert "is not as it was written" in found["small tables"].message
    assert found["small tables"].remedy.endswith("--edition small")


def test_a_missing_parent_is_found(settings: Settings) -> None:
    units = table(settings, "units")
    units.delete("unitid = 'sec-a'")  # type: ignore[attr-defined]
    units.add(units.search().where("unitid = 'sec-b'").to_arrow())  # type: ignore[attr-defined]
    found = by_name(store_findings(settings))
    assert "does not cover its" in found["small tables"].message
    assert "check 1: sec-b: 2 units have this id" in found["small structure"].message
    assert 'check 5: page-small: names a child "sec-a" that is no unit' in found["small structure"].message


@pytest.mark.parametrize("role", ["units", "pages", "names", "windows"])
def test_rows_that_are_missing_are_counted(settings: Settings, role: str) -> None:
    table(settings, role).delete("true")  # type: ignore[attr-defined]
    found = by_name(store_findings(settings))
    assert "holds 0 rows instead of" in found["small tables"].message
    assert found["small rows"].severity is Severity.FAIL


def test_a_torn_file_is_found(settings: Settings) -> None:
    (record,) = list_editions(settings.storage_dir)
    folder = tables_folder(settings.storage_dir) / f"{record.tables['units']}.lance" / "_indices"
    file = next(folder.rglob("*.lance"))
    file.write_bytes(file.read_bytes()[:-1])
    finding = by_name(store_findings(settings))["small tables"]
    assert (finding.severity, finding.message) == (
        Severity.FAIL,
        f"table {record.tables['units']} is not as it was written",
    )


def test_a_store_without_an_edition_says_how_to_begin(tmp_path: Path) -> None:
    found = by_name(store_findings(settings_for(tmp_path / "none")))
    assert found["catalog"].severity is Severity.FAIL
    assert found["catalog"].remedy == "python -m setup.ingest --sample"
    assert not (tmp_path / "none").exists()


def test_an_edition_of_another_schema_and_a_torn_catalog_fail_with_their_remedy(settings: Settings) -> None:
    outdate(settings.storage_dir, "small")
    found = by_name(store_findings(settings))["small catalog"]
    assert (found.severity, found.remedy) == (
        Severity.FAIL,
        "python -m setup.ingest SOURCE --edition small",
    )
    for file in (tables_folder(settings.storage_dir) / f"{TABLE}.lance" / "_versions").iterdir():
        file.write_bytes(b"")
    torn = by_name(store_findings(settings))["catalog"]
    assert torn.severity is Severity.FAIL
    assert "delete" in torn.message


def test_an_edition_that_is_configured_and_not_there_fails(settings: Settings) -> None:
    found = by_name(store_findings(settings.model_copy(update={"edition": "es2030"})))["catalog"]
    assert (found.severity, found.remedy) == (Severity.FAIL, "export ASK262_EDITION=small")


def test_another_embedder_and_other_rules_are_told(settings: Settings) -> None:
    other = {"embedder": "openai:x", "threshold": 2_000}
    found = by_name(store_findings(settings.model_copy(update=other)))
    assert found["small embedder"].severity is Severity.FAIL
    assert "set ASK262_EMBEDDER=minilm, or build it again" in found["small embedder"].message
    assert found["small rules"].severity is Severity.WARN
    assert "threshold=5000" in found["small rules"].message
    assert "threshold=2000" in found["small rules"].message


def test_a_source_that_changed_or_is_gone_is_told(tmp_path: Path) -> None:
    settings = ingest(tmp_path)
    (tmp_path / "small.html").write_text(HTML.replace("Beta text", "Other text"))
    changed = by_name(store_findings(settings))["small source"]
    assert (changed.severity, changed.remedy) == (
        Severity.WARN,
        f"python -m setup.ingest {tmp_path}/small.html --edition small",
    )
    (tmp_path / "small.html").unlink()
    gone = by_name(store_findings(settings))["small source"]
    assert (gone.severity, gone.remedy) == (
        Severity.WARN,
        "python -m setup.ingest SOURCE --edition small",
    )


def test_sections_are_counted_without_a_parser() -> None:
    html = b'<EMU-CLAUSE id=a><emu-annex><emu-intro><!-- <emu-clause> --><script>"<emu-clause>"</script>'
    assert sections_in(html) == 3
    assert sections_in(HTML.encode()) == 2


def test_the_build_before_is_told_and_so_is_its_damage(tmp_path: Path) -> None:
    ingest(tmp_path)
    settings = ingest(tmp_path, HTML.replace("Beta text", "Other text"))
    kept = by_name(store_findings(settings))["small before"]
    assert kept.severity is Severity.OK
    assert kept.message.endswith("python -m setup.editions restore small")
    (record,) = list_editions(settings.storage_dir)
    assert record.previous is not None
    shutil.rmtree(tables_folder(settings.storage_dir) / f"{record.previous.tables['pages']}.lance")
    lost = by_name(store_findings(settings))["small before"]
    assert lost.severity is Severity.WARN
    assert "cannot be gone back to" in lost.message


def test_leftovers_of_a_dead_build_are_told(settings: Settings) -> None:
    (tables_folder(settings.storage_dir) / "units.small.dead.lance").mkdir()
    found = by_name(store_findings(settings))["leftovers"]
    assert (found.severity, found.remedy) == (Severity.WARN, "python -m setup.editions prune")


def test_a_cache_that_outgrew_its_editions_and_one_that_is_torn_are_told(settings: Settings) -> None:
    embed_cached(
        [f"text {number}" for number in range(20)], LetterEmbedder(), VectorCache(settings.storage_dir)
    )
    grown = by_name(store_findings(settings))["embedding cache"]
    assert (grown.severity, grown.remedy) == (Severity.WARN, "python -m setup.editions prune")
    (settings.storage_dir / FILE_NAME).write_bytes(b"torn" * 1_000)
    torn = by_name(store_findings(settings))["embedding cache"]
    assert torn.severity is Severity.WARN
    assert "cannot be read" in torn.message


@pytest.mark.parametrize(
    ("free", "severity"),
    [(10**7, Severity.FAIL), (10**8, Severity.WARN), (10**9, Severity.OK)],
)
def test_room_is_measured_by_the_largest_edition(free: int, severity: Severity) -> None:
    assert room(free, largest=10**8, folder="/store").severity is severity


# -- the program ------------------------------------------------------------------------------------------

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"ASK262_{name.upper()}", raising=False)
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(settings.storage_dir))

    def called(*arguments: str) -> tuple[int, str]:
        status = main(arguments)
        return status, capsys.readouterr().out

    return called


def test_the_program_ends_well_where_nothing_failed(run: Run) -> None:
    status, out = run()
    assert status == 0
    assert out.splitlines()[-1] == "0 failed, 0 to look at"


def test_a_failure_ends_it_with_one_and_the_remedy_stands_on_its_own_line(
    run: Run, settings: Settings
) -> None:
    table(settings, "pages").delete("true")  # type: ignore[attr-defined]
    status, out = run()
    assert status == 1
    remedies = [line.partition("mend: ")[2] for line in out.splitlines() if "mend: " in line]
    assert remedies
    assert all(remedy.startswith("python -m setup.ingest ") for remedy in remedies)


def test_a_warning_is_no_failure(run: Run, settings: Settings) -> None:
    (tables_folder(settings.storage_dir) / "units.small.dead.lance").mkdir()
    status, out = run()
    assert (status, out.splitlines()[-1]) == (0, "0 failed, 1 to look at")


def test_the_findings_are_for_programs_too(run: Run) -> None:
    status, out = run("--json")
    told = json.loads(out)
    assert status == 0
    assert told["counts"]["fail"] == 0
    assert told["findings"][0].keys() == {"name", "severity", "message", "remedy"}
    assert told["findings"][0]["name"] == "settings"


def test_settings_that_do_not_load_are_the_only_finding(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK262_TRESHOLD", "1")
    status, out = run("--json")
    (finding,) = json.loads(out)["findings"]
    assert (status, finding["name"], finding["severity"]) == (1, "settings", "fail")
    assert "did you mean ASK262_THRESHOLD?" in finding["message"]


def test_help_shows_an_example_and_loads_nothing_heavy() -> None:
    program = (
        "import sys\nfrom setup.doctor import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(*{'lancedb', 'pyarrow', 'numpy', 'pydantic', 'langchain_core', 'bs4'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "example: python -m setup.doctor" in ran.stdout
    assert ran.stdout.splitlines()[-1] == ""
