"""The sample specification in a real store, with the real embedder; built once a session."""

from pathlib import Path

import pytest

from setup.pipeline import build
from setup.sources import read_source
from storage.embedder import load_embedder
from storage.model import BreakdownRules
from storage.progress import Silent
from storage.reader import LanceReader, open_reader
from storage.settings import Settings
from storage.writer import write_edition
from tools.toolbox import Toolbox


@pytest.fixture(scope="session")
def sample_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that name the folder of the sample's store."""
    folder: Path = tmp_path_factory.mktemp("store")
    settings = Settings(storage_dir=folder, edition=None, source=None)
    source = read_source(None, sample=True, settings=settings, progress=Silent())
    made = build(source, edition=None, rules=BreakdownRules(), progress=Silent())
    write_edition(folder, made.assembled.built, load_embedder(settings))
    return settings


@pytest.fixture(scope="session")
def sample_reader(sample_settings: Settings) -> LanceReader:
    """The sample, read from its store."""
    return open_reader(sample_settings)


@pytest.fixture(scope="session")
def sample_tools(sample_reader: LanceReader, sample_settings: Settings) -> Toolbox:
    """The tools over the sample."""
    return Toolbox(sample_reader, load_embedder(sample_settings))
