"""How a reply ended, in the words of each provider."""

from typing import Any

import pytest

from agent.finish import Finish, finish_of


@pytest.mark.parametrize(
    ("metadata", "finish"),
    [
        ({}, Finish.UNSAID),
        ({"finish_reason": None}, Finish.UNSAID),
        ({"finish_reason": "stop"}, Finish.WHOLE),
        ({"finish_reason": "tool_calls"}, Finish.WHOLE),
        ({"finish_reason": "length"}, Finish.CUT),
        ({"finish_reason": "lengthlength"}, Finish.CUT),
        ({"finish_reason": "MAX_TOKENS"}, Finish.CUT),
        ({"stop_reason": "max_tokens"}, Finish.CUT),
        ({"stop_reason": "end_turn"}, Finish.WHOLE),
        ({"done_reason": "length"}, Finish.CUT),
        ({"stopReason": "guardrail_intervened"}, Finish.WITHHELD),
        ({"finish_reason": "content_filter"}, Finish.WITHHELD),
        ({"finish_reason": "SAFETY"}, Finish.WITHHELD),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, Finish.CUT),
        ({"status": "completed", "incomplete_details": None}, Finish.UNSAID),
        ({"finish_reason": "error"}, Finish.UNFINISHED),
        ({"finish_reason": "abort"}, Finish.UNFINISHED),
        ({"finish_reason": "insufficient_system_resource"}, Finish.UNFINISHED),
        ({"finish_reason": "ERROR_LIMIT"}, Finish.UNFINISHED),
        ({"finish_reason": "ERROR_TOXIC"}, Finish.WITHHELD),
    ],
    ids=str,
)
def test_a_reason_is_understood_whoever_gives_it(metadata: dict[str, Any], finish: Finish) -> None:
    assert finish_of(metadata) is finish
