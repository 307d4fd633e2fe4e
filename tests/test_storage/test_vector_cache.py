import sqlite3
from pathlib import Path

import numpy as np
import pytest

from storage.errors import EmbedderError, StoreError
from storage.vector_cache import (
    COMMIT_TEXTS,
    FILE_NAME,
    CacheState,
    VectorCache,
    cache_state,
    embed_cached,
    text_digest,
)
from tests.test_storage.small import LetterEmbedder

MANY = [f"text number {'x' * number}" for number in range(3 * COMMIT_TEXTS)]


def test_only_what_is_missing_is_embedded(tmp_path: Path) -> None:
    embedder = LetterEmbedder()
    first = embed_cached(["a", "b"], embedder, VectorCache(tmp_path))
    again = embed_cached(["b", "c", "a"], embedder, VectorCache(tmp_path))
    assert sorted(embedder.seen) == ["a", "b", "c"]
    assert np.array_equal(again[[2, 0]], first)


def test_equal_texts_are_embedded_once_and_each_has_its_row(tmp_path: Path) -> None:
    embedder = LetterEmbedder()
    rows = embed_cached(["same", "other", "same"], embedder, VectorCache(tmp_path))
    assert sorted(embedder.seen) == ["other", "same"]
    assert np.array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], rows[1])


def test_rows_stand_in_the_order_of_the_texts(tmp_path: Path) -> None:
    rows = embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path))
    xs = [row[23] / row[0] for row in rows]
    assert xs == sorted(xs)


def test_two_embedders_do_not_share_vectors(tmp_path: Path) -> None:
    other = LetterEmbedder("other")
    embed_cached(["a"], LetterEmbedder(), VectorCache(tmp_path))
    embed_cached(["a"], other, VectorCache(tmp_path))
    assert other.seen == ["a"]


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done >= COMMIT_TEXTS:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path), on_progress=interrupt)
    second = LetterEmbedder()
    embed_cached(MANY, second, VectorCache(tmp_path))
    assert len(second.seen) == len(MANY) - COMMIT_TEXTS


def test_progress_counts_what_is_missing(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    embed_cached(MANY[:5], LetterEmbedder(), VectorCache(tmp_path))
    embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path), on_progress=lambda *both: told.append(both))
    assert told[0] == (0, len(MANY) - 5)
    assert told[-1] == (len(MANY) - 5, len(MANY) - 5)


@pytest.mark.parametrize(
    "damage", [b"", b"no database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5_000]
)
def test_a_damaged_cache_is_begun_anew_and_says_so(tmp_path: Path, damage: bytes) -> None:
    embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path))
    (tmp_path / FILE_NAME).write_bytes(damage)
    told: list[str] = []
    rows = embed_cached(["a"], LetterEmbedder(), VectorCache(tmp_path, note=told.append))
    assert rows.shape == (1, 26)
    assert len(told) == (1 if damage else 0)
    assert all("damaged" in line and "begun anew" in line for line in told)


def test_a_truncated_cache_is_begun_anew(tmp_path: Path) -> None:
    embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path))
    file = tmp_path / FILE_NAME
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    told: list[str] = []
    rows = embed_cached(MANY, LetterEmbedder(), VectorCache(tmp_path, note=told.append))
    assert rows.shape == (len(MANY), 26)
    assert len(told) == 1


def test_a_vector_of_the_wrong_size_is_embedded_again(tmp_path: Path) -> None:
    embed_cached(["a"], LetterEmbedder(), VectorCache(tmp_path))
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        database.execute("UPDATE vectors SET vector = x'0000'")
    database.close()
    embedder = LetterEmbedder()
    embed_cached(["a"], embedder, VectorCache(tmp_path))
    assert embedder.seen == ["a"]


def test_a_folder_that_cannot_hold_it_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"embedding cache .* cannot be used .*ASK262_STORAGE_DIR"):
        embed_cached(["a"], LetterEmbedder(), VectorCache(tmp_path / "missing"))


def test_nothing_bad_is_kept(tmp_path: Path) -> None:
    class Zeros(LetterEmbedder):
        def embed_documents(self, texts: list[str], /) -> list[list[float]]:
            return [[0.0] * 26 for _ in texts]

    with pytest.raises(EmbedderError):
        embed_cached(["a"], Zeros(), VectorCache(tmp_path))
    assert VectorCache(tmp_path).get(Zeros().identity.digest, ["a"]) == {}


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    assert embed_cached([], LetterEmbedder(), VectorCache(tmp_path)).shape == (0, 26)


def test_only_what_is_used_is_kept_and_only_for_its_embedder(tmp_path: Path) -> None:
    cache, letters, other = VectorCache(tmp_path), LetterEmbedder(), LetterEmbedder("other")
    for embedder in (letters, other):
        embed_cached(["a", "b"], embedder, cache)
    used = [(letters.identity.digest, text_digest("a")), (letters.identity.digest, text_digest("never seen"))]
    assert cache.keep_only(used) == (3, 1)
    again = LetterEmbedder()
    embed_cached(["a", "b"], again, cache)
    assert again.seen == ["b"]


def test_looking_at_a_cache_makes_none_and_changes_none(tmp_path: Path) -> None:
    assert cache_state(tmp_path) == CacheState(0, 0)
    assert VectorCache(tmp_path).keep_only([]) == (0, 0)
    assert list(tmp_path.iterdir()) == []
    embed_cached(["a", "b"], LetterEmbedder(), VectorCache(tmp_path))
    before = (tmp_path / FILE_NAME).read_bytes()
    state = cache_state(tmp_path)
    assert (state.vectors, state.fault) == (2, "")
    assert state.bytes >= len(before)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_damaged_cache_is_told_and_not_replaced_by_a_look(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 100)
    assert "not a database" in cache_state(tmp_path).fault
    assert (tmp_path / FILE_NAME).read_bytes() == b"no database" * 100
