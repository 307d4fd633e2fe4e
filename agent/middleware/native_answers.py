"""A reply that a provider should have held to the schema, and that does not fit it, is taken for prose."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.structured_output import StructuredOutputValidationError


class NativeAnswers(AgentMiddleware[Any, Any, Any]):
    """Innermost: a server's failures are explained further out, and this is none."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; what it said stays when it does not fit."""
        try:
            return handler(request)
        except StructuredOutputValidationError as error:
            return ModelResponse(result=[error.ai_message])
