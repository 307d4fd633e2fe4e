from pathlib import Path

import pytest

from agent.session import open_session
from storage.errors import EmbedderMismatchError
from tests.test_storage.small import small_edition, store


def test_an_edition_built_with_another_embedder_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path, small_edition())
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
    with pytest.raises(EmbedderMismatchError, match=r"set ASK262_EMBEDDER=letters, or rebuild it: python -m"):
        open_session(edition="es2026", sample=False, model="offline", trace=False)
