"""Other people's libraries on the sample: offline, repeatable, and their results where they say they are."""

import importlib.util
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.peers import table
from evaluation.peers.material import LIMIT, Material
from evaluation.peers.table import PEERS, build
from storage.embedder import load_embedder
from storage.reader import LanceReader
from storage.settings import ROOT, Settings

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"
MISSING = sorted(
    {
        package
        for row in PEERS.values()
        for package in row.packages
        if importlib.util.find_spec(package.partition(".")[0]) is None
    }
)
needs_peers = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed ({', '.join(MISSING)}): {table.INSTALL}"
)
# Deprecations inside the libraries are theirs, not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


@pytest.fixture(scope="module")
def material(
    sample_reader: LanceReader, sample_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Material:
    return Material(sample_reader, load_embedder(sample_settings), tmp_path_factory.mktemp("peers"))


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Every attempt to reach another machine, of which there should be none. The environment is put back."""
    tried: list[object] = []

    def refuse(*address: object) -> None:
        tried.append(address)
        raise OSError("no network in tests")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    before = dict(os.environ)
    yield tried
    os.environ.clear()
    os.environ.update(before)


@needs_peers
@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_what_it_was_given_without_a_network(
    name: str, material: Material, no_network: list[object]
) -> None:
    peer = build(name, material)
    results = peer("Which operation throws a UnitFault when dimensions differ?")
    assert 0 < len(results) <= LIMIT
    texts = {page.page: page.text for page in material.pages}
    for result in results:
        shown = "\n".join(texts[result.page][span.start : span.end] for span in result.spans)
        assert shown.split() == result.text.split()
    assert any("UnitFault" in result.text for result in results[:10])
    assert peer("Which operation throws a UnitFault when dimensions differ?") == results
    assert no_network == []


@needs_peers
def test_a_second_build_embeds_nothing(material: Material, no_network: list[object]) -> None:
    build("lancedb_vectors", material)
    before = material.embedder.fresh
    build("lancedb_vectors", material)
    assert before > 0
    assert material.embedder.fresh == before
    assert no_network == []


@needs_peers
def test_a_leaf_without_a_parent_makes_the_default_of_haystack_raise_and_not_the_tuned_form(
    material: Material, no_network: list[object]
) -> None:
    from evaluation.peers.haystack_auto_merging import build as haystack

    short = [source for source in material.sections if 0 < len(source.text.split()) < 60][:3]
    assert short
    with pytest.raises(ValueError, match="__parent_id"):
        haystack(material, short, sizes=frozenset({300, 100}), unit="word", spare_roots=False)("mark")
    spared = haystack(material, short, sizes=frozenset({300, 100}), unit="word", spare_roots=True)
    assert len(spared("mark")) == len(short)
    assert no_network == []


@needs_peers
def test_peers_stand_beside_the_default_in_one_run(
    sample_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    out = tmp_path / "kept.json"
    names = ("default", "bm25_sections", "lancedb_vectors_tuned")
    asked = ["retrieval", "--questions", str(QUESTIONS), "--strategies", *names]
    assert main([*asked, "--sample", "5", "--summary", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "built apart from the questions: bm25_sections" in printed
    assert "default - lancedb_vectors_tuned" in printed
    kept = json.loads(out.read_text(encoding="utf-8"))
    assert [row["strategy"] for row in kept["rows"]] == list(names)
    assert "build_seconds" not in kept["rows"][0]["metrics"]
    assert all("build_seconds" in row["metrics"] for row in kept["rows"][1:])
    assert {gap["other"] for gap in kept["differences"]} == set(names[1:])
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    # Ids and figures only: no question, and no text of a section.
    assert "UnitFault" not in out.read_text(encoding="utf-8")


def test_a_peer_that_is_not_installed_is_refused_in_one_line_with_the_command(
    sample_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "haystack" else find(name, *rest)
    )
    asked = ["--questions", str(QUESTIONS), "--strategies", "haystack_auto_merging"]
    assert main(["retrieval", *asked]) == 1
    error = capsys.readouterr().err
    assert "haystack_auto_merging needs the package haystack" in error
    assert "uv sync --group peers" in error
    assert error.count("\n") == 1


def test_the_group_of_dependencies_has_what_the_peers_import() -> None:
    import tomllib

    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    distributions = {
        "langchain_classic": "langchain-classic",
        "langchain_text_splitters": "langchain-text-splitters",
        "llama_index.core": "llama-index-core",
        "haystack": "haystack-ai",
        "nltk": "nltk",
        "bm25s": "bm25s",
        "Stemmer": "PyStemmer",
    }
    packages = {package for row in PEERS.values() for package in row.packages}
    listed = {line.partition(">")[0] for line in groups[table.GROUP]}
    assert {distributions[package] for package in packages} == listed
