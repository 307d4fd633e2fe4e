"""Has a listener hear what the model says in one request, before the loop does anything with it."""

from typing import Any

from langchain.agents.middleware.types import ModelRequest
from langchain_core.callbacks import BaseCallbackHandler


def heard_by(listener: BaseCallbackHandler, request: ModelRequest[Any]) -> ModelRequest[Any]:
    """The request to the same model with this listener as well."""
    own = request.model.callbacks
    listeners = own if isinstance(own, list) else [] if own is None else own.handlers
    model = request.model.model_copy(update={"callbacks": [*listeners, listener]})
    return request.override(model=model)
