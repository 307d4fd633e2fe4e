"""How long a conversation is, in characters. Pure."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


def length(message: "BaseMessage") -> int:
    """Characters of a message: its text, and its calls with their arguments, those that cannot be read
    included."""
    made = (getattr(message, name, None) for name in ("tool_calls", "invalid_tool_calls"))
    return len(str(message.text)) + sum(len(str(calls)) for calls in made if calls)


def size(messages: "Iterable[BaseMessage]") -> int:
    """Characters of a conversation."""
    return sum(map(length, messages))
