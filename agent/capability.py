"""What a chat model says that it can do: keep to a schema by itself, and how much it can read.

LangChain's model profiles say it for the models of the large providers; of others nothing is known, and then
the answer is a tool call and nothing is left out before a server complains.
"""

from typing import TYPE_CHECKING, Any

from agent.draft import AnswerDraft
from storage.prompts import render
from tools.clean import shortened

if TYPE_CHECKING:
    from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
    from langchain_core.language_models import BaseChatModel

CHARACTERS_A_TOKEN = 3
"""Fewer than English prose has: section ids and symbols take more tokens."""


def answers_natively(model: "BaseChatModel") -> bool:
    """Whether the provider holds a reply to a schema, beside tool calls."""
    return bool((model.profile or {}).get("structured_output"))


def context_of(model: "BaseChatModel") -> int | None:
    """Characters that the model can read; None where that is not known."""
    tokens = (model.profile or {}).get("max_input_tokens")
    return tokens * CHARACTERS_A_TOKEN if tokens else None


def answer_format(model: "BaseChatModel") -> "ProviderStrategy[Any] | ToolStrategy[Any]":
    """How the answer is asked for: as a reply of the schema where the provider keeps to it, else as a tool
    call."""
    from langchain.agents.structured_output import ProviderStrategy, ToolStrategy

    if answers_natively(model):
        return ProviderStrategy(AnswerDraft)
    return ToolStrategy(AnswerDraft, handle_errors=_invalid, tool_message_content="Answer received.")


def giving(model: "BaseChatModel") -> str:
    """What the system prompt says about how an answer is given."""
    return render("answer-as-reply") if answers_natively(model) else render("answer-as-call")


def _invalid(error: Exception) -> str:
    return render("invalid-answer", error=shortened(str(error), limit=300))
