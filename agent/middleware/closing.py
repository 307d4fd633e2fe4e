"""Turns a model request into the last one: no tools but the answer, and a message that says why."""

from typing import Any

from langchain.agents.middleware.types import ModelRequest
from langchain_core.messages import HumanMessage

from storage.prompts import render


def closing(request: ModelRequest[Any], why: str) -> ModelRequest[Any]:
    """The request in which only an answer is left to give."""
    message = HumanMessage(content=render("answer-now", why=why))
    return request.override(tools=[], messages=[*request.messages, message])
