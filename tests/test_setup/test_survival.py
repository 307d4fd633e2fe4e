"""A store survives: ingest killed at any moment, readers during a switch, disks and folders that fail.

The real program, the sample specification, the real embedder.
"""

import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setup.checks import check
from setup.sources import SAMPLE
from storage.catalog import read_catalog
from storage.inspection import leftovers, opened, stored_edition
from storage.model import EditionRecord, Level
from storage.reader import open_reader
from storage.schema import ROLES
from storage.vector_cache import FILE_NAME
from tests.test_setup.killing import STAGES, Ingests, Run, ingests
from tests.test_storage.small import settings_for

KILLS = 32
SEED = 262

OLD = SAMPLE.read_text(encoding="utf-8")
NEW = OLD.replace("planting plan", "planting scheme").replace("a RangeError", "a RangeFault")
"""The sample, and one whose words differ in many sections."""


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


def test_an_ingest_killed_anywhere_loses_nothing(tmp_path: Path, sources: dict[str, Path]) -> None:
    calm, store, chance = tmp_path / "never-killed", tmp_path / "store", random.Random(SEED)
    with ingests() as run:
        assert ingest(run, calm, sources["new"]).status == 0
        warm = ingest(run, calm, sources["old"])
        shutil.copytree(calm, store)
        # How long each stage takes, undisturbed: with nothing to embed, and with something.
        forget_some(store)
        cold = ingest(run, store, sources["new"])
        assert (warm.status, cold.status) == (0, 0)
        before, killed = answers(store), Counter[str]()
        for number in range(10 * KILLS):
            stage, embeds = (
                STAGES[number % len(STAGES)],
                number % (3 * len(STAGES)) == STAGES.index("windows"),
            )
            target = "new" if before.origin.endswith("old.html") else "old"
            if embeds:
                forget_some(store)
            delay = chance.uniform(0, lasts((cold if embeds else warm).told, stage))
            ended = ingest(run, store, sources[target], kill_after=stage, delay=delay)
            after = answers(store)
            # What was not checked yet cannot have been switched to; what was is there whole, or not at all.
            assert after == before or ("check" in ended.told and after.origin.endswith(f"{target}.html"))
            before = after
            killed[stage] += ended.status == -9
            if killed.total() == KILLS:
                break
        assert (set(killed), killed.total()) == (set(STAGES), KILLS)
        for name in ("new", "old"):
            assert ingest(run, store, sources[name]).status == 0
    survivor, undisturbed = answers(store), answers(calm)
    assert what_it_is(survivor) == what_it_is(undisturbed)
    assert rows(store, survivor) == rows(calm, undisturbed)
    assert leftovers(store, keep=read_catalog(store).tables | {"catalog"}) == {}
    built = stored_edition(opened(store, survivor))
    sections = [unit.unitid for unit in built.units if unit.level is Level.SECTION]
    assert check(built, section_ids=sections).passed


def forget_some(store: Path) -> None:
    """Takes a quarter of the embeddings out of the cache: the next ingest has something to embed."""
    with closing(sqlite3.connect(store / FILE_NAME)) as cache, cache:
        cache.execute("DELETE FROM vectors WHERE text < '4'")


def lasts(told: dict[str, float], stage: str) -> float:
    """Seconds from a stage's line to the next one's; the switch behind the last takes about a third."""
    following = STAGES[STAGES.index(stage) + 1 :]
    return told[following[0]] - told[stage] if following else 0.3
