"""A chat model that says what a test wrote down, and remembers what it was sent."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

Line = AIMessage | Callable[[list[BaseMessage]], AIMessage]


class ScriptedModel(BaseChatModel):
    """Says the lines of `script` in turn; the last one again when it runs out."""

    script: list[Any]
    sent: list[list[BaseMessage]] = Field(default_factory=list)
    offered: list[list[str]] = Field(default_factory=list)
    """The names of the tools that each turn could call."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        names = [convert_to_openai_tool(tool)["function"]["name"] for tool in tools]
        return self.bind(offered_tools=names)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.offered.append(kwargs.get("offered_tools", []))
        self.sent.append(list(messages))
        line = self.script[min(len(self.sent), len(self.script)) - 1]
        said = line(messages) if callable(line) else line
        return ChatResult(generations=[ChatGeneration(message=said.model_copy())])


_COUNT = iter(range(1, 1_000_000))


def call(name: str, **args: Any) -> AIMessage:
    """One tool call."""
    return calls((name, args))


def calls(*made: tuple[str, dict[str, Any]]) -> AIMessage:
    """Several tool calls in one turn."""
    tool_calls = [{"name": name, "args": args, "id": f"call-{next(_COUNT)}"} for name, args in made]
    return AIMessage(content="", tool_calls=tool_calls)


def answer(*claims: tuple[str, list[tuple[str, str]]], refusal: str | None = None) -> AIMessage:
    """The final answer: claims, each with citations as (section id, quotation)."""
    return call(
        "AnswerDraft",
        claims=[
            {"text": text, "citations": [{"sectionid": where, "quote": quote} for where, quote in citations]}
            for text, citations in claims
        ],
        refusal=refusal,
    )
