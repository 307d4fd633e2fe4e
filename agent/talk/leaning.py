"""Whether a question points to the one before it. Pure text.

It does where it begins like a reply (`And holes?`, `What about BigInt?`), where it is a bare fragment (`In
strict mode?`), where it says nothing of its own (`Which error is thrown?`), and where a pronoun in it has
nothing to stand for. `it` has something where an earlier clause of the same question names it (`What happens
to a promise when it is resolved twice?`), or where it stands for what follows (`Is it possible to …`). What
is marked as code is never a pronoun: `this` is a keyword.
"""

import re

FRAGMENT = 5
"""Words of a reply without a verb."""

_CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_REPLY = re.compile(
    r"^(?:and|but|so|then|or|also|what about|how about|how come|where else|what else|which one)\b"
    r"|^why(?: not| so)?\W*$",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^(?:even |only |not )?(?:with|without|for|in|on|to|from|by|under|inside|outside|if|after|before)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:is|was|does|did|do|can|of|for|by|to|from|with|about|after|before|like|than|calls?|uses?) that\W*$"
    r"|^(?:\w+ )?(?:is|was|does|did|can|would|will|has) that\b(?! \w+ (?:is|are|has|have)\b)"
    r"|\b(?:that|this) (?:one|step|case|section|clause|operation|algorithm|method|function|error|exception"
    r"|check|call|rule|behaviou?r|definition|list|order)\b"
    r"|\b(?:these|those) (?:steps|cases|sections|operations|algorithms|methods|functions|errors|rules)\b"
    r"|\b(?:does|do|did) (?:this|these|those) (?:apply|hold|happen|work|mean|throw|also)\b"
    r"|\b(?:does|do|did|for|of|about|after|before|by|like|doing|call|calls|use|uses) (?:this|these|those)\b"
    r"(?= \w+\W*$|\W*$)(?! value)"
    r"|\bthe same(?=\W*$| (?:for|with|true|in|happen|apply|go)\b)"
    r"|\bthe (?:former|latter|above|other one)\b"
    r"|\b(?:then|instead|too|as well|otherwise|either|(?<!Is )(?<!are )there)\W*$"
    r"|\bdiffer(?:ent)?\W*$|\banything else\b"
    r"|\bthe (?:first|second|third|last|next|other) (?:step|case|section|algorithm|operation|one(?=\W*$))\b"
    r"|^(?:\w+ ){0,6}steps? \d[\w.]*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?P<one>it|they|them)\b|\b(?P<whose>its|their)\b", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\bit(?:'s| is| was| an?\b)? (?:an? )?(?:(?!for )\w+ ){0,3}(?:to|that|for|when|if|whether)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:.]|\b(?:when|if|while|after|before|because|until|once|that|which|where|and|or|but|so)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"^(?:do|does|did|can|could|is|are|was|will|would|must|may|should|has|have)\b", re.I)
_INDEFINITE = re.compile(r"\b(?:an?|each|every|any)\b", re.IGNORECASE)
_NAME = re.compile(
    r"\[\[\w+\]\]|%[\w.]+%|\b(?:sec|prod|table)-\S+|\b\w*[a-z]\w*[A-Z]\w*|\w\.\w|\w\(\)|::|\d\.\d"
)
_EMPTY = re.compile(
    r"a|an|the|of|in|on|at|to|for|from|by|with|as|is|are|was|be|been|being|does|do|did|done|can|"
    r"could|will|would|must|may|should|has|have|had|what|which|who|whose|when|where|why|how|if|it|"
    r"its|they|them|their|that|this|these|those|there|then|and|or|but|so|not|no|any|some|all|one|"
    r"ones|happens?|happened|says?|said|means?|meant|works?|calls?|called|errors?|exception|"
    r"thrown|throws?|raised?|returns?|returned|values?|results?|steps?|cases?|sections?|clause|"
    r"specification|spec|defined?|defines|definition|example|default|arguments?|order|type|reason|"
    r"used?|uses|made|else|same|exactly|really|again|many|much|gets?|gives?|given|comes?|goe?s?|"
    r"takes?|needs?|needed|checks?|tell|me|show",
    re.IGNORECASE,
)
"""Words that say nothing of what a question is about."""


def leans_back(question: str) -> bool:
    """Whether a question points to what went before.

    >>> leans_back("And holes?"), leans_back("Does it call [[Get]]?"), leans_back("Has a Map its own order?")
    (True, True, False)
    """
    plain = _CODE.sub(" code ", question).strip()
    if _REPLY.search(plain) or _POINTS.search(plain):
        return True
    words = plain.split()
    if _BARE.search(plain) and len(words) <= FRAGMENT and not _NAME.search(plain):
        return True
    if _is_empty(plain):
        return not _INDEFINITE.search(plain)
    return any(_unnamed(plain, found) for found in _PRONOUN.finditer(plain))


def _unnamed(text: str, found: re.Match[str]) -> bool:
    """Whether nothing in the question itself is what a pronoun stands for."""
    before = text[: found.start()]
    named = not _is_empty(before)
    if _EXPLETIVE.match(text, found.start()):
        return False
    if found["whose"]:
        return not (named and (_NAME.search(before) or _INDEFINITE.search(before) or _AUXILIARY.search(text)))
    return not (named and (_CLAUSE.search(before) or _INDEFINITE.search(before)))


def _is_empty(text: str) -> bool:
    words = re.findall(r"[A-Za-z][a-z']*|\S*[\[%.]\S+", text)
    return not _NAME.search(text) and all(_EMPTY.fullmatch(word) for word in words)
