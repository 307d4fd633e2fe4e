"""The steps that a held model may take: their schema for the server, and what each means as a tool call.

Pure. Three forms of an answer's claim: by the numbers of lines once some were shown, else, where there are no
tools at all, from memory; with tools and nothing shown yet there is none, so that the first step is to look.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agent.draft import AnswerDraft
from agent.held.shown import Section, Shown

SEARCH, FETCH, ANSWER = "search_spec", "fetch_section_chunks", AnswerDraft.__name__

CLAIMS, LINES = 2, 3
"""Of one answer, and of one claim: a small model that may say more says the same again."""
WORDS, TEXT = 80, 160
"""Characters of a search and of a claim, for the same reason."""
SECTIONS = 24
"""Sections that can be chosen among; the newest, since the oldest were passed over."""

Schema = dict[str, Any]


def schema_of(shown: Shown, offered: Collection[str]) -> Schema:
    """What the next reply must be: an object with one step. `offered` are the names of the tools."""
    return _object({"step": {"anyOf": _steps(shown, offered)}})


def _steps(shown: Shown, offered: Collection[str]) -> list[Schema]:
    steps: list[Schema] = []
    if SEARCH in offered:
        steps.append(_step("search", words=_text(WORDS)))
    unread = [section.label for section in shown.unread][-SECTIONS:]
    if FETCH in offered and unread:
        steps.append(_step("read", section={"type": "string", "enum": unread}))
    if ANSWER in offered and (claim := _claim(shown, offered)):
        steps.append(_step("answer", claims=_list(claim, most=CLAIMS if shown.lines else 1)))
    if ANSWER in offered and (shown.texts or len(offered) == 1):
        kinds = {"type": "string", "enum": ["not_defined", "not_found"]}
        steps.append(_step("refuse", kind=kinds, reason=_text(TEXT)))
    return steps


def _claim(shown: Shown, offered: Collection[str]) -> Schema | None:
    if shown.lines:
        numbers = {"type": "integer", "enum": [line.number for line in shown.lines]}
        return _object({"lines": _list(numbers, most=LINES), "text": _text(TEXT)})
    if len(offered) == 1 and not shown.texts:
        return _object({"text": _text(TEXT), "section": _text(WORDS), "quote": _text(TEXT)})
    return None


def _step(action: str, **fields: Schema) -> Schema:
    return _object({"action": {"type": "string", "enum": [action]}, **fields})


def _object(fields: Schema) -> Schema:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(items: Schema, *, most: int) -> Schema:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": most}


def _text(most: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": most}


def call_of(reply: str, shown: Shown) -> tuple[str, dict[str, Any]] | None:
    """The tool call that a reply amounts to; None where the server did not keep to the schema."""
    try:
        step = json.loads(reply)["step"]
        return _call(step, shown)
    except (ValueError, KeyError, TypeError, IndexError, StopIteration, RecursionError):
        return None


def _call(step: Mapping[str, Any], shown: Shown) -> tuple[str, dict[str, Any]] | None:
    match step["action"]:
        case "search":
            return SEARCH, {"query": step["words"]}
        case "read":
            return FETCH, dict(_labelled(step["section"], shown.unread).args)
        case "answer":
            return ANSWER, {"claims": [_drafted(claim, shown) for claim in step["claims"]]}
        case "refuse":
            return ANSWER, {"claims": [], "refusal": step["reason"], "refusal_kind": step["kind"]}
    return None


def _labelled(label: str, sections: Sequence[Section]) -> Section:
    return next(section for section in sections if section.label == label)


def _drafted(claim: Mapping[str, Any], shown: Shown) -> dict[str, Any]:
    """A claim with its lines written out: the model names them, it does not copy them."""
    if "lines" not in claim:
        return {
            "text": claim["text"],
            "citations": [{"sectionid": claim["section"], "quote": claim["quote"]}],
        }
    cited = [shown.lines[number - 1] for number in dict.fromkeys(claim["lines"]) if number > 0]
    return {
        "text": claim["text"],
        "citations": [{"sectionid": line.sectionid, "quote": line.text} for line in cited],
    }


def step_of(name: str, args: Mapping[str, Any], shown: Shown) -> str:
    """A tool call as the step that it was, for the conversation that the model is sent."""
    match name:
        case "search_spec":
            step = {"action": "search", "words": args.get("query")}
        case "fetch_section_chunks":
            labels = [one.label for one in shown.sections.values() if one.args == args]
            step = {"action": "read", "section": labels[0] if labels else args.get("sectionid")}
        case _:
            step = {"action": "answer", **args}
    return json.dumps({"step": step}, ensure_ascii=False)
