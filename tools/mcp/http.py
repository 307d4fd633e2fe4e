"""What stands before the protocol over HTTP: the token, how often, how much, and which names are answered to.

ASGI in, ASGI out. On a loopback address the machine's own programs are trusted, unless a token is set; a page
in a browser is not, whatever name it gives our address: the protocol's library checks host and origin.
"""

import hmac
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from storage.errors import InputError
from tools.clean import shortened

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

BODY = 256 * 1024
"""Bytes of a request. The longest argument of a prompt has 20,000 characters."""
SHORTEST_TOKEN = 16
"""Characters below which a token can be guessed."""
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_address(host: str, *, token: str | None, names: Sequence[str]) -> None:
    """Refuse to listen where others could ask without a token. Raises InputError, one line."""
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise InputError(
            f"ASK262_MCP_TOKEN has {len(token)} characters, at least {SHORTEST_TOKEN} are needed. Make one:"
            ' python -c "import secrets; print(secrets.token_urlsafe(24))"'
        )
    if is_loopback(host):
        return
    if token is None:
        raise InputError(
            f"{shortened(host)} can be reached by other machines: set ASK262_MCP_TOKEN, or leave out --host"
        )
    if host in ("0.0.0.0", "::", "") and not names:  # noqa: S104  (refused, not bound)
        raise InputError(
            f"{host or 'an empty host'} is every address: say by which name clients come, --allow-host NAME"
        )


@dataclass(slots=True)
class Buckets:
    """So many requests a second from each address, and a few more at once. Memory for the busy ones only."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, client: str) -> float:
        """0 when a request may pass, else the seconds until one may."""
        now = self.clock()
        left, since = self._left.get(client, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        if left < 1:
            self._left[client] = (left, now)
            return (1 - left) / self.rate
        self._left[client] = (left - 1, now)
        if len(self._left) > 1_000:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Whoever has a full bucket again is as good as unknown."""
        self._left = {
            client: (left, since)
            for client, (left, since) in self._left.items()
            if left + (now - since) * self.rate < self.burst
        }


class Guard:
    """Passes on what may pass; answers 401 without the token, 429 when it is too often."""

    def __init__(self, app: "ASGIApp", *, token: str | None, buckets: Buckets) -> None:
        self._app = app
        self._token = None if token is None else f"Bearer {token}".encode()
        self._buckets = buckets

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif wait := self._buckets.take((scope.get("client") or ("",))[0]):
            await _refuse(send, 429, "too many requests", ("retry-after", str(int(wait) + 1)))
        elif not self._knows(scope["headers"]):
            await _refuse(send, 401, "a token is needed", ("www-authenticate", "Bearer"))
        else:
            await self._app(scope, receive, send)

    def _knows(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        if self._token is None:
            return True
        given = [value for name, value in headers if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._token)


async def _refuse(send: "Send", status: int, why: str, header: tuple[str, str]) -> None:
    body = f"{why}\n".encode()
    headers = [("content-type", "text/plain; charset=utf-8"), ("content-length", str(len(body))), header]
    raw: list[Any] = [(name.encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


def application(
    server: "Server[Any]", *, host: str, names: Sequence[str], token: str | None, rate: float
) -> "Starlette":
    """The whole application: the protocol at `/mcp` behind the guard."""
    from mcp.server.transport_security import TransportSecuritySettings

    known = [*_LOOPBACK_NAMES, *names] if is_loopback(host) else [host, *names]
    app = server.streamable_http_app(
        host=host,
        max_request_body_size=BODY,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[one for name in known for one in (name, f"{name}:*")],
            allowed_origins=[
                f"{scheme}://{one}"
                for name in known
                for one in (name, f"{name}:*")
                for scheme in ("http", "https")
            ],
        ),
    )
    app.add_middleware(Guard, token=token, buckets=Buckets(rate=rate, burst=2 * rate))
    return app
