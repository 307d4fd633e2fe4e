"""The chat model that the settings name, for what stands below the agent. Nothing is reached here."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from storage.embedder import one_line
from storage.errors import ModelError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from storage.settings import Settings

BUILT_IN = "offline"
"""The agent's own model, which quotes and writes nothing."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_KEY = "none"
"""Sent to a server of one's own that wants no key; the client library insists on one."""


def configured_chat(settings: "Settings", *, wanted_by: str) -> "BaseChatModel":
    """The configured model; `wanted_by` is the option to leave out where there is none.

    Raises ModelError where none is configured, its package or key is missing, or settings forbid the network.
    """
    if not settings.model or settings.model == BUILT_IN:
        raise ModelError(
            f"{wanted_by} asks a chat model, and none is configured: set ASK262_MODEL to provider:model, "
            f"or leave out {wanted_by}"
        )
    host = urlsplit(settings.base_url).hostname if settings.base_url else None
    if settings.offline and host not in _LOOPBACK:
        raise ModelError(
            f"the model {settings.model} needs the network, and ASK262_OFFLINE is set: unset it, "
            f"or leave out {wanted_by}"
        )
    try:
        return _loaded(settings, settings.model)
    except Exception as error:  # each provider's client has exceptions of its own
        said = one_line(error, *settings.secrets)
        raise ModelError(
            f"the model {settings.model} cannot be used ({said}): correct ASK262_MODEL"
        ) from error


def _loaded(settings: "Settings", name: str) -> "BaseChatModel":
    from langchain.chat_models import init_chat_model

    key = settings.api_key.get_secret_value() if settings.api_key is not None else None
    options: dict[str, Any] = {"timeout": settings.timeout, "temperature": 0, "max_retries": 0}
    if settings.base_url is None:
        options |= {"api_key": key} if key is not None else {}
        model: BaseChatModel = init_chat_model(name, **options)
        return model
    options |= {"base_url": settings.base_url, "api_key": key or _NO_KEY, "model_provider": "openai"}
    served: BaseChatModel = init_chat_model(name.removeprefix("openai:"), **options)
    return served
