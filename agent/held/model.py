"""A chat model that is held to a schema, as a chat model that calls tools.

Around any model of an OpenAI-compatible server that keeps to `response_format` (llama.cpp, Ollama, vLLM, LM
Studio). The loop, the checks and the arms of a measurement see ordinary tool calls; the model sees numbered
lines and replies with one step at a time. A server that ignores the schema shows as prose, and is treated as
any other prose.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool

from agent.finish import Finish, finish_of
from agent.held.shown import Shown, shown_in
from agent.held.steps import call_of, schema_of, step_of
from agent.taken import FAULT, Fault
from storage.prompts import render


class HeldModel(BaseChatModel):
    """Calls tools by replies that the server holds to a schema."""

    inner: BaseChatModel

    @property
    def _llm_type(self) -> str:
        return self.inner._llm_type

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:  # noqa: ARG002
        """The model with tools; the schema of each reply follows from them."""
        return self.bind(offered=[convert_to_openai_tool(tool)["function"]["name"] for tool in tools])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        offered = kwargs.pop("offered", None)
        if not offered:
            return _result(self.inner.invoke(messages, stop=stop, **kwargs))
        shown = shown_in(messages)
        sent = conversation(messages, shown, tools=len(offered) > 1 or bool(shown.lines))
        held = {"response_format": _format(schema_of(shown, offered))}
        # In the body, not as an option: the client would parse the reply, and raise where it was cut off.
        said = self.inner.invoke(sent, stop=stop, extra_body=held, **kwargs)
        return _result(_as_call(said, shown, place=len(messages)))


def conversation(messages: Sequence[BaseMessage], shown: Shown, *, tools: bool) -> list[BaseMessage]:
    """The messages as the model is sent them: its steps, and between them what people and tools said.

    One message a side and turn: the templates of small models insist on that, and know no tool results.
    """
    out: list[BaseMessage] = []
    question = ""
    for message in messages:
        if isinstance(message, SystemMessage):
            about = str(message.text).split("\n\n")[0]
            told = render("held", about=about) if tools else render("held-memory", about=about)
            out.append(SystemMessage(told))
        elif isinstance(message, AIMessage):
            if step := "\n".join(_steps(message, shown)) or str(message.text):
                out.append(AIMessage(step))
        else:
            said = _said(message, shown)
            if message.type == "human" and tools:
                said, question = (
                    (render("held-now", question=question), question) if question else (said, said)
                )
            if out and isinstance(out[-1], HumanMessage):
                said = f"{out.pop().text}\n\n{said}"
            out.append(HumanMessage(said))
    return out


def _said(message: BaseMessage, shown: Shown) -> str:
    return shown.texts.get(getattr(message, "tool_call_id", ""), str(message.text))


def _steps(message: AIMessage, shown: Shown) -> Iterator[str]:
    for call in message.tool_calls:
        yield step_of(call["name"], call["args"], shown)


def _as_call(said: BaseMessage, shown: Shown, *, place: int) -> AIMessage:
    """The reply as a tool call; its id follows from the conversation. Prose stays; what was meant as a step
    and is none becomes nothing."""
    reply = AIMessage(str(said.text), response_metadata=said.response_metadata)
    found = call_of(str(said.text), shown)
    if found is None:
        meant = str(said.text).lstrip().startswith(("{", "["))
        return _unreadable(reply) if meant else reply
    name, args = found
    seed = json.dumps([place, name, args], sort_keys=True)
    identity = f"call_{hashlib.sha256(seed.encode()).hexdigest()[:16]}"
    return reply.model_copy(
        update={
            "content": "",
            "tool_calls": [{"name": name, "args": args, "id": identity, "type": "tool_call"}],
        }
    )


def _unreadable(reply: AIMessage) -> AIMessage:
    known = finish_of(reply.response_metadata) not in (Finish.WHOLE, Finish.UNSAID)
    fault = {} if known else {FAULT: str(Fault.UNREADABLE)}
    metadata = {**reply.response_metadata, **fault}
    return reply.model_copy(update={"content": "", "response_metadata": metadata})


def _format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "step", "strict": True, "schema": schema}}


def _result(message: BaseMessage) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=message)])
