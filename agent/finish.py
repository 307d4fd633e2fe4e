"""How a reply ended, as its server says it: whole, cut off, or withheld in part.

Pure: what LangChain keeps beside a message comes in. Each provider has a field and words of its own.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any


class Finish(StrEnum):
    """What is known of a reply's end."""

    WHOLE = "whole"
    CUT = "cut"
    """At a limit of tokens."""
    WITHHELD = "withheld"
    """By a filter of the server's."""
    UNFINISHED = "unfinished"
    """Its server broke off, for a reason that has to do with no limit."""
    UNSAID = "unsaid"
    """Nothing is known."""


_FIELDS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
_WORDS = {
    "length": Finish.CUT,
    "max_tokens": Finish.CUT,
    "max_output_tokens": Finish.CUT,
    "model_length": Finish.CUT,
    "model_context_window_exceeded": Finish.CUT,
    "content_filter": Finish.WITHHELD,
    "safety": Finish.WITHHELD,
    "content_filtered": Finish.WITHHELD,
    "guardrail_intervened": Finish.WITHHELD,
    "error_toxic": Finish.WITHHELD,
    "error": Finish.UNFINISHED,
    "abort": Finish.UNFINISHED,
    "insufficient_system_resource": Finish.UNFINISHED,
}


def finish_of(metadata: Mapping[str, Any]) -> Finish:
    """What a message's `response_metadata` says."""
    said = list(_said(metadata))
    # A server that repeats its reason in two pieces of a stream has it doubled when they are joined.
    known = (end for word in said for start, end in _WORDS.items() if word.startswith(start))
    return next(known, Finish.WHOLE if said else Finish.UNSAID)


def _said(metadata: Mapping[str, Any]) -> Iterator[str]:
    incomplete = metadata.get("incomplete_details")
    reasons = [incomplete.get("reason")] if isinstance(incomplete, dict) else []
    for reason in (*reasons, *(metadata.get(field) for field in _FIELDS)):
        if isinstance(reason, str) and reason:
            yield reason.lower()
