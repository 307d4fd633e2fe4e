import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from storage.embedder import check_embedder, checked, load_embedder
from storage.errors import EmbedderError, EmbedderMismatchError
from storage.identity import configured_identity
from storage.minilm import MiniLM
from storage.remote_embedder import RemoteEmbedder
from tests.test_storage.small import LetterEmbedder, settings_for, small_edition, store


class Scripted(Embeddings):
    """Answers what it is told to."""

    def __init__(self, *answers: list[list[float]] | Exception) -> None:
        self._answers = list(answers)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class EmbeddingServer(BaseHTTPRequestHandler):
    """Speaks just enough of OpenAI's embedding protocol."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        data = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0, 2.0]}
            for place, text in enumerate(texts)
        ]
        body = json.dumps({"object": "list", "data": data, "model": asked["model"], "usage": {}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on standard error."""


@pytest.fixture
def server() -> Iterator[str]:
    httpd = HTTPServer(("127.0.0.1", 0), EmbeddingServer)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1"
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def test_without_settings_the_bundled_embedder_is_used(tmp_path: Path) -> None:
    assert isinstance(load_embedder(settings_for(tmp_path)), MiniLM)


def test_an_openai_compatible_server_is_an_embedder(tmp_path: Path, server: str) -> None:
    embedder = load_embedder(settings_for(tmp_path, embedder="some-model", embedder_base_url=server))
    assert embedder.identity.name == "some-model"
    assert embedder.identity.dimension == 3
    near = embedder.embed_documents(["four", "twelve chars"])
    assert near[0] == pytest.approx([4 / 21**0.5, 1 / 21**0.5, 2 / 21**0.5])


def test_the_same_model_at_another_address_is_another_embedder() -> None:
    def at(address: str) -> str:
        return RemoteEmbedder.probed(Scripted([[1.0]]), name="m", address=address).identity.digest

    assert at("http://a") != at("http://b")


def test_an_embedders_identity_is_known_before_it_is_loaded(tmp_path: Path, server: str) -> None:
    for named in ({}, {"embedder": "some-model", "embedder_base_url": server}):
        settings = settings_for(tmp_path, **named)
        known, loaded = configured_identity(settings), load_embedder(settings).identity
        assert (known.name, known.digest) == (loaded.name, loaded.digest)
        assert known.dimension in (0, loaded.dimension)


def test_offline_refuses_an_embedder_that_needs_the_network(tmp_path: Path) -> None:
    with pytest.raises(
        EmbedderError, match=r"openai:x needs the network and ASK262_OFFLINE is set; .*minilm"
    ):
        load_embedder(settings_for(tmp_path, embedder="openai:x", offline=True))


@pytest.mark.parametrize("name", ["nosuchprovider:model", "no-provider-at-all", "ollama:not-installed-here"])
def test_a_provider_that_cannot_be_had_is_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbedderError, match=f"embedder {name} cannot be loaded") as caught:
        load_embedder(settings_for(tmp_path, embedder=name))
    assert "\n" not in str(caught.value)


def test_a_server_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="embedder m did not answer: gone; is its server running"):
        RemoteEmbedder.probed(Scripted(RuntimeError("gone\n")), name="m")


@pytest.mark.parametrize("vector", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_zeros_and_non_numbers_are_refused(vector: list[float]) -> None:
    with pytest.raises(EmbedderError, match="a vector of zeros or of no numbers"):
        checked([[1.0, 0.0], vector], count=2, name="m")


def test_a_vector_too_few_is_refused() -> None:
    with pytest.raises(EmbedderError, match="answered 1 vectors for 2 texts"):
        checked([[1.0]], count=2, name="m")


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(EmbedderError, match="vectors of different lengths"):
        checked([[1.0], [1.0, 2.0]], count=2, name="m")


def test_a_model_that_changes_its_dimension_is_refused() -> None:
    embedder = RemoteEmbedder.probed(Scripted([[1.0, 1.0]], [[1.0]]), name="m")
    with pytest.raises(EmbedderError, match="answered 1 numbers a text, not 2"):
        embedder.embed_documents(["x"])


def test_vectors_come_out_with_length_one() -> None:
    assert np.allclose(np.linalg.norm(checked([[3.0, 4.0], [0.0, 0.1]], count=2, name="m"), axis=1), 1.0)


def test_an_edition_is_not_searched_with_another_embedder(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    check_embedder(record, LetterEmbedder())
    with pytest.raises(EmbedderMismatchError) as caught:
        check_embedder(record, LetterEmbedder("others"))
    message = str(caught.value)
    assert "built with embedder letters (26 numbers)" in message
    assert "others" in message
    assert "python -m setup.ingest small.html --edition es2026" in message


def test_the_remedy_for_the_sample_is_the_samples_command(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition("sample", sample=True))
    with pytest.raises(EmbedderMismatchError, match=r"python -m setup.ingest --sample --edition sample"):
        check_embedder(record, LetterEmbedder("others"))
