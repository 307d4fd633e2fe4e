"""A local server that speaks the chat completions of OpenAI: scripted replies, with and without streaming."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One reply: an assistant message, or a body of its own under a status."""

    message: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    body: str = ""
    retry_after: str = "0.001"
    """Seconds, as the header says it; tests need not wait."""
    breaks: bool = False
    """Half of the reply is sent, then the connection is closed."""
    silent: bool = False
    """Nothing is sent before the server is stopped."""
    finish: str | None = "as usual"
    """The finish reason; None for none, and then a stream has no end either."""
    pieces: Sequence[dict[str, Any]] = ()
    """What is streamed instead of the message's own pieces."""
    drips: str = ""
    """Sent again and again, and nothing else, until the server is stopped."""


def says(text: str) -> Reply:
    """A message in prose."""
    return Reply({"role": "assistant", "content": text})


def calls(name: str, arguments: str, *, identity: str) -> Reply:
    """A tool call; `arguments` is JSON as it goes over the wire."""
    return at_once((name, arguments), identity=identity)


def at_once(*made: tuple[str, str], identity: str = "call") -> Reply:
    """Several tool calls in one turn; the first has this id, the others a number behind it."""
    wire = [
        {
            "id": f"{identity}_{place}" if place else identity,
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for place, (name, arguments) in enumerate(made)
    ]
    return Reply({"role": "assistant", "content": None, "tool_calls": wire})


@dataclass
class ChatServer:
    """Gives its replies in turn, the last one again and again; remembers what it was asked."""

    replies: Sequence[Reply]
    asked: list[dict[str, Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    keys: list[str] = field(default_factory=list)
    address: str = ""
    limit: int | None = None
    """Characters of a request above which it is refused, as by a server with a small window."""
    refused: int = 0
    unanswered: list[str] = field(default_factory=list)
    """Ids of calls that a request left without a result; such a request is refused, as OpenAI does."""

    def reply(self, body: dict[str, Any], key: str) -> Reply:
        """The next reply, or that the request is too long."""
        self.asked.append(body)
        self.keys.append(key)
        size = len(json.dumps(body, ensure_ascii=False))
        if self.limit is not None and size > self.limit:
            self.refused += 1
            said = f"request ({size} tokens) exceeds the available context size ({self.limit} tokens)"
            return Reply(status=400, body=json.dumps({"error": {"message": said}}))
        if left := _unanswered(body["messages"]):
            self.unanswered += left
            said = f"An assistant message with 'tool_calls' must be followed by tool messages: {left}"
            return Reply(status=400, body=json.dumps({"error": {"message": said}}))
        return self.replies[min(len(self.asked) - self.refused, len(self.replies)) - 1]


def _unanswered(messages: Sequence[dict[str, Any]]) -> list[str]:
    """Ids of calls that are not answered by the tool messages right behind them."""
    left: list[str] = []
    for at, message in enumerate(messages):
        made = [call["id"] for call in message.get("tool_calls") or ()]
        told = {
            one["tool_call_id"] for one in takewhile(lambda one: one["role"] == "tool", messages[at + 1 :])
        }
        left += [identity for identity in made if identity not in told]
    return left


@contextmanager
def serving(*replies: Reply, limit: int | None = None) -> Iterator[ChatServer]:
    """The server on a free port of this machine while the block runs."""
    chat = ChatServer(replies, limit=limit)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            reply = chat.reply(body, self.headers.get("Authorization", ""))
            if reply.silent:
                chat.over.wait()
            elif reply.drips:
                _drip(self, reply.drips, chat.over, stream=bool(body.get("stream")))
            elif reply.status != 200 or reply.body:
                _send(self, reply.body, reply, kind="application/json")
            elif body.get("stream"):
                _send(self, "".join(_events(reply)), reply, kind="text/event-stream")
            else:
                _send(self, json.dumps(_completion(reply)), reply, kind="application/json")

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    chat.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield chat
    finally:
        chat.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _send(handler: BaseHTTPRequestHandler, text: str, reply: Reply, *, kind: str) -> None:
    data = text.encode()
    handler.send_response(reply.status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    handler.send_header("retry-after", reply.retry_after)
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2] if reply.breaks else data)
    handler.close_connection = True


def _drip(handler: BaseHTTPRequestHandler, drop: str, over: threading.Event, *, stream: bool) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream" if stream else "application/json")
    handler.end_headers()
    with suppress(OSError):  # nobody listens any more
        while not over.wait(0.02):
            handler.wfile.write(drop.encode())
            handler.wfile.flush()
    handler.close_connection = True


def _finish(reply: Reply) -> str | None:
    usual = "tool_calls" if reply.message.get("tool_calls") else "stop"
    return usual if reply.finish == "as usual" else reply.finish


def _completion(reply: Reply) -> dict[str, Any]:
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "local",
        "choices": [{"index": 0, "message": reply.message, "finish_reason": _finish(reply)}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def _events(reply: Reply) -> Iterator[str]:
    """The message in pieces: text by words, the arguments of a call in two halves."""
    for delta in reply.pieces or _deltas(reply.message):
        yield event(delta)
    if finish := _finish(reply):
        yield event({}, finish=finish)
        yield "data: [DONE]\n\n"


def event(delta: dict[str, Any], *, finish: str | None = None) -> str:
    """One piece of a stream."""
    chunk = {
        "id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "local",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }  # fmt: skip
    return f"data: {json.dumps(chunk)}\n\n"


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for word in (message.get("content") or "").split():
        yield {"content": f"{word} "}
    for index, made in enumerate(message.get("tool_calls", [])):
        name, arguments = made["function"]["name"], made["function"]["arguments"]
        half = len(arguments) // 2
        first = {"name": name, "arguments": arguments[:half]}
        yield {"tool_calls": [{"index": index, "id": made["id"], "type": "function", "function": first}]}
        yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]}
