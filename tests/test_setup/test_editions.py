"""The program that lists and changes editions, and that two editions never mix."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from setup.editions import main
from setup.pipeline import build, derived_edition
from setup.sources import Source, source_file
from storage.catalog import list_editions
from storage.errors import InputError
from storage.model import BreakdownRules, BuiltEdition
from storage.progress import Silent
from storage.reader import open_reader
from storage.settings import ROOT
from tests.test_storage.small import TEXT, LetterEmbedder, settings_for, small_edition, store
from tests.test_storage.test_catalog import outdate
from tests.test_storage.test_writer import CHANGED, tables
from tools.toolbox import Toolbox

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The program over a store in `tmp_path`: exit status, standard output, standard error."""
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
    monkeypatch.delenv("ASK262_EDITION", raising=False)

    def called(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        said = capsys.readouterr()
        return status, said.out, said.err

    return called


def test_the_list_names_every_edition_and_stars_the_default(tmp_path: Path, run: Run) -> None:
    for name in ("es2025", "es2026", "ecma402-2026"):
        store(tmp_path, small_edition(name))
    status, out, err = run()
    assert (status, err) == (0, "")
    assert [line[:14].rstrip() for line in out.splitlines()[::3]][:3] == [
        "  ecma402-2026",
        "  es2025  Smal",
        "* es2026  Smal",
    ]
    assert "8 units, " in out
    assert "vectors by letters, built 2026-01-02T03:04:05+00:00" in out
    assert out.splitlines()[-1] == "* is asked where no edition is named (the newest; ASK262_EDITION sets it)"
    assert run("list") == (status, out, err)


def test_the_list_follows_the_configured_edition(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("es2025", "es2026"):
        store(tmp_path, small_edition(name))
    monkeypatch.setenv("ASK262_EDITION", "ES2025")
    assert "* es2025" in run()[1]
    monkeypatch.setenv("ASK262_EDITION", "es2030")
    assert run()[1].splitlines()[-1] == (
        "ASK262_EDITION is es2030, which is not in the store: set it to one that is"
    )


def test_the_list_is_for_programs_too_wherever_the_flag_stands(tmp_path: Path, run: Run) -> None:
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    listed = json.loads(run("--json")[1])
    assert json.loads(run("list", "--json")[1]) == listed
    (entry,) = listed["editions"]
    assert (listed["default"], entry["edition"], entry["default"]) == ("es2026", "es2026", True)
    assert entry["previous"] == "2026-01-02T03:04:05+00:00"
    assert entry["counts"]["units"] == 8
    assert entry["bytes"] > 10_000


def test_an_edition_that_cannot_be_read_is_listed_with_its_remedy(tmp_path: Path, run: Run) -> None:
    store(tmp_path, small_edition())
    outdate(tmp_path, "es2026")
    _, out, _ = run()
    assert out.splitlines()[0] == (
        "! es2026  has schema 0 and this program reads 1: build it again: "
        "python -m setup.ingest SOURCE --edition es2026"
    )


def test_an_edition_is_removed_and_its_embeddings_are_kept_until_pruned(tmp_path: Path, run: Run) -> None:
    store(tmp_path, small_edition("es2025"))
    store(tmp_path, small_edition(text=CHANGED))
    status, out, err = run("remove", "ES 2026")
    assert (status, err) == (0, "")
    assert out.startswith("removed es2026: 4 tables dropped, ")
    assert "python -m setup.editions prune" in out
    assert [record.edition for record in list_editions(tmp_path)] == ["es2025"]
    pruned = json.loads(run("prune", "--json")[1])
    assert (pruned["vectors"]["removed"], pruned["vectors"]["kept"]) == (1, 5)


def test_an_edition_is_restored_and_returned_to_with_the_command_that_is_shown(
    tmp_path: Path, run: Run
) -> None:
    store(tmp_path, small_edition())
    store(tmp_path, small_edition(text=CHANGED))
    for text in (TEXT, CHANGED):
        status, out, err = run("restore", "es2026")
        assert (status, err) == (0, "")
        assert out.endswith(": python -m setup.editions restore es2026\n")
        assert open_reader(settings_for(tmp_path)).page("types.html").text == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("remove", "es2030"), "no edition is called 'es2030'; this store holds es2026"),
        (("remove", "latest"), "no edition is called 'latest'; this store holds es2026"),
        (("restore", "x' OR '1'='1"), "this store holds es2026"),
        (("restore", "es2026"), "edition es2026 has no build before to go back to"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(
    tmp_path: Path, run: Run, arguments: tuple[str, ...], message: str
) -> None:
    record = store(tmp_path, small_edition())
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("error: ")
    assert message in err
    assert (list_editions(tmp_path), tables(tmp_path)) == ([record], set(record.tables.values()))


@pytest.mark.parametrize("arguments", [(), ("remove", "es2026"), ("restore", "es2026"), ("prune",)])
def test_without_a_store_nothing_is_made(tmp_path: Path, run: Run, arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (1, "")
    assert "there is no store in" in err
    assert list(tmp_path.iterdir()) == []


def test_help_shows_an_example_and_loads_nothing_heavy() -> None:
    program = (
        "import sys\nfrom setup.editions import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(*{'lancedb', 'pyarrow', 'numpy', 'pydantic', 'langchain_core', 'bs4'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "example: python -m setup.editions restore es2026" in ran.stdout
    assert ran.stdout.splitlines()[-1] == ""


# -- names ------------------------------------------------------------------------------------------------


def made(written: str, html: str) -> BuiltEdition:
    """What `--edition WRITTEN` makes of a page."""
    source = Source("/a.html", "a", (source_file("a.html", html.encode()),))
    return build(source, edition=written, rules=BreakdownRules(), progress=Silent()).assembled.built


def edition_of(written: str) -> str:
    """The name under which it is stored."""
    return made(written, "<emu-clause id=sec-a><h1>1 A</h1>").edition


@pytest.mark.parametrize(
    ("written", "edition"),
    [("ES2026", "es2026"), ("es17", "es2026"), ("a b", "a-b"), ("ECMA-402", "ecma402")],
)
def test_an_ingest_names_an_edition_as_look_ups_do(written: str, edition: str) -> None:
    assert edition_of(written) == edition


@pytest.mark.parametrize("name", ["", "../x", "x'; drop", "a" * 65, ".hidden", "latest"])
def test_a_name_that_cannot_be_an_editions_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"cannot name (an edition|one)"):
        edition_of(name)


def test_the_samples_name_is_kept_for_the_sample() -> None:
    with pytest.raises(InputError, match=r"`--edition sample` is the sample's name: give .* another one"):
        edition_of("Sample")


def test_a_folder_called_like_an_alias_needs_a_name() -> None:
    with pytest.raises(InputError, match="stands for the newest edition"):
        derived_edition("Some Proposal", Source("x", "Latest", (source_file("a.html", b""),)))


# -- two editions with the same ids -----------------------------------------------------------------------


PAGE = """<emu-clause id="sec-lamps"><h1><span class="secnum">1</span> Lamps</h1><p>A lamp is a thing.</p>
<emu-clause id="sec-lit"><h1><span class="secnum">1.1</span> Lit Lamps</h1><p>A lit lamp {verb} the room.</p>
</emu-clause></emu-clause>"""
VERBS = {"es2025": "darkens", "es2026": "brightens"}
"""Two editions that share every id, number and title, and say different things in one section."""


@pytest.fixture
def both(tmp_path: Path) -> dict[str, Toolbox]:
    for name, verb in VERBS.items():
        store(tmp_path, made(name, PAGE.format(verb=verb)))
    return {name: Toolbox(open_reader(settings_for(tmp_path), name), LetterEmbedder()) for name in VERBS}


def other(name: str) -> str:
    return next(verb for edition, verb in VERBS.items() if edition != name)


def test_a_search_finds_the_words_of_its_own_edition_and_names_it(both: dict[str, Toolbox]) -> None:
    for name, box in both.items():
        for query in ("lit lamp", "darkens the room", "brightens the room", "sec-lit", "1.1"):
            found = box.search_spec(query)
            assert found.ok, found.text
            assert found.data["edition"] == name
            assert name in found.text
            assert {passage.edition for passage in found.passages} == {name}
            assert other(name) not in json.dumps(found.data["hits"])


def test_a_packet_of_one_edition_holds_no_word_of_the_other(both: dict[str, Toolbox]) -> None:
    for name, box in both.items():
        fetched = box.fetch_section_chunks("sec-lamps", recursive=True)
        assert fetched.data["edition"] == name
        assert {passage.edition for passage in fetched.passages} == {name}
        assert VERBS[name] in fetched.text
        assert other(name) not in fetched.text
        assert box.check_subsections("sec-lamps").data["edition"] == name


def test_a_cursor_of_one_edition_is_refused_by_the_other(tmp_path: Path) -> None:
    long = " ".join(["<p>A long sentence about a lamp that is lit.</p>"] * 60)
    for name in VERBS:
        store(tmp_path, made(name, PAGE.format(verb="is in") + long))
    old, new = (Toolbox(open_reader(settings_for(tmp_path), name), LetterEmbedder()) for name in VERBS)
    cursor = old.fetch_section_chunks("page-a", recursive=True, limit=500).data["next"]
    assert old.fetch_section_chunks("page-a", cursor=cursor).ok
    refused = new.fetch_section_chunks("page-a", cursor=cursor)
    assert not refused.ok
    assert "is not a cursor" in refused.text
