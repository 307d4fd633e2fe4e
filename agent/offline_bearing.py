"""Whether what was found bears on the question at all. Pure.

Two signs that it does not: names that the question stands on occur nowhere, or too few of its words stand
together in any one section while nothing else ties it to the language.
"""

import math
import re
from collections import Counter

from agent.elsewhere import named, unprinted
from agent.offline_evidence import Evidence
from agent.offline_question import Question
from agent.offline_thresholds import Thresholds
from agent.offline_words import HOME, stems
from agent.variables import bare_name, is_variable
from tools.glossary import specification_words

AT_HOME = 2
"""So many words of the language, or of one title, make a question one about it."""

_PATH = re.compile(r"[.#]|::")
_MEMBER = re.compile(r"\.(?:name|length|call|apply|bind|prototype)$")
_SHORT_PROTOTYPE = re.compile(r"#|\.p\.")
_SUBTYPE = re.compile(r"^\w+?(array|error)(?=\.)")
_LANGUAGE = re.compile(
    r"\b(?:Python|Ruby|Rust|Java|Kotlin|Swift|Golang|TypeScript|PHP|Perl|Haskell|Scala|Erlang|Elixir|Clojure"
    r"|Fortran|COBOL|Lua|Dart|OCaml|Zig)\b|\bC(?:\+\+|#)|\bin (?:C|Go|R|D)\b|\bC\+\+\d+|\bGo do\b"
)
"""Other languages, where their names are no words of ours."""
_OURS = re.compile(r"\bECMA|\bES\d|JavaScript|\bJS\b", re.IGNORECASE)
_CALLED_WORDS = frozenset(
    {"async", "await", "catch", "for", "if", "import", "super", "switch", "while", "with"}
)
"""Words of the grammar that questions write like the call of a function."""
_MADE_UP = re.compile(
    r"\b(?:I|we|you|they|someone) (?:define|add|patch|override|overwrite|install|set)\b|polyfill"
)


def absent_names(evidence: Evidence, question: Question) -> tuple[str, ...]:
    """Names in the question that what was shown does not hold; none where no search was shown."""
    if not evidence.searches:
        return ()
    shown = evidence.shown_text()
    words = evidence.identifiers()
    own = bool(_MADE_UP.search(question.text))
    return tuple(name for name in _names(question) if not _is_shown(name, shown, words, own=own))


def _names(question: Question) -> tuple[str, ...]:
    """Names of the question but for its variables and what it only prints with."""
    asked = unprinted(question.text)
    return tuple(name for name in question.names if name in asked and not is_variable(name, question.text))


def unknown_ids(evidence: Evidence, question: Question) -> tuple[str, ...]:
    """Ids in the question where a search found nothing by name: the edition has none of them."""
    looked = bool(evidence.searches) and not any(hit.named for hit in evidence.hits)
    return question.ids if looked else ()


def all_absent(evidence: Evidence, question: Question) -> bool:
    """Whether the question stands on names, and none of them was shown."""
    names = _names(question)
    return bool(names) and len(absent_names(evidence, question)) == len(names)


def _is_shown(name: str, shown: str, words: frozenset[str], *, own: bool) -> bool:
    """A method of a prototype as a whole, unless the question says that it made it; of others their parts."""
    folded = _MEMBER.sub("", name.casefold())
    if " " in folded:
        return all(word in words for word in folded.split())
    if folded[0] in "[%":
        return folded in shown
    if folded.endswith("()") and folded[:-2] not in _CALLED_WORDS:
        return any(folded[:-2] + opened in shown for opened in ("(", " ("))
    folded = _SHORT_PROTOTYPE.sub(".prototype.", folded)
    parts = _PATH.split(bare_name(folded))
    if "prototype" in parts[:-1] and not own:
        return any(form in shown for form in (folded, _SUBTYPE.sub(_supertype, folded)))
    needed = parts if name[0].isupper() else parts[-1:]
    return all(_is_word(part, words) for part in needed)


def _supertype(found: re.Match[str]) -> str:
    """What the members of `Int8Array` and `RangeError` are told under."""
    return "typedarray" if found[1] == "array" else "error"


def _is_word(part: str, words: frozenset[str]) -> bool:
    return any(form in words for form in (part, part.removesuffix("s"), part.removesuffix("es")))


def together(evidence: Evidence, question: Question) -> float:
    """The largest part of the question's own words, rare ones more, that one section shown holds."""
    own = [stem for stem, weight in question.terms.items() if weight == 1]
    sections: dict[str, set[str]] = {}
    for passage in evidence.passages:
        held = sections.setdefault(passage.clauseid, set(stems(passage.title)))
        held.update(stems(passage.text))
    counts = Counter(stem for held in sections.values() for stem in held)
    weights = {stem: math.log(1 + (1 + len(sections)) / (1 + counts[stem])) for stem in own}
    total = sum(weights.values())
    best = max(
        (sum(weights[stem] for stem in own if stem in held) for held in sections.values()), default=0.0
    )
    return best / total if total else 0.0


def is_titled(evidence: Evidence, question: Question) -> bool:
    """Whether the title of something that was found holds several of the question's own words."""
    own = {stem for stem, weight in question.terms.items() if weight == 1}
    return any(len(own.intersection(stems(hit.title))) >= AT_HOME for hit in evidence.hits)


def bears(evidence: Evidence, question: Question, by: Thresholds) -> bool:
    """Whether to answer. A name that was found ties a question to the language; without one, so many of its
    words have to stand together as there is little else that does."""
    if (question.alone or question.ids) and any(hit.named for hit in evidence.hits):
        return True
    if elsewhere(evidence, question):
        return False
    if _names(question):
        return not all_absent(evidence, question) or _calls_ours(evidence, question)
    home = sum(term in HOME for term in question.terms)
    if home >= AT_HOME or is_titled(evidence, question):
        return together(evidence, question) >= by.together_at_home
    near = bool(home or specification_words(question.text))
    return together(evidence, question) >= (by.together_near_home if near else by.together)


def _calls_ours(evidence: Evidence, question: Question) -> bool:
    """Whether the question calls a method that something found defines: `includes` of `[1].includes(1)`."""
    shown = evidence.shown_text()
    methods = (name.casefold() for name in question.called if f".{name}(" in question.text)
    return any(f".prototype.{name} (" in shown for name in methods)


def elsewhere(evidence: Evidence, question: Question) -> str:
    """What the question is about instead: another language, or what another specification defines; else
    nothing. What it names of this one decides first."""
    absent = absent_names(evidence, question)
    if any(name not in absent for name in _names(question)) or _calls_ours(evidence, question):
        return ""
    if (language := _LANGUAGE.search(question.text)) and not _OURS.search(question.text):
        return language[0]
    shown = evidence.shown_text()
    found = (one for one in named(question.text) if one.name.casefold() not in shown)
    return next((one.where for one in found), "")
