"""What went wrong on the way to a chat model, in one line with its remedy, and whether it may pass.

Told apart by HTTP status and by the exception's name, which all client libraries share; imports none of them.
Nothing of the answer to a rejected key is repeated: servers echo parts of the key.
"""

import math
from collections.abc import Iterator

from tools.clean import shortened

_BY_STATUS = {
    400: "refused the request (HTTP 400): {said}",
    401: "rejected the key (HTTP 401); set ASK262_API_KEY, or the provider's own variable, to a valid one",
    403: "does not allow this key to use the model (HTTP 403); choose another with --model",
    404: "does not know this model or address (HTTP 404); check its name and ASK262_BASE_URL",
    429: "is limiting requests (HTTP 429); wait a moment, or choose another model with --model",
}
_SERVER_FAILED = "failed (HTTP {status}); try again, or choose another model with --model"
_CONTEXT = (
    "context length", "context_length", "context window", "maximum context", "context size",
    "prompt is too long", "maximum number of tokens",
)  # fmt: skip
_CONTEXT_SMALL = "has too small a context window for what was read; lower ASK262_BUDGET_CHARACTERS"
_QUOTA = "insufficient_quota"
_NO_QUOTA = (
    "has no quota left for this key (HTTP 429); see the provider's billing page, or choose another model"
)
_NO_NETWORK = "; check that this machine has a network"
_BROKE_OFF = "broke off in the middle of its answer; try again, or choose another model with --model"
_BY_NAME = {
    "timeout": "did not answer in time; raise ASK262_TIMEOUT, or choose another model with --model",
    "protocolerror": _BROKE_OFF,
    "readerror": _BROKE_OFF,
    "incompleteread": _BROKE_OFF,
    "lengthfinishreason": "was cut off in the middle of its answer; raise ASK262_REPLY_TOKENS",
    "connect": "cannot be reached{where}, or {without}",
    "notimplemented": "cannot call tools; choose another with --model",
}
"""By a part of the exception's name, or of one that it was raised from; the first that fits."""
_PASSING = frozenset({"timeout", "protocolerror", "readerror", "incompleteread"})
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


def explain(error: Exception, *, model: str, address: str | None = None, configured: bool = False) -> str:
    """One line: which model, what happened, what mends it.

    `address` is the server of one's own that was asked; `configured` says that the name came from a setting.
    """
    where = f" at {address}; start its server or correct ASK262_BASE_URL" if address else _NO_NETWORK
    happened = _happened(error).replace("{where}", where).replace("{without}", do_without(configured))
    return f"The model {model} {happened}."


def do_without(configured: bool, /) -> str:
    """How to come back to the built-in model."""
    return "unset ASK262_MODEL" if configured else "leave out --model"


def is_too_long(error: Exception) -> bool:
    """Whether a model refused because it was sent more than it can read."""
    return any(words in str(error).lower() for words in _CONTEXT)


def may_pass(error: Exception) -> bool:
    """Whether the same request may succeed in a moment: a busy or failing server, a time-out, a broken
    connection. Nobody listening at an address is none of these."""
    if is_too_long(error) or _has_no_quota(error):
        return False
    status = _status(error)
    return status in _PASSING_STATUS if status is not None else _kind(error) in _PASSING


def wait_wanted(error: Exception) -> float | None:
    """Seconds that a server asks to be left alone for; None when it names none."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for header, seconds in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait = float(headers.get(header, "")) * seconds
        except ValueError:  # absent, or a date: then our own wait will do
            continue
        if math.isfinite(wait) and wait > 0:
            return wait
    return None


def _happened(error: Exception) -> str:
    said = shortened(str(error), limit=200).rstrip(".")
    if is_too_long(error):
        return _CONTEXT_SMALL
    if _has_no_quota(error):
        return _NO_QUOTA
    status = _status(error)
    if status is not None:
        return _BY_STATUS.get(status, _SERVER_FAILED).format(status=status, said=said)
    if kind := _kind(error):
        return _BY_NAME[kind]
    return f"answered what cannot be read ({type(error).__name__}: {said}); choose another with --model"


def _has_no_quota(error: Exception) -> bool:
    return _QUOTA in f"{error} {getattr(error, 'code', '')}"


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and status >= 400 else None


def _kind(error: Exception) -> str | None:
    names = list(_names(error))
    return next((kind for kind in _BY_NAME if any(kind in name for name in names)), None)


def _names(error: BaseException | None) -> Iterator[str]:
    """Lower-case names of an exception's classes, and of those that it was raised from."""
    while error is not None:
        yield from (kind.__name__.lower() for kind in type(error).__mro__)
        error = error.__cause__
