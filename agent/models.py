"""Chat models by name. The built-in offline one when none is named; every failure is one line with its
remedy.

`provider:name` goes through LangChain's `init_chat_model`; with a base address the name belongs to that
OpenAI-compatible server. Nothing is reached here: a server that is down shows when it is asked.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agent.failures import do_without
from storage.address import shown_address
from storage.errors import ModelError
from storage.keys import masked
from storage.settings import Settings
from tools.clean import shortened

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OFFLINE = "offline"
"""Name of the built-in model."""
QUOTES_ONLY = "The built-in model quotes and does not reason; name another with --model or ASK262_MODEL."
"""Said under each of its answers."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NAMED = "ask262_model"
"""Where a model keeps the name it was asked for by, provider included."""
_NO_KEY = "none"
"""Sent to a server of one's own that wants no key; the client library insists on one."""


def load_model(settings: Settings, name: str | None = None) -> "BaseChatModel":
    """The chat model `name`, else the configured one, else the offline model.

    Raises ModelError when the name, its package or its key is missing, or when settings forbid the network.
    """
    wanted = name or settings.model
    if wanted == OFFLINE or (not wanted and not settings.base_url):
        from agent.offline import OfflineModel

        return OfflineModel()
    if not wanted:
        raise ModelError(
            f"ASK262_BASE_URL is {shown_address(settings.base_url or '')}, but no model is named;"
            " set ASK262_MODEL or give --model"
        )
    _refuse_when_offline(settings, wanted)
    options = _options(settings)
    make = _at_address if settings.base_url else _by_provider
    model = make(settings, wanted, options)
    return _held(model) if settings.hold_to_schema else model


def name_of(model: "BaseChatModel") -> str:
    """What to call a model in an answer: its own name, else its type."""
    if named := (model.metadata or {}).get(_NAMED):
        return str(named)
    for attribute in ("model_name", "model"):
        name = getattr(model, attribute, None)
        if isinstance(name, str) and name:
            return name
    return model._llm_type


def _refuse_when_offline(settings: Settings, name: str) -> None:
    host = urlsplit(settings.base_url).hostname if settings.base_url else None
    if settings.offline and host not in _LOOPBACK:
        raise ModelError(
            f"The model {shortened(name)} needs the network, and ASK262_OFFLINE is set;"
            f" unset it, or {do_without(name == settings.model)}"
        )


def _options(settings: Settings) -> dict[str, Any]:
    options: dict[str, Any] = {"timeout": settings.timeout, "max_retries": 0}
    if settings.reply_tokens is not None:
        options["max_tokens"] = settings.reply_tokens
    if settings.api_key is not None:
        options["api_key"] = settings.api_key.get_secret_value()
    if settings.model_cache:
        from agent.model_cache import ModelCache

        options["cache"] = ModelCache(settings.storage_dir)
    return options


def _at_address(settings: Settings, name: str, options: dict[str, Any]) -> "BaseChatModel":
    from agent.served import ServedModel

    options.setdefault("api_key", _NO_KEY)
    if settings.stream:  # said to be false it would also forbid a caller's own `stream`
        options["streaming"] = True
    return ServedModel(model=name.removeprefix("openai:"), base_url=settings.base_url, **options)


def _held(model: "BaseChatModel") -> "BaseChatModel":
    from agent.held.model import HeldModel

    return HeldModel(inner=model, metadata={_NAMED: name_of(model)})


def _by_provider(settings: Settings, name: str, options: dict[str, Any]) -> "BaseChatModel":
    from langchain.chat_models import init_chat_model

    shown = shortened(name)
    try:
        model: BaseChatModel = init_chat_model(name, metadata={_NAMED: name}, **options)
    except ImportError as error:
        raise ModelError(
            f"The model {shown} needs a package that is not installed: {shortened(str(error), limit=200)}"
        ) from error
    except Exception as error:  # each provider's client has exceptions of its own
        raise ModelError(_unusable(shown, error, settings.secrets)) from error
    return model


def _unusable(name: str, error: Exception, secrets: tuple[str, ...]) -> str:
    said = str(error).lower()
    if "api_key" in said or "api key" in said or "credential" in said:
        return f"The model {name} needs a key; set ASK262_API_KEY, or the provider's own variable"
    if "infer model provider" in said or "unsupported" in said:
        return f"The model {name} is not known; write provider:name, such as openai:gpt-5 or ollama:qwen3"
    reason = f"{type(error).__name__}: {shortened(masked(str(error), *secrets), limit=200)}"
    return f"The model {name} cannot be used ({reason}); check --model"
