"""What went wrong on the way to a chat model, in one line with its remedy.

Told apart by HTTP status and by the exception's name, which all client libraries share; imports none of them.
Nothing of the answer to a rejected key is repeated: servers echo parts of the key.
"""

from tools.clean import shortened

_BY_STATUS = {
    400: "refused the request (HTTP 400): {said}",
    401: "rejected the key (HTTP 401); set ASK262_API_KEY, or the provider's own variable, to a valid one",
    403: "does not allow this key to use the model (HTTP 403); choose another with --model",
    404: "does not know this model or address (HTTP 404); check its name and ASK262_BASE_URL",
    429: "is limiting requests (HTTP 429); wait a moment, or choose another model with --model",
}
_SERVER_FAILED = "failed (HTTP {status}); try again, or choose another model with --model"
_CONTEXT = ("context length", "context_length", "context window", "maximum context", "context size")
_CONTEXT_SMALL = "has too small a context window for what was read; lower ASK262_BUDGET_CHARACTERS"
_NO_NETWORK = "; check that this machine has a network"
_BY_NAME = {
    "timeout": "did not answer in time; try again, or choose another model with --model",
    "connect": "cannot be reached{where}, or {without}",
    "notimplemented": "cannot call tools; choose another with --model",
}


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


def _happened(error: Exception) -> str:
    said = shortened(str(error), limit=200).rstrip(".")
    if is_too_long(error):
        return _CONTEXT_SMALL
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status >= 400:
        return _BY_STATUS.get(status, _SERVER_FAILED).format(status=status, said=said)
    for kind in type(error).__mro__:
        for name, happened in _BY_NAME.items():
            if name in kind.__name__.lower():
                return happened
    return f"answered what cannot be read ({type(error).__name__}: {said}); choose another with --model"
