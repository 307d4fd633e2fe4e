"""The real specification, where it is at hand: never committed, read from beside the project."""

from functools import cache
from pathlib import Path

import pytest

from setup.completeness import Completeness, compare
from setup.pipeline import Build, Reading, cut, read
from setup.sources import read_source
from storage.model import BreakdownRules, Unit
from storage.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

needs_spec = pytest.mark.skipif(
    not (SHARED / "spec" / "es2026").is_dir(), reason="the real specification is not beside the project"
)


@cache
def reading(name: str) -> Reading:
    """One of the trees under `spec/`, or the sample; parsed and rendered once a session."""
    from tests.test_setup.helpers import Silent

    where = None if name == "sample" else str(SHARED / "spec" / name)
    source = read_source(where, sample=name == "sample", settings=Settings(), progress=Silent())
    return read(source, progress=Silent())


@cache
def edition(name: str, threshold: int = BreakdownRules().threshold) -> Build:
    """It as an edition, cut over a threshold."""
    return cut(reading(name), edition=None, rules=BreakdownRules(threshold=threshold))


@cache
def units(name: str) -> dict[str, Unit]:
    """Its units by their ids."""
    return {unit.unitid: unit for unit in edition(name).assembled.built.units}


@cache
def words(name: str) -> Completeness:
    """How its text compares with its HTML."""
    pages = {page.source: page.text for page in edition(name).assembled.built.pages}
    files = reading(name).source.files
    return compare([(file.html, pages[file.name]) for file in files if file.name in pages])
