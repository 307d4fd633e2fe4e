"""The loop over a real llama.cpp server with a real model of 135 million parameters.

The model is not clever, and nothing here asks it to be: it must be understood, and whatever it says must end
in a sound answer. Replies are short, so that this takes seconds on two slow cores.
"""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage

from agent.answer import Answer, Status, Verdict
from agent.models import load_model
from storage.errors import ModelError
from tests.test_agent.helpers import ask_garden, settings
from tests.test_live.conftest import KEY
from tests.test_live.llama_server import running
from tests.test_tools.fake import small
from tools.registry import TOOLS

pytestmark = pytest.mark.live

QUESTION = "What happens when a seed is planted in a full bed?"
LEAST = 64
"""Tokens of a reply: the least that may be set."""


def connect(address: str, *, key: str = KEY, tokens: int = LEAST, **given: Any) -> BaseChatModel:
    named = settings(base_url=address, api_key=key, reply_tokens=tokens, timeout=600.0, **given)
    return load_model(named, "smollm2")


def sound(answered: Answer) -> bool:
    """An answer or a refusal, in which nothing is called verified that the store does not hold."""
    reader = small()
    verified = [one for one in answered.citations if one.verdict is Verdict.VERIFIED]
    return answered.status in Status and all(
        reader.slice(one.source, one.start, one.end) == one.quote for one in verified
    )


def test_the_wire_carries_a_reply_whole_and_in_pieces(address: str) -> None:
    question = [HumanMessage("Count from one to five.")]
    model = connect(address)
    whole = model.invoke(question)
    pieces = [piece.text for piece in model.stream(question)]
    assert whole.text
    assert len([piece for piece in pieces if piece]) > 1
    assert "".join(pieces) == whole.text


def test_a_schema_forces_a_call_of_a_tool_that_exists(address: str) -> None:
    model = connect(address, hold_to_schema=True)
    bound = model.bind_tools([*({"name": tool.name, "parameters": {}} for tool in TOOLS)])
    said = bound.invoke([HumanMessage(QUESTION)])
    assert isinstance(said, AIMessage)
    assert [call["name"] for call in said.tool_calls] == ["search_spec"]
    assert said.tool_calls[0]["args"]["query"]


def test_held_to_a_schema_it_looks_it_up_and_whatever_it_quotes_stands_in_the_text(address: str) -> None:
    model = connect(address, tokens=160, hold_to_schema=True)
    answered = ask_garden(QUESTION, model, max_calls=2)
    assert answered.calls >= 1
    assert answered.searched
    assert sound(answered)
    assert all(citation.verdict is Verdict.VERIFIED for citation in answered.citations)


def test_left_to_itself_it_still_ends_in_an_answer_or_a_refusal(address: str) -> None:
    answered = ask_garden(QUESTION, connect(address), max_calls=1, context_characters=8_000)
    assert sound(answered)


def test_a_conversation_that_is_too_long_is_one_line(address: str) -> None:
    with pytest.raises(ModelError, match="too small a context window") as caught:
        ask_garden("seed " * 1_990, connect(address))
    assert "\n" not in str(caught.value)


def test_a_wrong_key_is_one_line(address: str) -> None:
    with pytest.raises(ModelError, match="rejected the key") as caught:
        ask_garden(QUESTION, connect(address, key="another-key"))
    assert "another-key" not in str(caught.value)


def test_a_server_that_is_gone_is_one_line(gguf: Path) -> None:
    with running(gguf, context=512, key=KEY) as address:
        model = connect(address)
    with pytest.raises(ModelError, match="cannot be reached"):
        ask_garden(QUESTION, model, base_url=address)
