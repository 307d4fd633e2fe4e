"""The real specification, where it is at hand: never committed, read from beside the project."""

from functools import cache
from pathlib import Path

import pytest

from setup.pipeline import Build, build
from setup.sources import read_source
from storage.model import BreakdownRules, Unit
from storage.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

needs_spec = pytest.mark.skipif(
    not (SHARED / "spec" / "es2026").is_dir(), reason="the real specification is not beside the project"
)


@cache
def edition(name: str) -> Build:
    """One of the trees under `spec/`, built once a session."""
    from tests.test_setup.helpers import Silent

    source = read_source(
        str(SHARED / "spec" / name), sample=False, settings=Settings(), progress=Silent()
    )
    return build(source, edition=None, rules=BreakdownRules(), progress=Silent())


@cache
def units(name: str) -> dict[str, Unit]:
    """Its units by their ids."""
    return {unit.unitid: unit for unit in edition(name).assembled.built.units}
