"""What the offline model sees in a question: its words and their weight, names that stand out, what kind of
answer.

Pure text; the same question gives the same reading of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from agent.offline_words import STOP, is_compound, stems
from agent.own_words import SENTENCE, is_code, own_words
from tools.clean import QUERY_LIMIT
from tools.glossary import specification_words
from tools.spelling import bare, mentions

SAID_OTHERWISE = 0.5
"""What a word of the glossary weighs beside a word of the question itself."""
NAMES = 8
"""Names that a question may stand on; each is looked for in everything that was shown."""


class Cue(StrEnum):
    """A kind of answer that a question asks for; `CUES` says how it is recognised, `offline_score` what it
    favours."""

    THROWS = "throws"
    RETURNS = "returns"
    DEFINES = "defines"
    REASON = "reason"
    CONDITION = "condition"
    ORDER = "order"


_CUES = (
    (Cue.THROWS, r"throw|reject|error|exception|fail|refus|rais|illegal|legal|allowed|valid|complain|crash"),
    (Cue.RETURNS, r"\breturn|result|\bgives?\b|yield|evaluate to|which value|what value|produce"),
    (Cue.DEFINES, r"^\W*(?:what (?:is|are|does)\b|define|describe)|purpose|supposed to|meaning of|stand for"),
    (Cue.REASON, r"\bwhy\b|reason|explain|how come"),
    (Cue.CONDITION, r"\bwhen\b|under wh|in which case|\bif\b|condition"),
    (Cue.ORDER, r"\border\b|before|after|first|last\b|earlier|sequence"),
)

_ADDRESS = re.compile(r"\w+://\S+|\S+\.html\S*")
_FENCED = re.compile(r"`([^`]+)`")
_NAME = re.compile(
    r"\[\[\w+\]\]|%[\w.]+%|(?<![\w$.\[%'\"/\\])[A-Za-z_$][\w$]*(?:(?:\.|#|::)[A-Za-z_$][\w$]*)*(?:\(\))?"
)
_VALUES = re.compile(r"(?:BigInt|NaN|RegExp|DataView|\w*Error|\w*Array|\w*Buffer|Weak\w+|JSON)s?")
"""Names of kinds of values: what something is done to, seldom what a question is about."""
_CALLED = re.compile(r"(?<![\w$])(?:[\w$]+[.#])*([A-Za-z_$][\w$]{2,})(?=\()|[.#]([A-Za-z_$][\w$]{2,})")
_PHRASE = re.compile(r"`([a-z]{2,} [a-z]{2,})`")
"""Two words marked as code: a construct of the grammar, named where nothing else is."""
_LANGUAGES = frozenset({"JavaScript", "ECMAScript", "TypeScript"})
"""Written like names, but of everything that is asked."""
_ID = re.compile(r"(?:sec|prod|table|step|figure|eqn|term|dfn|alg)-")
_ARGUMENTS = re.compile(r"\s*\([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was understood."""

    text: str
    terms: Mapping[str, float]
    """Stems, with 1 for the question's own and less for what the glossary adds."""
    names: tuple[str, ...]
    """Identifiers that stand in prose: what the question may be about, not a variable of an example."""
    cues: frozenset[Cue]
    called: frozenset[str]
    """What the question calls or reads from something, in prose or code: `setDate` of `d.setDate(1)`."""
    alone: bool
    """Nothing but an id, a number or a name."""

    ids: tuple[str, ...]
    """Ids in it, and a number that stands alone: whether there are such sections, the store knows."""

    reworded: str
    """The question's own words and the specification's words for them, as a second search."""


def _reworded(text: str) -> str:
    added = specification_words(text)
    if not added:
        return ""
    own = [word for word in re.findall(r"[\w%\[\].]+", text) if word.lower() not in STOP]
    return " ".join(dict.fromkeys([*added, *own]))[:400]


@lru_cache(maxsize=64)
def understand(text: str) -> Question:
    """The reading of a question, without what it quotes at length; asked for at every step of one."""
    text = ends(own_words(text))
    own = dict.fromkeys(stems(text), 1.0)
    added = {part: SAID_OTHERWISE for word in specification_words(text) for part in stems(word)}
    return Question(
        text=text,
        terms={**added, **own},
        names=names_in_prose(text),
        cues=frozenset(cue for cue, pattern in _CUES if re.search(pattern, text, re.IGNORECASE)),
        called=frozenset(name for found in _CALLED.findall(text) for name in found if name),
        alone=_is_alone(text),
        ids=_ids(text),
        reworded=_reworded(text),
    )


def ends(text: str) -> str:
    """A question that fits into a search: of a longer one its beginning and its end, one of which asks.

    >>> len(ends("a" * 9_000)), ends("short")
    (2000, 'short')
    """
    half = QUERY_LIMIT // 2
    return text if len(text) <= QUERY_LIMIT else f"{text[: half - 1]}\n{text[-half:]}"


def names_in_prose(text: str) -> tuple[str, ...]:
    """Identifiers outside code examples that a question may be about, in order, each once.

    >>> names_in_prose("Which clause defines setTimeout, and what does `let myVar = Foo.bar()` do?")
    ('setTimeout',)
    """
    text = _ADDRESS.sub(" ", own_words(text, least=SENTENCE))
    prose = _FENCED.sub(lambda found: " " if is_code(found[1]) else f" {found[1]} ", text)
    out: dict[str, None] = {}
    for sentence in re.split(r"(?<=[.?!])\s+|\s[—–]\s|:\s", prose):
        if not is_code(sentence):
            out.update(dict.fromkeys(name for name in _NAME.findall(sentence) if _stands_out(name)))
    out = {name: None for name in out if name not in _LANGUAGES}
    subjects = [name for name in out if not _VALUES.fullmatch(name)]
    return tuple(subjects or out or dict.fromkeys(_PHRASE.findall(text)))[:NAMES]


def _stands_out(name: str) -> bool:
    """Marked as a name, called, compound, or a path from something global; `error.stack` is anybody's
    variable."""
    path = "." in name or "#" in name
    written = name.endswith("()") or is_compound(name) or "_" in name.strip("_") or "::" in name
    return name[0] in "[%" or written or (path and name[0].isupper())


def _ids(text: str) -> tuple[str, ...]:
    found = mentions(text)
    ids = [name for shape, name in found if shape == "id" and _ID.match(name)]
    return tuple(ids or [name for shape, name in found if shape == "number" and name == bare(text)])


def _is_alone(text: str) -> bool:
    name = _ARGUMENTS.sub("", bare(text))
    found = mentions(name)
    return bool(name) and (not re.search(r"\s", name) or [part for _, part in found] == [name])
