"""The tools for other agents, over the Model Context Protocol.

    python -m tools.mcp_server                                   a client starts it, over standard input
    python -m tools.mcp_server --http                            http://127.0.0.1:8262/mcp
    ASK262_MCP_TOKEN=... python -m tools.mcp_server --http --host 10.0.0.5

Read only. Without `--http`, standard output is the protocol's and nothing else is written there. On any
address but this machine's own a token is required, as `Authorization: Bearer ...`.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from storage.arguments import Parser
from storage.program import DONE, run

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from storage.model import EditionRecord
    from storage.settings import Settings
    from tools.mcp.editions import Editions
    from tools.ports import Embedder

PORT = 8262


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client goes, or Ctrl-C; the exit status is 1 for an error."""
    return run(lambda: _serve(parser().parse_args(argv)), interrupted="stopped")


def parser() -> argparse.ArgumentParser:
    """The command line; building it loads nothing but this module."""
    out = Parser(
        prog="python -m tools.mcp_server",
        description="Offers the tools, the sections and a few prompts over the Model Context Protocol.",
        epilog="example: python -m tools.mcp_server --http --edition es2026",
    )
    out.add_argument("--edition", metavar="NAME", help="asked where a client names none, such as es2026")
    out.add_argument(
        "--http", action="store_true", help="streamable HTTP instead of standard input and output"
    )
    out.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    out.add_argument("--port", type=int, default=PORT, help=f"port to listen on ({PORT}); 0: a free one")
    out.add_argument("--allow-host", action="append", default=[], metavar="NAME",
                     help="a further name by which clients may call this server")  # fmt: skip
    out.add_argument(
        "--rate", type=_rate, default=50.0, metavar="N", help="requests a second and address (50)"
    )
    return out


def _serve(options: argparse.Namespace) -> int:
    from storage.settings import load_settings
    from tools.mcp.editions import Editions
    from tools.mcp.http import check_address
    from tools.mcp.server import make_server

    settings = load_settings()
    token = settings.mcp_token.get_secret_value() if settings.mcp_token else None
    if options.http:
        check_address(options.host, token=token, names=options.allow_host)
    editions = Editions(
        settings, options.edition or settings.edition, lambda record: _embedder(settings, record)
    )
    editions.get()  # a wrong edition or an absent store is said now, not to the first client
    server = make_server(editions)
    return _over_http(server, options, token) if options.http else _over_pipes(server, editions)


def _over_pipes(server: "Server[Any]", editions: "Editions") -> int:
    import anyio
    from mcp.server.stdio import stdio_server

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    _say(f"serving {', '.join(editions.names())} over standard input and output")
    anyio.run(serve)
    return DONE


def _over_http(server: "Server[Any]", options: argparse.Namespace, token: str | None) -> int:
    import socket

    import uvicorn

    from storage.errors import InputError
    from tools.mcp.http import application

    app = application(server, host=options.host, names=options.allow_host, token=token, rate=options.rate)
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((options.host.strip("[]"), options.port))
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot listen on {options.host}:{options.port}: {error}") from error
        port = listening.getsockname()[1]
        _say(f"serving http://{options.host}:{port}/mcp{', token required' if token else ''}; Ctrl-C ends it")
        config = uvicorn.Config(app, log_level="warning", server_header=False, timeout_graceful_shutdown=2)
        uvicorn.Server(config).run(sockets=[listening])
    return DONE


def _embedder(settings: "Settings", record: "EditionRecord") -> "Embedder":
    from tools.query_embedder import QueryEmbedder

    return QueryEmbedder(settings, record)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number over 0, not {text!r}")
    return rate


def _say(line: str) -> None:
    from tools.clean import clean

    sys.stderr.write(clean(line) + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
