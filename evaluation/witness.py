"""A chat model around another: makes an arm's opening calls in its place, and keeps what it was shown.

Imports LangChain; the arms load it when they ask.
"""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr


class Witness(BaseChatModel):
    """Says what the inner model says, but for the calls of the opening."""

    inner: Any
    """A chat model, or one that tools were bound to."""
    opening: Callable[[Sequence[BaseMessage]], list[Any]]
    _shown: dict[str, None] = PrivateAttr(default_factory=dict)

    @property
    def _llm_type(self) -> str:
        return str(getattr(self.inner, "_llm_type", "witness"))

    @property
    def model_name(self) -> str:
        """The inner model's name, for the answer."""
        return str(getattr(self.inner, "model_name", None) or getattr(self.inner, "model", None) or "")

    @property
    def shown(self) -> tuple[str, ...]:
        """The texts of all tool messages that were sent to the model, each once."""
        return tuple(self._shown)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        """The same witness around the model with its tools."""
        bound = Witness(
            inner=self.inner.bind_tools(tools, **kwargs), opening=self.opening, metadata=self.metadata
        )
        bound._shown = self._shown
        return bound

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        self._shown.update((str(one.text), None) for one in messages if one.type == "tool")
        calls = self.opening(messages)
        if calls:
            said = AIMessage(content="", tool_calls=[call.message(len(messages)) for call in calls])
        else:
            said = self.inner.invoke(messages, stop=stop, **kwargs)
        return ChatResult(generations=[ChatGeneration(message=said)])
