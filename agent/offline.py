"""The built-in chat model: decides every step from the messages alone, and answers by quoting. It does not
reason.

A real `BaseChatModel` with tool calls, so that tests, notebooks and a first try run the same loop as a large
model. It reads what the tools returned, never the store. Without the tools bound it says what it needs.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool

from agent.draft import AnswerDraft
from agent.offline_compose import answer
from agent.offline_evidence import FETCH, SEARCH, gather
from agent.offline_plan import Read, Search, next_step
from agent.offline_question import understand

ANSWER = AnswerDraft.__name__

NEEDS_TOOLS = "I quote from what the search tools return, and none are bound."


class OfflineModel(BaseChatModel):
    """Quotes; needs no key, no server and no network."""

    @property
    def _llm_type(self) -> str:
        return "offline"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:  # noqa: ARG002
        """The model with tools; which one it calls is its own decision."""
        return self.bind(offered=[convert_to_openai_tool(tool)["function"]["name"] for tool in tools])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        said = _say(messages, offered=kwargs.get("offered", []))
        return ChatResult(generations=[ChatGeneration(message=said)])


def _say(messages: Sequence[BaseMessage], *, offered: Sequence[str]) -> AIMessage:
    evidence = gather(messages)
    question = understand(evidence.question)
    step = next_step(evidence, question) if SEARCH in offered else None
    if isinstance(step, Search):
        return _call(SEARCH, {"query": step.query}, messages)
    if isinstance(step, Read) and FETCH in offered:
        return _call(FETCH, {"sectionid": step.sectionid}, messages)
    if not offered and not evidence.tried:
        return AIMessage(content=NEEDS_TOOLS)
    draft = answer(evidence, question)
    if ANSWER in offered:
        return _call(ANSWER, draft.model_dump(), messages)
    return AIMessage(content=_as_prose(draft))


def _call(name: str, args: dict[str, Any], messages: Sequence[BaseMessage]) -> AIMessage:
    """One tool call; its id follows from the conversation, so the same conversation gives the same
    message."""
    seed = json.dumps([len(messages), name, args], sort_keys=True)
    identity = f"call_{hashlib.sha256(seed.encode()).hexdigest()[:16]}"
    return AIMessage(content="", tool_calls=[{"name": name, "args": args, "id": identity}])


def _as_prose(draft: AnswerDraft) -> str:
    if draft.claims:
        return "\n\n".join(f"{claim.text} (`{claim.citations[0].sectionid}`)" for claim in draft.claims)
    return draft.refusal or ""
