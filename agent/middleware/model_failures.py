"""What goes wrong on the way to a remote model becomes one line with its remedy."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from storage.errors import Ask262Error, ModelError


class ModelFailures(AgentMiddleware[Any, Any, Any]):
    """Only around models that are reached over a network: a fault of our own keeps its traceback."""

    def __init__(self, explained: Callable[[Exception], str]) -> None:
        super().__init__()
        self._explained = explained

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; ModelError when it cannot be reached or answers what cannot be read."""
        try:
            return handler(request)
        except Ask262Error:
            raise
        except Exception as error:
            raise ModelError(self._explained(error)) from error
