"""A llama.cpp server around one model file, as a program of its own: a crash of it is no crash of the tests.

    python -m tests.test_live.llama_server MODEL.gguf [--port N] [--context TOKENS] [--threads N] [--key KEY]

Prints the base address on standard output once it answers, and serves until it is stopped. Speaks the chat
completions of OpenAI. Needs the package xllamacpp (`uv sync --group live`).
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Serve until the process is stopped."""
    options = _parser().parse_args(arguments)
    server = _start(options)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    while True:
        time.sleep(3600)


@contextmanager
def running(model: Path, *, context: int, key: str = "") -> Iterator[str]:
    """The base address of a server around `model` while the block runs. Raises OSError when it cannot
    start."""
    command = [
        sys.executable, "-m", "tests.test_live.llama_server", str(model),
        "--context", str(context), *(["--key", key] if key else []),
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise OSError(f"the server ended with status {process.wait()} before it answered")
            yield address
        finally:
            process.kill()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.test_live.llama_server", description=__doc__)
    parser.epilog = "example: python -m tests.test_live.llama_server model.gguf --port 8080"
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) for a free one")
    parser.add_argument("--context", type=int, default=8192, help="tokens of one conversation")
    parser.add_argument("--threads", type=int, default=1, help="for writing; more only help an idle machine")
    parser.add_argument("--batch-threads", type=int, default=2, help="for reading")
    parser.add_argument("--key", default="", help="the only key that is let in")
    return parser


def _start(options: argparse.Namespace) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(options.model)
    params.port = options.port
    params.n_ctx = options.context
    params.n_parallel = 1
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.batch_threads
    # Waiting threads sleep: beside other programs, spinning ones take the processor from those that work.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.sampling.temp = 0.0
    params.sampling.seed = 1
    params.warmup = False
    params.ui = False
    if options.key:
        params.api_keys = [options.key]
    return xllamacpp.Server(params)


if __name__ == "__main__":
    raise SystemExit(main())
