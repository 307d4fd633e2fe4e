"""Whether the bundled model, quantised dynamically to int8, is faster at equal retrieval.

    uv run --group quantise python -m evaluation quantised ../spec/es2026 --questions FILE...

The model file holds int8 weights that are multiplied in floating point. Quantising dynamically multiplies in
int8 instead. Both are timed on the same windows in turns, and both rank the sections of the same edition by
vectors alone. Needs `onnx`, which only this measurement uses.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.measures import hit, means, reciprocal_rank
from evaluation.questions import Question, read_questions
from setup.pipeline import build
from setup.sources import read_source
from storage.errors import InputError
from storage.model import BreakdownRules
from storage.progress import Silent
from storage.settings import load_settings

_BATCH = 256
"""Windows embedded by one model before it is the other's turn."""

_DEPTH = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.epilog = "example: python -m evaluation quantised ../spec/es2026 --questions questions.jsonl"
    parser.add_argument("source", metavar="SOURCE", help="a folder of HTML pages or one HTML file")
    parser.add_argument("--questions", metavar="FILE", nargs="+", type=Path, required=True)
    parser.add_argument("--with-context", action="store_true", help="put a question's context before it")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="embed every Nth section only")


def run(arguments: argparse.Namespace) -> int:
    """Print speed, agreement and retrieval of both."""
    import numpy as np

    from storage.minilm import MiniLM
    from storage.passages import embedded_windows

    source = read_source(arguments.source, sample=False, settings=load_settings(), progress=Silent())
    built = build(source, edition="int8", rules=BreakdownRules(), progress=Silent()).assembled.built
    pages = {page.source: page.text for page in built.pages}
    windows = [w for unit in built.units for w in embedded_windows(unit, pages[unit.source])]
    windows = windows[:: max(1, arguments.every)]
    models = {"float": MiniLM(), "int8": _quantised()}
    rows, seconds = _in_turns(models, [window.text for window in windows])
    agreement = (rows["float"] * rows["int8"]).sum(axis=1)
    _say(f"{len(windows):,} windows; int8 is {seconds['float'] / seconds['int8']:.2f} x as fast")
    _say(f"cosine of the two vectors of a window: mean {agreement.mean():.4f}, least {agreement.min():.4f}")
    clauses = np.array([window.unit.clauseid for window in windows])
    for file in arguments.questions:
        questions = [question for question in read_questions(file) if question.gold]
        for name, model in models.items():
            scores = _retrieval(model, rows[name], clauses, questions, arguments.with_context)
            told = ", ".join(f"{measure} {value:.3f}" for measure, value in scores.items())
            _say(f"{file.stem} ({len(questions)} questions), vectors alone, {name}: {told}")
    return 0


def _quantised() -> Any:
    """The embedder over a quantised copy of the model.

    Per channel and with reduced range: without the two the vectors of a window had a mean cosine of .93 only.
    """
    try:
        from onnxruntime.quantization import quantize_dynamic
    except ImportError:
        raise InputError(
            "this needs `onnx`: uv run --group quantise python -m evaluation quantised"
        ) from None
    import onnxruntime

    from storage.bundled import MODEL, read_verified
    from storage.minilm import MiniLM, _session

    with tempfile.TemporaryDirectory(prefix="ask262-int8-") as folder:
        unfolded, quantised = Path(folder) / "float.onnx", Path(folder) / "int8.onnx"
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(unfolded)
        options.log_severity_level = 3
        onnxruntime.InferenceSession(read_verified(MODEL), options, providers=["CPUExecutionProvider"])
        logging.disable(logging.WARNING)  # it recommends a preparation that ours has already had
        quantize_dynamic(
            unfolded, quantised, per_channel=True, reduce_range=True, op_types_to_quantize=["MatMul"]
        )
        logging.disable(logging.NOTSET)
        embedder = MiniLM()
        embedder._session = _session(quantised.read_bytes())
    return embedder


def _in_turns(models: dict[str, Any], texts: Sequence[str]) -> tuple[dict[str, Any], dict[str, float]]:
    """Each model's vectors and wall seconds; the models take turns, so that the machine's mood hits both."""
    import numpy as np

    rows: dict[str, list[Any]] = {name: [] for name in models}
    seconds = dict.fromkeys(models, 0.0)
    for first in range(0, len(texts), _BATCH):
        for name, model in models.items():
            began = time.perf_counter()
            rows[name].append(model.embed_rows(texts[first : first + _BATCH]))
            seconds[name] += time.perf_counter() - began
    return {name: np.concatenate(parts) for name, parts in rows.items()}, seconds


def _retrieval(
    model: Any, rows: Any, clauses: Any, questions: Sequence[Question], with_context: bool
) -> dict[str, float]:
    import numpy as np

    vectors = model.embed_rows([question.asked(with_context=with_context) for question in questions])
    measured = []
    for question, similarities in zip(questions, vectors @ rows.T, strict=True):
        order = np.argsort(-similarities, kind="stable")
        ranked = list(dict.fromkeys(clauses[order].tolist()))[:_DEPTH]
        found = {"hit@10": hit(ranked, question.gold, _DEPTH), "MRR": reciprocal_rank(ranked, question.gold)}
        measured.append(found)
    return means(measured)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
