"""What went wrong on the way to a chat model, in one line with its remedy, and whether it may pass.

Told apart by HTTP status and by the exception's name, which all client libraries share; imports none of them.
Nothing of the answer to a rejected key is repeated: servers echo parts of the key. Of other answers what
looks like a key is left out, and nothing in them is taken for a placeholder of ours.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from storage.address import shown_address
from storage.keys import masked
from tools.clean import one_line, shortened

_KEY = "set ASK262_API_KEY, or the provider's own variable, to a valid one"
_OTHER = "choose another with --model"
_BY_STATUS = {
    401: f"rejected the key (HTTP 401); {_KEY}",
    403: f"does not allow this key to use the model (HTTP 403); {_OTHER}",
    404: "does not know this model or address (HTTP 404); check its name and ASK262_BASE_URL",
    429: "is limiting requests (HTTP 429); wait a moment, or choose another model with --model",
}
_OF_A_KEY = re.compile(r"api[\s_-]?key|invalid[\s_-]token|authenticat|unauthori[sz]ed")
"""What a refusal is about that should have come as 401."""
_WANTS_HTTPS = re.compile(r"plain http request|http request (?:was )?(?:sent )?to an? https")
_SPEAKS_NO_HTTPS = re.compile(
    r"wrong[ _]version[ _]number|record[ _]layer[ _]failure|packet[ _]length[ _]too"
)
_UNTRUSTED = "certificate verify failed"
_CONTEXT = (
    "context length", "context_length", "context window", "maximum context", "context size",
    "prompt is too long", "maximum number of tokens",
)  # fmt: skip
_TOO_LARGE = 413
_CONTEXT_SMALL = "has too small a context window for what was read; lower ASK262_BUDGET_CHARACTERS"
_NO_CONTEXT = (
    "has too small a context window for the instructions and the question alone: give it a larger one where"
    f" it is served, or {_OTHER}"
)
_QUOTA = "insufficient_quota"
_NO_QUOTA = (
    "has no quota left for this key (HTTP 429); see the provider's billing page, or choose another model"
)
_NO_NETWORK = "; check that this machine has a network"
_NO_STREAM = "no generations found in stream"
_STREAMS_NOT = "sent no reply in pieces; unset ASK262_STREAM, or correct ASK262_BASE_URL"
_BROKE_OFF = "broke off in the middle of its answer; try again, or choose another model with --model"
_UNSENDABLE = f"was sent nothing, since its key or its address cannot go into a request; {_KEY}"
_BY_NAME = {
    "overdue": f"did not end its answer while the question lasted; raise ASK262_MAX_SECONDS, or {_OTHER}",
    "timeout": "did not answer in time; raise ASK262_TIMEOUT, or choose another model with --model",
    "localprotocolerror": _UNSENDABLE,
    "unicodeencode": _UNSENDABLE,
    "protocolerror": _BROKE_OFF,
    "readerror": _BROKE_OFF,
    "incompleteread": _BROKE_OFF,
    "lengthfinishreason": "was cut off in the middle of its answer; raise ASK262_REPLY_TOKENS",
    "connect": "",
    "notimplemented": f"cannot call tools; {_OTHER}",
}
"""By a part of the exception's name, or of one that it was raised from; the first that fits. What is said of
a server that cannot be reached depends on its address."""
_PASSING = frozenset({"timeout", "protocolerror", "readerror", "incompleteread"})
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, as far as a message names it."""

    model: str
    address: str | None = None
    """Of the server of one's own."""
    configured: bool = False
    """Whether the model's name came from a setting."""
    secrets: tuple[str, ...] = ()
    """What no message may repeat."""


class TooLongAtFirst(Exception):
    """A model refused the instructions and the question for their length: nothing was read yet."""


def explain(error: Exception, asked: Asked) -> str:
    """One line: which model, what happened, what mends it."""
    return f"The model {one_line(asked.model)} {_happened(error, asked)}."


def do_without(configured: bool, /) -> str:
    """How to come back to the built-in model."""
    return "unset ASK262_MODEL" if configured else "leave out --model"


def is_too_long(error: Exception) -> bool:
    """Whether a model refused because it was sent more than it can read."""
    return _status(error) == _TOO_LARGE or any(words in str(error).lower() for words in _CONTEXT)


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


def _happened(error: Exception, asked: Asked) -> str:
    if isinstance(error, TooLongAtFirst):
        return _NO_CONTEXT
    if is_too_long(error):
        return _CONTEXT_SMALL
    if _has_no_quota(error):
        return _NO_QUOTA
    said = shortened(masked(str(error), *asked.secrets), limit=200).rstrip(".")
    if (status := _status(error)) is not None:
        return _answered(status, said)
    if kind := _kind(error):
        return _BY_NAME[kind] or _unreachable(error, asked)
    if _NO_STREAM in said.lower():
        return _STREAMS_NOT
    correct = "correct ASK262_BASE_URL, or " if asked.address else ""
    return f"answered what cannot be read ({type(error).__name__}: {said}); {correct}{_OTHER}"


def _answered(status: int, said: str) -> str:
    """A status of failure. A server that refuses a request for what is in it will do so again."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500 or status in _PASSING_STATUS:
        return f"failed (HTTP {status}); try again, or choose another model with --model"
    if _OF_A_KEY.search(said.lower()):
        return f"rejected the key (HTTP {status}); {_KEY}"
    if _WANTS_HTTPS.search(said.lower()):
        return f"is served by https alone (HTTP {status}); write https:// in ASK262_BASE_URL"
    return f"refused the request (HTTP {status}): {said}; {_OTHER}"


def _unreachable(error: Exception, asked: Asked) -> str:
    texts = " ".join(str(one).lower() for one in _chain(error))
    where = f" at {one_line(shown_address(asked.address))}" if asked.address else ""
    if _UNTRUSTED in texts:
        return (
            f"shows a certificate{where} that this machine does not trust; name its issuer in SSL_CERT_FILE"
        )
    if where and _SPEAKS_NO_HTTPS.search(texts):
        return (
            f"cannot be reached by https{where}; write http:// in ASK262_BASE_URL if its server has no https"
        )
    remedy = "; start its server or correct ASK262_BASE_URL" if where else _NO_NETWORK
    return f"cannot be reached{where}{remedy}, or {do_without(asked.configured)}"


def _has_no_quota(error: Exception) -> bool:
    return _QUOTA in f"{error} {getattr(error, 'code', '')}"


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and status >= 400 else None


def _kind(error: Exception) -> str | None:
    names = list(_names(error))
    return next((kind for kind in _BY_NAME if any(kind in name for name in names)), None)


def _names(error: BaseException) -> Iterator[str]:
    """Lower-case names of an exception's classes, and of those that it was raised from."""
    for one in _chain(error):
        yield from (kind.__name__.lower() for kind in type(one).__mro__)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
