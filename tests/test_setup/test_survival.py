"""A store survives being killed, changed, shrunk and damaged: the real program, sample and embedder."""

import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setup.checks import check
from setup.pipeline import build
from setup.sources import SAMPLE, read_source
from storage.catalog import read_catalog
from storage.embedder import load_embedder
from storage.inspection import leftovers, opened, stored_edition
from storage.model import BreakdownRules, EditionRecord, Level
from storage.progress import Silent
from storage.reader import open_reader
from storage.schema import ROLES
from storage.vector_cache import FILE_NAME
from storage.writer import write_edition
from tests.test_setup.killing import STAGES, Ingests, Run, ingests
from tests.test_storage.small import settings_for
from tools.toolbox import Toolbox

KILLS = 32
SEED = 262

OLD = SAMPLE.read_text(encoding="utf-8")
NEW = OLD.replace("planting plan", "planting scheme").replace("a RangeError", "a RangeFault")
"""The sample, and one whose words differ in many sections."""

SENTENCE = "This document defines the syntax and the meaning of Loam Plans."
GONE = "sec-hosttell"
"""A sentence and a section of the sample, each in one place."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sources")
    paths = {name: folder / f"{name}.html" for name in ("old", "new")}
    paths["old"].write_text(OLD, encoding="utf-8")
    paths["new"].write_text(NEW, encoding="utf-8")
    return paths


def ingest(run: Ingests, store: Path, source: Path, **named: Any) -> Run:
    return run.run(store, str(source), "--edition", "loam", **named)


def answers(folder: Path) -> EditionRecord:
    """Reads the edition every way there is, all from one build, and gives its record."""
    reader = open_reader(settings_for(folder), "loam")
    root = reader.page("old.html" if reader.record.origin.endswith("old.html") else "new.html")
    unit = reader.unit(root.pageid)
    assert unit is not None
    assert unit.digest == root.digest
    hits = reader.search_text("throw", limit=5, levels=[Level.SECTION])
    assert len(hits) == 5
    assert len(reader.units([hit.unitid for hit in hits])) == 5
    assert reader.search_vectors([1.0] * 384, limit=3)
    assert reader.names().by_key("sec-unitratio")
    return reader.record


def rows(folder: Path, record: EditionRecord) -> dict[str, list[dict[str, Any]]]:
    """All rows of an edition, in an order of their own."""
    tables = opened(folder, record)
    return {
        role: sorted(tables.select(role, None), key=lambda row: str(sorted(row.items()))) for role in ROLES
    }


def what_it_is(record: EditionRecord) -> EditionRecord:
    """A record without what names or times one build."""
    return replace(record, tables={}, seals={}, built="", previous=None)


def test_an_ingest_killed_anywhere_loses_nothing(
    run: Ingests, built: Path, store: Path, sources: dict[str, Path]
) -> None:
    # How long each stage takes, undisturbed: with something to embed, and with nothing.
    forget_some(store)
    cold = ingest(run, store, sources["new"])
    warm = ingest(run, store, sources["old"])
    assert (warm.status, cold.status) == (0, 0)
    killed = kill_many(run, store, sources, cold=cold.told, warm=warm.told)
    assert (set(killed), killed.total()) == (set(STAGES), KILLS)
    for name in ("new", "old"):
        assert ingest(run, store, sources[name]).status == 0
    survivor, undisturbed = answers(store), answers(built)
    assert what_it_is(survivor) == what_it_is(undisturbed)
    assert rows(store, survivor) == rows(built, undisturbed)
    assert leftovers(store, keep=read_catalog(store).tables | {"catalog"}) == {}
    edition = stored_edition(opened(store, survivor))
    sections = [unit.unitid for unit in edition.units if unit.level is Level.SECTION]
    assert check(edition, section_ids=sections).passed


def kill_many(
    run: Ingests, store: Path, sources: dict[str, Path], *, cold: dict[str, float], warm: dict[str, float]
) -> Counter[str]:
    """Kills ingests of the two samples in turn, and reads the edition after each; how many in which stage."""
    chance, killed, before = random.Random(SEED), Counter[str](), answers(store)
    for number in range(10 * KILLS):
        stage, embeds = STAGES[number % len(STAGES)], number % (3 * len(STAGES)) == STAGES.index("windows")
        target = "new" if before.origin.endswith("old.html") else "old"
        if embeds:
            forget_some(store)
        delay = chance.uniform(0, lasts(cold if embeds else warm, stage))
        ended = ingest(run, store, sources[target], kill_after=stage, delay=delay)
        after = answers(store)
        # What was not checked yet cannot have been switched to; what was is there whole, or not at all.
        assert after == before or ("check" in ended.told and after.origin.endswith(f"{target}.html"))
        before = after
        killed[stage] += ended.status == -9
        if killed.total() == KILLS:
            break
    return killed


@pytest.fixture(scope="module")
def run() -> Iterator[Ingests]:
    with ingests() as one:
        yield one


@pytest.fixture(scope="module")
def built(run: Ingests, sources: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the old sample; copied by whoever changes it."""
    store = tmp_path_factory.mktemp("built") / "store"
    assert ingest(run, store, sources["old"]).status == 0
    return store


@pytest.fixture
def store(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "store"))


def changed(sources: dict[str, Path], tmp_path: Path, *replacements: tuple[str, str]) -> Path:
    """The old sample with other words, in a file of the same name."""
    html = OLD
    for before, after in replacements:
        assert before in html
        html = html.replace(before, after)
    path = tmp_path / "changed" / sources["old"].name
    path.parent.mkdir()
    path.write_text(html, encoding="utf-8")
    return path


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_an_unchanged_source_is_not_parsed_not_embedded_and_nothing_is_written(
    run: Ingests, store: Path, sources: dict[str, Path]
) -> None:
    before = files(store)
    again = ingest(run, store, sources["old"])
    assert again.status == 0
    assert again.said[-1].startswith("loam is up to date: nothing embedded, nothing written (")
    assert not {"parse", "embed", "write"} & again.told.keys()
    assert files(store) == before


def test_an_unchanged_source_in_another_place_is_read_again_and_no_table_is_written(
    run: Ingests, store: Path, sources: dict[str, Path], tmp_path: Path
) -> None:
    moved = changed(sources, tmp_path)
    before = answers(store)
    again = ingest(run, store, moved)
    assert "loam is up to date: nothing embedded, no table written" in again.said
    after = answers(store)
    assert (after.origin, after.tables) == (str(moved), before.tables)
    assert "parse" not in ingest(run, store, moved).told


def test_a_changed_section_embeds_what_changed_and_says_so(
    run: Ingests, store: Path, sources: dict[str, Path], tmp_path: Path
) -> None:
    said = ingest(run, store, changed(sources, tmp_path, (SENTENCE, "Nothing is said of it."))).said
    assert "1 unit changed, 0 new, 0 removed; 1 window embedded, 121 from the cache" in said
    assert open_reader(settings_for(store), "loam").search_text("Nothing is said of it", limit=1)


def test_a_section_that_is_gone_takes_its_units_along_and_leaves_the_others(
    run: Ingests, store: Path, sources: dict[str, Path], tmp_path: Path
) -> None:
    section = re.search(rf'<emu-clause id="{GONE}".*?</emu-clause>', OLD, re.DOTALL)
    assert section is not None
    assert section[0].count("<emu-clause") == 1
    before = stored_edition(opened(store, answers(store)))
    said = ingest(run, store, changed(sources, tmp_path, (section[0], ""))).said
    assert any(", 0 new, 1 removed; " in line for line in said)
    after = stored_edition(opened(store, answers(store)))
    texts = [{unit.unitid: unit.text for unit in edition.units} for edition in (before, after)]
    assert texts[0].keys() - texts[1].keys() == {u.unitid for u in before.units if u.clauseid == GONE}
    parent = next(unit.parentsectionid for unit in before.units if unit.unitid == GONE)
    assert {unitid for unitid, text in texts[1].items() if texts[0].get(unitid) != text} == {parent}


def test_one_batch_or_many_give_the_same_units_and_the_same_ranking(
    built: Path, tmp_path: Path, sources: dict[str, Path]
) -> None:
    source = read_source(
        str(sources["old"]), sample=False, settings=settings_for(tmp_path), progress=Silent()
    )
    edition = build(source, edition="loam", rules=BreakdownRules(), progress=Silent()).assembled.built
    embedder = load_embedder(settings_for(tmp_path))
    stores = []
    for batch_rows in (len(edition.units), len(edition.units) // 3 + 1, 7):
        store = tmp_path / str(batch_rows)
        store.mkdir()
        shutil.copy(built / FILE_NAME, store)
        write_edition(store, edition, embedder, batch_rows=batch_rows)
        stores.append(store)
    one, *others = [rows(store, answers(store)) for store in stores]
    assert others == [one, one]
    toolboxes = [Toolbox(open_reader(settings_for(store), "loam"), embedder) for store in stores]
    for query in ("When is a bed full?", "throw a fault", "water", "a planting plan of several rows"):
        first, *rest = [box.search_spec(query).data["hits"] for box in toolboxes]
        assert first
        assert rest == [first, first]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        pytest.param("torn", "loam answers from ", id="a torn table is mended by the same command"),
        pytest.param(
            "catalog", "error: the store in .* if it is damaged, delete .* and ingest again", id="catalog"
        ),
        pytest.param("file", "error: .* is no folder; set ASK262_STORAGE_DIR to one", id="no folder"),
    ],
)
def test_a_damaged_store_is_one_line_with_the_remedy(
    run: Ingests, store: Path, sources: dict[str, Path], damage: str, said: str
) -> None:
    folder = store / "lance"
    if damage == "torn":
        for file in (folder / f"{answers(store).tables['units']}.lance" / "_indices").rglob("*.lance"):
            file.write_bytes(file.read_bytes()[:20])
    elif damage == "catalog":
        for file in (folder / "catalog.lance" / "_versions").iterdir():
            file.write_bytes(b"torn")
    else:
        shutil.rmtree(store)
        store.write_text("in the way")
    ended = ingest(run, store, sources["old"])
    told = [line for line in ended.said if re.match(said, line)]
    assert len(told) == 1
    assert ended.status == (0 if damage == "torn" else 1)
    assert not any("Traceback" in line for line in ended.said)


def forget_some(store: Path) -> None:
    """Takes a quarter of the embeddings out of the cache: the next ingest has something to embed."""
    with closing(sqlite3.connect(store / FILE_NAME)) as cache, cache:
        cache.execute("DELETE FROM vectors WHERE text < '4'")


def lasts(told: dict[str, float], stage: str) -> float:
    """Seconds from a stage's line to the next one's; the switch behind the last takes about a third."""
    following = STAGES[STAGES.index(stage) + 1 :]
    return told[following[0]] - told[stage] if following else 0.3
