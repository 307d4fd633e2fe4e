"""Which names in a question are the asker's own: variables of an example, of which no specification speaks.

That such a name stands nowhere proves nothing. Pure text.
"""

import re

_CALLED = re.compile(r"\s*\(.*\)$", re.DOTALL)
_USUAL = re.compile(r"(?:my|your|some|foo|bar|baz|qux|obj|arr|str|num|func|fn|cb|callback|tmp|temp)(?![a-z])")
"""How examples name things: `myObj.fooBar()`, `foo`, `arr2`."""
_DECLARED = r"\b(?:let|const|var|function\*?|class)\s+{name}(?![\w$])|(?<![\w$.]){name}\s*=(?![=>])"
_LETTERS = re.compile(r"[^\W\d_]{2}")
_WRITTEN = re.compile(r"[\w$.#%@:~\[\]-]+")
_OWN_PATH = re.compile(r"[a-z][\w$]*[.#\[]")


def bare_name(name: str) -> str:
    """A name without the arguments of its call.

    >>> bare_name("super()"), bare_name("Foo.bar(a, b(c))"), bare_name("ToNumber")
    ('super', 'Foo.bar', 'ToNumber')
    """
    return _CALLED.sub("", name).strip()


def is_name(text: str) -> bool:
    """Whether it can be looked up as a name: `??=`, `'a.b'` and `\\\\d` are code, but no names.

    >>> [is_name(one) for one in ("ToNumber", "[[Get]]", "super()", "??=", "=>", "'a.b'", "async/await")]
    [True, True, True, False, False, False, False]
    """
    name = bare_name(text)
    return bool(_WRITTEN.fullmatch(name) and _LETTERS.search(name))


def is_variable(name: str, question: str) -> bool:
    """Whether a name is one that the question gives to a thing of its own.

    >>> is_variable("myVar", "Is `myVar` hoisted?"), is_variable("seed", "Given `let seed = 1`?")
    (True, True)
    >>> is_variable("setTimeout", "When does `setTimeout` run?"), is_variable("stringify", "How?")
    (False, False)
    """
    first = re.split(r"[.#\[]", bare_name(name))[0]
    if not first:
        return False
    declared = _DECLARED.format(name=re.escape(first))
    return bool(_USUAL.match(first) or re.search(declared, question))


def is_own_path(name: str) -> bool:
    """Whether it is read from something in lower case, which may be anybody's variable:
    `user.address.city`."""
    return bool(_OWN_PATH.match(name))
