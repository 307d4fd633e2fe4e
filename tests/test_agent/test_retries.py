"""When a failing model is asked again, after which wait, and when no more."""

from typing import Any

import pytest

from agent.events import silent
from agent.failures import may_pass, wait_wanted
from agent.middleware.retries import PATIENCE, RETRIES, Retries


class _Response:
    def __init__(self, **headers: str) -> None:
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class _StatusError(Exception):
    def __init__(self, status_code: int, **headers: str) -> None:
        super().__init__(f"status {status_code}")
        self.status_code = status_code
        self.response = _Response(**headers)


class _ReadTimeout(Exception):
    pass


class _APIConnectionError(Exception):
    pass


class _ConnectError(Exception):
    pass


class _RemoteProtocolError(Exception):
    pass


def raised_from(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (_StatusError(429), True),
        (_StatusError(503), True),
        (_StatusError(408), True),
        (_StatusError(501), False),
        (_StatusError(400), False),
        (_StatusError(401), False),
        (_ReadTimeout(), True),
        (_RemoteProtocolError("peer closed connection"), True),
        (raised_from(_APIConnectionError(), _RemoteProtocolError()), True),
        (raised_from(_APIConnectionError(), _ConnectError("refused")), False),
        (ValueError("no JSON"), False),
        (NotImplementedError(), False),
    ],
)
def test_what_may_pass(error: Exception, passes: bool) -> None:
    assert may_pass(error) is passes


def test_a_context_that_is_too_small_does_not_pass() -> None:
    error = _StatusError(500)
    error.args = ("request exceeds the available context size",)
    assert not may_pass(error)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after_ms": "250", "retry_after": "7"}, 0.25),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_wanted(_StatusError(429, **headers)) == seconds


def outlast(*errors: Exception, seconds: float = 0.0) -> tuple[list[float], int, Exception | None]:
    """The waits, the attempts, and what was raised; each attempt takes `seconds`."""
    waits: list[float] = []
    attempts, now = 0, 0.0

    def sleep(wait: float) -> None:
        nonlocal now
        now += wait
        waits.append(wait)

    def handler(_: Any) -> Any:
        nonlocal attempts, now
        attempts += 1
        now += seconds
        if attempts <= len(errors):
            raise errors[attempts - 1]
        return "said"

    try:
        Retries(silent, sleep=sleep, clock=lambda: now).wrap_model_call(None, handler)  # type: ignore[arg-type]
    except Exception as error:
        return waits, attempts, error
    return waits, attempts, None


def test_each_wait_is_twice_the_one_before() -> None:
    assert outlast(*[_StatusError(500)] * RETRIES) == ([0.5, 1.0, 2.0], 1 + RETRIES, None)


def test_a_servers_own_wait_is_kept_to() -> None:
    assert outlast(_StatusError(429, retry_after="12"))[0] == [12.0]


def test_a_wait_of_minutes_is_a_failure() -> None:
    error = _StatusError(429, retry_after="600")
    assert outlast(error) == ([], 1, error)


def test_what_fails_each_time_is_raised_as_it_was() -> None:
    errors = [_StatusError(500) for _ in range(9)]
    assert outlast(*errors) == ([0.5, 1.0, 2.0], 1 + RETRIES, errors[RETRIES])


def test_time_outs_are_not_waited_out_for_minutes() -> None:
    waits, attempts, error = outlast(*[_ReadTimeout()] * 9, seconds=60.0)
    assert (attempts, type(error)) == (2, _ReadTimeout)
    assert sum(waits) < PATIENCE
