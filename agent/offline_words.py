"""Words made comparable for the offline model: stems, parts of identifiers, names that stand out.

Pure text. The stemmer is light and the same for questions and specification: it need not be right, only the
same on both sides (`initialise`, `initialized` and `Initializer` meet in `initializ`).
"""

import re
from functools import lru_cache

from storage.names import identifier_parts

_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")

_STOP_WORDS = """
happens happening happened anything everything someone somebody possible possibly supposed expect expected
a about above after again all also although always am an and any are as ask at away be because been
before being below between both but by came can cannot come could did do does doing done down during
each else even ever every exactly far few first follow for from further gets give given gives goes
going got had happen has have having he her here him his how however i if in into is it its itself
just know language last leave let like look lot make makes many may me mean means might more most
much must my name need never new no nor not nothing now of off often on once one only onto or other
our out over own part per please point purpose put really required right rule said same say says
section see set shall she should since so some something spec specification specify specified
standard states still such take tell text than that the their them then there these they thing this
those though through thus to together too two under until up upon us use used uses using very want
was way we well were what whatever when where whether which while who whole whose why will with
within without word work would write written yet you your actually clause clauses define defines
defined definition ecma ecmascript javascript js es engine engines browser browsers code explain
describe question
"""
STOP = frozenset(_STOP_WORDS.split())
"""Words that say nothing about which statement answers a question."""

_IRREGULAR = {
    "thrown": "throw", "threw": "throw", "frozen": "freez", "froze": "freez", "written": "writ",
    "wrote": "writ", "ran": "run", "kept": "keep", "held": "hold", "built": "build", "made": "mak",
    "seen": "see", "called": "call", "indices": "index", "indexes": "index", "matches": "match",
    "properties": "property", "children": "child", "chosen": "choos", "hidden": "hid", "bound":
    "bind", "found": "find", "lost": "lose", "began": "begin", "begun": "begin", "deletion":
    "delet", "removal": "remov", "conversion": "convert", "comparison": "compar", "early": "early",
    "rejection": "reject", "resolution": "resolv", "iteration": "iterat", "coercion": "coerc",
}  # fmt: skip

_ENDINGS = (
    (re.compile(r"i[sz](?:e|ed|er|ers|es|ing|ation|ations)$"), "iz"),
    (re.compile(r"(?<=[a-z]{3})ies$"), "y"),
    (re.compile(r"(?<=ss)es$"), ""),
    (re.compile(r"(?<=[a-z]{2}[^su i])s$"), ""),
    (re.compile(r"(?<=[a-z]{3})(?:ing|ed|ly)$"), ""),
    (re.compile(r"(?<=[a-z]{3})e$"), ""),
)
_DOUBLED = re.compile(r"([bdgmnprt])\1$")


def stem(word: str) -> str:
    """A word's light stem, lower case.

    >>> stem("throws"), stem("Initialised"), stem("mapping"), stem("frozen")
    ('throw', 'initializ', 'map', 'freez')
    """
    folded = word.lower().removesuffix("'s").replace("'", "")
    if folded in _IRREGULAR:
        return _IRREGULAR[folded]
    for pattern, ending in _ENDINGS:
        shorter = pattern.sub(ending, folded)
        if shorter != folded:
            folded = _DOUBLED.sub(r"\1", shorter) if ending == "" else shorter
            if ending:
                break
    return folded


@lru_cache(maxsize=16_384)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words and of the words inside its identifiers, in order, stop words left out."""
    words = [word for word in _WORD.findall(text) if word.lower() not in STOP]
    parts = [part for part in identifier_parts(text) if part not in STOP]
    return tuple(stem(word) for word in (*words, *parts) if len(word) > 1 or word.isdigit())


def is_compound(word: str) -> bool:
    """Whether a word is written like an identifier: a capital inside it.

    >>> is_compound("setTimeout"), is_compound("Timeout"), is_compound("JSON"), is_compound("IsHTMLDDA")
    (True, False, False, True)
    """
    return bool(_CAMEL.search(word))


_DOMAIN_WORDS = """
abrupt accessor argument array assignment bigint binding boolean class coerce completion computed constructor
descriptor enumerable environment exception expression function generator getter global identifier immutable
inherited initializer instance integer intrinsic iterable iterator literal loop method modifier module mutable
nan null number object operand operator own parameter primitive property prototype proxy realm receiver regexp
setter statement static strict string subclass superclass surrogate symbol template typed undefined
"""
HOME = frozenset(stem(word) for word in _DOMAIN_WORDS.split())
"""Words that questions about the language share, and that few other questions use together."""
