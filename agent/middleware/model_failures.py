"""What goes wrong on the way to a remote model becomes one line with its remedy."""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import ToolMessage

from agent.failures import TooLongAtFirst, is_too_long
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
            raise ModelError(self._explained(_told(error, request))) from error


def _told(error: Exception, request: ModelRequest[Any]) -> Exception:
    """The error; where a conversation is too long in which nothing was read yet, one that says so."""
    read = any(isinstance(message, ToolMessage) for message in request.messages)
    return error if read or not is_too_long(error) else TooLongAtFirst()
