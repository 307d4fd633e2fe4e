"""A reply that does not end while its question lasts: waited for no longer, and answered without.

Two rules of one job. The inner one stands at the model, so that a wait which is given up leaves nothing
behind that would ask again; the outer one around everything that explains failures.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from agent.deadline import Deadline, Overdue, within
from agent.ledger import Ledger
from storage.errors import ModelError


class Punctuality(AgentMiddleware[Any, Any, Any]):
    """Waits for one reply as long as the question lasts."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; raises Overdue."""
        seconds, began = self._deadline.left(), self._deadline.clock()
        response = within(seconds, lambda: handler(request))
        self._deadline.took(self._deadline.clock() - began)
        return response


class LateReplies(AgentMiddleware[Any, Any, Any]):
    """Ends the question with what was shown. Where nothing was, the error stands: the model said nothing."""

    def __init__(self, ledger: Ledger, *, seconds: float) -> None:
        super().__init__()
        self._ledger = ledger
        self._why = f"The limit of {seconds:g} seconds was reached, and the model's reply had not ended."

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage:
        """Take a reply that is overdue for none."""
        try:
            return handler(request)
        except ModelError as error:
            if not isinstance(error.__cause__, Overdue) or not self._ledger.passages:
                raise
        self._ledger.stop(self._why)
        return AIMessage(content="")
