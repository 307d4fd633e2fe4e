"""Follow-up questions, put so that they can be asked alone. Pure text; `leaning` says which they are.

A model is asked each question afresh, so that its evidence is this question's alone. What a follow-up leans
on is therefore said in it. Where it only names another thing of the same kind (`And indexOf?` after a
question about `Array.prototype.includes`), the question before is asked of that.
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from agent.answer import Answer, Verdict
from agent.talk.leaning import leans_back
from tools.clean import one_line, shortened

if TYPE_CHECKING:
    from agent.talk.state import Turn

Known = Callable[[str], bool]
SECTIONS = 2
"""Sections of the last answer that a follow-up is told: one decides, one more is often called by it."""
_PLACE = re.compile(r"\b(?:steps?|sections?|clauses?|algorithms?|tables?|notes?|defined)\b", re.IGNORECASE)
"""What speaks of the text of the last answer."""
_FOLLOWS = re.compile(r" \(About: (?P<root>.*?)(?:; then: .*|; in: .*)?\)$", re.DOTALL)
"""What `understood` adds; without quotation marks, since it is a part of the question and no passage that it
quotes."""
_SAME_OF = re.compile(
    r"(?:(?:and|or|but)(?: what about| how about)?|what about|how about"
    r"|(?:and )?(?:is|does|do|are|would) (?:it|that|this|they|those)(?: \w+)? the same (?:for|with|in))"
    r"(?: (?:for|with|in))?(?: (?:an?|the))? (?P<name>`?[\w%$.]+`?)\W*$",
    re.IGNORECASE,
)
_PATH = re.compile(r"%?[A-Za-z_$][\w$]*%?(?:\.[\w$]+)+")
_KINDS = (
    _PATH,
    re.compile(r"\b(?:BigInt|Symbol|Number|String|Boolean|Object|undefined|null)\b"),
    re.compile(r"\b(?:Map|Set|WeakMap|WeakSet|Array|Promise|Proxy|Function|RegExp|Date|DataView)\b"),
    re.compile(r"\b(?!BigInt\b|WeakMap\b|WeakSet\b|RegExp\b)[A-Z][a-z]+[A-Z]\w*[a-z]\w*"),
)
"""Names that may stand in each other's place: methods, operations, types of values, kinds of objects."""


def _nothing(_: str) -> bool:
    return False


def understood(question: str, last: "Turn | None", *, known: Known = _nothing) -> str:
    """The question as it is asked: as it stands, with one name exchanged, or with what it leans on.

    `known` says whether the edition has a name.
    """
    if last is None or not leans_back(question):
        return question
    return _exchanged(question, _before(last), known) or f"{question} ({_follows(question, last)})"


def _before(last: "Turn") -> str:
    return one_line(last.understood or last.question)


def _follows(question: str, last: "Turn") -> str:
    """What went before; the sections of the answer only where the question asks about their text.

    Told always, they drew the search away from what is new in the question: of 18 conversations over es2026
    the second answer began with the right section in 10 without them, in 6 with them.
    """
    before = shortened(_FOLLOWS.sub("", _before(last)), limit=200)
    root = _FOLLOWS.search(_before(last))
    told = f"{shortened(root['root'], limit=200)}; then: {before}" if root else before
    about = _titles(last.answer) if _PLACE.search(question) else ""
    return f"About: {told}{f'; in: {about}' if about else ''}"


def _exchanged(question: str, before: str, known: Known) -> str:
    """The question before, asked of another name of the same kind: `And indexOf?` after a question about
    `Array.prototype.includes`. Empty where that is not what is meant."""
    asked = _SAME_OF.match(question)
    if asked is None or _FOLLOWS.search(before):
        return ""
    new = asked["name"].strip("`")
    kind = next((kind for kind in _KINDS if kind.fullmatch(new)), None)
    paths = dict.fromkeys(found.group() for found in _PATH.finditer(before))
    if kind is not _PATH and len(paths) == 1:
        (path,) = paths
        sibling = f"{path.rpartition('.')[0]}.{new}"
        if known(sibling):
            return before.replace(path, sibling)
    old = dict.fromkeys(found.group() for found in kind.finditer(before)) if kind else {}
    return re.sub(rf"(?<!\w){re.escape(next(iter(old)))}(?!\w)", new, before) if len(old) == 1 else ""


def _titles(last: Answer) -> str:
    """What the last answer's verified quotations stand in, else what it named as nearest."""
    cited = [one for one in last.citations if one.verdict is Verdict.VERIFIED]
    ids: Sequence[tuple[str, str]] = [(one.sectionid, one.title) for one in cited]
    named = list(dict(ids or [(place.sectionid, place.title) for place in last.nearest]).items())[:SECTIONS]
    return " and ".join(f"{one_line(title)} ({sectionid})" for sectionid, title in named)
