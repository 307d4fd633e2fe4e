"""Loads the text that is sent to a model from `prompts/`, and fills in its placeholders.

A placeholder is `{{name}}`. One without a value and a value without a placeholder are both errors: a prompt
and the code that fills it in cannot drift apart unnoticed.
"""

import re
from functools import cache
from pathlib import Path

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


def render(prompt: str, /, **values: object) -> str:
    """The prompt `prompts/{prompt}.md` with its placeholders filled in; comments are left out.

    Raises KeyError when placeholders and values are not the same set.
    """
    text = _read(prompt)
    wanted = set(_PLACEHOLDER.findall(text))
    if wanted != set(values):
        raise KeyError(
            f"prompts/{prompt}.md has the placeholders {sorted(wanted)}, given were {sorted(values)}"
        )
    return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)


@cache
def _read(name: str) -> str:
    return _COMMENT.sub("", (PROMPTS / f"{name}.md").read_text(encoding="utf-8")).strip()
