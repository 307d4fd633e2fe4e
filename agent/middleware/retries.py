"""A model server that is busy, failing or slow is asked again, with growing waits, before that is a failure.

The clients' own retries are off where that is known: they differ by provider, and none repeats an answer that
broke off on its way.
"""

import time
from collections.abc import Callable
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from agent.events import Event, EventKind, Listener
from agent.failures import may_pass, wait_wanted

RETRIES = 3
"""After the first attempt."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds; each wait is twice the one before. A server that names a longer one than the longest is not
waited for: a person sits there."""
PATIENCE = 90.0
"""Seconds after the first attempt from which on there is no further one: four time-outs in a row would take
minutes."""


class Retries(AgentMiddleware[Any, Any, Any]):
    """Around the model, inside what explains its failures; `left` are the question's own seconds."""

    def __init__(
        self,
        listener: Listener,
        *,
        left: Callable[[], float] = lambda: PATIENCE,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._tell = listener
        self._left = left
        self._sleep = sleep
        self._clock = clock

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model; what may pass is tried again, anything else is raised at once."""
        began = self._clock()
        for retry in range(RETRIES):
            try:
                return handler(request)
            except Exception as error:
                wait = wait_wanted(error) or FIRST_WAIT * 2**retry
                late = self._clock() - began + wait > PATIENCE or wait >= self._left()
                if not may_pass(error) or wait > LONGEST_WAIT or late:
                    raise
                self._tell(Event(EventKind.RETRY, f"{type(error).__name__}; again in {wait:g} seconds"))
            self._sleep(wait)
        return handler(request)
