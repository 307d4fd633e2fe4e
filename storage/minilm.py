"""The bundled embedder: all-MiniLM-L6-v2 as ONNX, from installed packages, with no network.

Mean of the token vectors that the attention mask keeps, then length one: 384 numbers. Texts are embedded in
small batches of similar length (padding is work), each batch on one thread and several at a time: on a busy
machine that was 1.5 times as fast as sharing one batch between the threads, and a vector does not depend on
its batch.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from langchain_core.embeddings import Embeddings

from storage.bundled import MODEL, read_verified, tokenizer
from storage.embedder import checked
from storage.errors import EmbedderError
from storage.identity import BUNDLED, DIMENSION
from storage.windows import MAX_TOKENS

_QUIET = 3
"""onnxruntime's level for errors; warnings about the machine would reach standard error."""


class MiniLM(Embeddings):
    """Texts over 256 tokens lose their end here: cut them with `storage.windows` first."""

    def __init__(self, *, batch_size: int = 4, threads: int = 0) -> None:
        self.identity = BUNDLED
        self._batch_size = batch_size
        self._threads = threads or available_threads()
        self._session = _session(read_verified(MODEL))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text, in the order given."""
        rows: list[list[float]] = self.embed_rows(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self.embed_documents([text])[0]

    def embed_rows(self, texts: Sequence[str]) -> Any:
        """As `embed_documents`, as float32 rows."""
        import numpy as np

        ids = [tokens.ids for tokens in tokenizer().encode_batch(list(texts))]
        ids = [_clipped(tokens) for tokens in ids]
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        batches = [order[at : at + self._batch_size] for at in range(0, len(order), self._batch_size)]
        rows = np.zeros((len(ids), DIMENSION), dtype=np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            for batch, vectors in zip(
                batches, pool.map(lambda batch: self._embed([ids[i] for i in batch]), batches), strict=True
            ):
                rows[batch] = vectors
        return checked(rows, count=len(ids), name=self.identity.name) if len(ids) else rows

    def _embed(self, ids: Sequence[Sequence[int]]) -> Any:
        import numpy as np

        longest = max(map(len, ids))
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, values in enumerate(ids):
            tokens[row, : len(values)] = values
            mask[row, : len(values)] = 1
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        states = self._session.run(None, feed)[0]
        kept = mask[:, :, None].astype(np.float32)
        return (states * kept).sum(axis=1) / kept.sum(axis=1)


def _clipped(tokens: Sequence[int]) -> list[int]:
    """At most 256 tokens, the last of them `[SEP]` as in training."""
    return list(tokens) if len(tokens) <= MAX_TOKENS else [*tokens[: MAX_TOKENS - 1], tokens[-1]]


def available_threads() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _session(model: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exceptions share no base class
        raise EmbedderError(
            "onnxruntime cannot load the bundled model; reinstall it: pip install onnxruntime"
        ) from error
