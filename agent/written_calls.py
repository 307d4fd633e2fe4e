"""Tool calls that a model wrote as text: small ones do, even where a call was asked for.

Pure text. Understood are a call between Hermes tags (`<tool_call>…</tool_call>`) that begin a line, a fenced
block that is nothing but calls, and a message that is; several of each; the answer written as its bare JSON.
A call has a name and arguments and nothing else. What stands in quoted lines (`> …`) or inside a sentence is
no call, and neither is one that the conversation already shows: it was read, not made.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent.draft import AnswerDraft
from agent.taken import arguments, sound

ANSWER = AnswerDraft.__name__

_TAG = r"(?:tool_call|function_call|tools)"
_TAGGED = re.compile(rf"^[ \t]*<{_TAG}>\s*(?P<inside>.*?)\s*(?:</{_TAG}>|\Z)", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(
    r"^[ \t]*```(?:json|tool_call|tool_code|xml)?[ \t]*\n(?P<inside>.*?)\n[ \t]*```", re.DOTALL | re.MULTILINE
)
_NAMED = re.compile(r'"(?:name|tool|function)"\s*:\s*"(?P<name>[\w.-]{1,80})"')
_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_BESIDE = frozenset({"id", "type"})
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Written:
    """One call as it was written; `args` is None where they cannot be read, and `raw` is what stood there."""

    name: str
    args: Mapping[str, Any] | None
    raw: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The same for two calls that ask the same, however they are spelled."""
        return self.name, json.dumps(self.args, sort_keys=True, ensure_ascii=False)


def calls_in(text: str, *, offered: Collection[str], conversation: Iterable[str] = ()) -> list[Written]:
    """The calls that a message makes, in order; empty where it is prose.

    A name that is not `offered` counts only where the message is plainly meant as a call. `conversation` are
    the texts that the model was sent: a call that stands there is a quotation.
    """
    found = [call for call in _written(text, offered) if call.name]
    if not found:
        return []
    quoted = {call.key for said in conversation for call in _anywhere(said, offered)}
    made = [call for call in found if call.args is None or call.key not in quoted]
    others = [call for call in made if call.name != ANSWER]
    # An answer beside a call was written before the call's result was seen.
    return others or made[-1:]


def _written(text: str, offered: Collection[str]) -> list[Written]:
    tagged = [one["inside"] for one in _TAGGED.finditer(text)]
    if tagged:
        return [call for inside in tagged for call in _block(_unfenced(inside), offered, plain=True)]
    bare = text.strip()
    if whole := _block(_unfenced(bare), offered, plain=True):
        return whole
    return [
        call
        for one in _FENCED.finditer(text)
        for call in _block(one["inside"].strip(), offered, plain=False)
        if call.name in offered and call.args is not None
    ]


def _unfenced(text: str) -> str:
    fenced = _FENCED.fullmatch(text)
    return fenced["inside"].strip() if fenced and "```" not in fenced["inside"] else text


def _block(text: str, offered: Collection[str], *, plain: bool) -> list[Written]:
    """The calls of a text that is nothing else; a broken one where it is `plain` that one was meant."""
    values = _values(text)
    if values is None:
        named = _NAMED.search(text) if plain and text.startswith(("{", "[")) else None
        return [Written(named["name"], None, text)] if named else []
    calls = [_call(value, offered) for value in values]
    return [call for call in calls if call] if all(calls) else []


def _values(text: str) -> list[Any] | None:
    """The JSON values that a text is made of, a list as its members; None where it is not all JSON."""
    out: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
            value = sound(value)
        except (ValueError, RecursionError):
            return None
        out += value if isinstance(value, list) else [value]
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
    return out or None


def _call(value: Any, offered: Collection[str]) -> Written | None:
    """A JSON value as a call: `{"name": …, "arguments": …}` in the spellings that models use, or a draft."""
    if not isinstance(value, dict):
        return None
    if isinstance(inner := value.get("function"), dict) and set(value) <= {"function", *_BESIDE}:
        return _call(inner, offered)
    if ANSWER in offered and _is_draft(value):
        return Written(ANSWER, value)
    if len(value) == 1 and (only := next(iter(value))) in offered and isinstance(value[only], dict):
        return Written(only, value[only])
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    given = [key for key in _ARGUMENTS if key in value]
    if name is None or len(given) != 1 or set(value) - {*_NAMES, *_ARGUMENTS, *_BESIDE}:
        return None
    args = _arguments(value[given[0]])
    return None if args is None else Written(name.removeprefix("functions."), args)


def _arguments(value: Any) -> dict[str, Any] | None:
    """An object, or one written into a string as OpenAI's wire format does."""
    if isinstance(value, str):
        return arguments(value)
    return value if isinstance(value, dict) else None


def _is_draft(value: Mapping[str, Any]) -> bool:
    return bool({"claims", "refusal"} & set(value)) and set(value) <= set(AnswerDraft.model_fields)


def _anywhere(text: str, offered: Collection[str]) -> Iterator[Written]:
    """Every call that stands anywhere in a text, for comparing."""
    for brace in re.finditer(r"\{", text):
        try:
            value, _ = _DECODER.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if call := _call(value, offered):
            yield call
