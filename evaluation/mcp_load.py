"""Many clients of the MCP server at once: errors, calls a second, and whether its memory stays where it was.

    python -m evaluation mcp                        20 clients, 1,000 calls, over HTTP
    python -m evaluation mcp --clients 5 --calls 200

The server is a process of its own, started as its users start it, on a free port of this machine. Each client
searches, reads and outlines in turn, with names of the edition that is asked. Memory is that of the server's
process, after a first fifth of the calls (models loaded, tables opened) and at the end.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from storage.errors import Ask262Error, InputError

CLIENTS, CALLS = 20, 1_000
WARM = 5
"""One call in so many is made before memory is looked at first."""
SEED = 262
_ADDRESS = re.compile(r"http://[^ ,;]+")


def configure(parser: argparse.ArgumentParser, /) -> None:
    """The command's arguments."""
    parser.add_argument("--clients", type=int, default=CLIENTS, help=f"clients at once ({CLIENTS})")
    parser.add_argument("--calls", type=int, default=CALLS, help=f"calls altogether ({CALLS})")
    parser.add_argument("--edition", help="an edition in the store, such as es2026")


def run(arguments: argparse.Namespace, /) -> int:
    """Print what was measured; 1 when a call failed."""
    if not 1 <= arguments.clients <= arguments.calls:
        raise InputError("--clients must be 1 or more, and --calls at least as many")
    names = _names(arguments.edition)
    with _server(arguments.edition) as (address, process):
        warm = max(arguments.calls // WARM, arguments.clients)
        asyncio.run(_load(address, names, clients=arguments.clients, calls=warm, seed=SEED))
        before, began = _resident(process), time.perf_counter()
        errors = asyncio.run(
            _load(address, names, clients=arguments.clients, calls=arguments.calls, seed=SEED + 1)
        )
        seconds, after = time.perf_counter() - began, _resident(process)
    sys.stdout.write(
        f"{arguments.clients} clients, {arguments.calls:,} calls, {errors} errors,"
        f" {arguments.calls / seconds:,.1f} calls/s\n"
        f"the server's memory: {before:,.0f} MB after {warm} calls, {after:,.0f} MB at the end,"
        f" {after / before:.2f} x\n"
    )
    return 1 if errors else 0


def _names(edition: str | None) -> list[str]:
    """Ids of sections, a seeded choice."""
    from storage.model import Level
    from storage.reader import open_reader
    from storage.settings import load_settings

    units = open_reader(load_settings(), edition).matching({"level": Level.SECTION.value})
    ids = sorted(unit.unitid for unit in units)
    return random.Random(SEED).sample(ids, min(len(ids), 300))  # noqa: S311  (a choice, not a secret)


@contextmanager
def _server(edition: str | None) -> Iterator[tuple[str, int]]:
    """Its address and its process."""
    named = ["--edition", edition] if edition else []
    command = [sys.executable, "-m", "tools.mcp_server", "--http", "--port", "0", "--rate", "100000", *named]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  (our own program)
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = _ADDRESS.search(said)
            if found is None:
                raise Ask262Error(f"the server did not start: {said.strip()}")
            yield found.group(), process.pid
        finally:
            process.terminate()


async def _load(address: str, names: list[str], *, clients: int, calls: int, seed: int) -> int:
    """How many of the calls failed."""
    shares = [calls // clients + (number < calls % clients) for number in range(clients)]
    failed = await asyncio.gather(
        *(
            _client(address, names, calls=share, seed=seed * 1_000 + number)
            for number, share in enumerate(shares)
        )
    )
    return sum(failed)


async def _client(address: str, names: list[str], *, calls: int, seed: int) -> int:
    from mcp.client.client import Client

    chance, failed = random.Random(seed), 0  # noqa: S311
    async with Client(address) as client:
        for number in range(calls):
            tool, arguments = _call(number, chance.choice(names))
            failed += bool((await client.call_tool(tool, arguments)).is_error)
    return failed


def _call(number: int, name: str) -> tuple[str, dict[str, Any]]:
    """Searching, reading and outlining in turn."""
    return (
        ("search_spec", {"query": name.removeprefix("sec-").replace("-", " ")}),
        ("fetch_section_chunks", {"sectionid": name}),
        ("check_subsections", {"sectionid": name}),
    )[number % 3]


def _resident(process: int) -> float:
    """Megabytes of a process that are in memory; Linux says so in a file."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        raise InputError("the memory of another process is read from /proc, which this system does not have")
    return int(re.search(r"VmRSS:\s+(\d+)", status.read_text()).group(1)) / 1024  # type: ignore[union-attr]
