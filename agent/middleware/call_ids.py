"""A call that a server sent without an id is given one: what answers a call must name it."""

import uuid
from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.outputs import LLMResult


class CallIds(AgentMiddleware[Any, Any, Any]):
    """At the model itself: the loop answers a call of the answer's tool before any rule sees the message."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with a listener that reads its message first."""
        own = request.model.callbacks
        listeners = own if isinstance(own, list) else [] if own is None else own.handlers
        model = request.model.model_copy(update={"callbacks": [*listeners, _Naming()]})
        return handler(request.override(model=model))


class _Naming(BaseCallbackHandler):
    raise_error = True

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        """Name the calls of each message in place: it is the one that the loop goes on with."""
        for said in (one for turn in response.generations for one in turn):
            message = getattr(said, "message", None)
            if isinstance(message, AIMessage):
                message.tool_calls = [
                    {**call, "id": call.get("id") or f"call-{uuid.uuid4().hex}"}
                    for call in message.tool_calls
                ]
