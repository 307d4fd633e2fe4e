"""How people write the specification's names: other spellings, names inside a question, small slips.

Pure text; knows no store. `lookup.py` compares what is made here with the names of an edition.
"""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

_WRAPPED = "`'\"“”‘’|* \t\n"
_TRAILING = ".?!,;:"
_LABELLED = re.compile(
    r"(?:§+|(?:section|clause|chapter|annex|appendix|sec\.)(?=[\s§]))\s*§?\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*")
_ARGUMENTS = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)$")
_PARAMETERS = re.compile(r"(?<=[A-Za-z])\s*\[(?!\s*(?:\[|%|Symbol\.|@@))[^\[\]]*\]$")
_FIRST = re.compile(r"(?P<accessor>(?:[gs]et )?)(?P<name>[A-Za-z]\w*)(?=\.| ?\[)")
_WRAPPED_FIRST = re.compile(r"(?P<accessor>(?:[gs]et )?)%(?P<name>[A-Za-z]\w*)%(?=\.| ?\[)")
_HOLDERS = {
    "array": "Array",
    "string": "String",
    "object": "Object",
    "number": "Number",
    "function": "Function",
    "regexp": "RegExp",
    "symbol": "Symbol",
    "promise": "Promise",
    "typedarray": "%TypedArray%",
}
_VARIABLE = re.compile(
    r"""(?:(?P<array>arr|array|\[\])|(?P<string>str|string|""|'')|(?P<object>obj|object|\{\})|(?P<number>num|number)
    |(?P<function>fn|func|function)|(?P<regexp>re|regex|regexp|/./)|(?P<symbol>sym|symbol)|(?P<promise>promise)
    |(?P<typedarray>ta|typedarray))(?:\.prototype)?[.\#]""",
    re.VERBOSE,
)
"""Variables as programmers name them: `arr.map()`, `arr.prototype.map()`, `[].map`."""
_ADDRESS = re.compile(r"(?:\S+://\S*|\S*\.html)?#(?P<fragment>[^#\s]+)$")

_MENTION = re.compile(
    r"""
    (?P<slot>\[\[[A-Za-z]+\]\])
  | (?P<intrinsic>%[A-Za-z_][\w.]*%(?:[.\#][\w$]+)*)
  | (?P<number>(?<![\w.\[+*/=-])(?<!\w\()(?<![+*/=<>]\s)  # no operand, no argument
        (?:[A-Z]|\d{1,3})(?:\.\d{1,3})+(?!\w|\s?[(\[+*/=<>]|-\d|\.\d))
  | (?P<labelled>(?:§\s*|\b(?:[Ss]ection|[Cc]lause|[Cc]hapter|[Aa]nnex)\s+)(?:[A-Z]|\d{1,3})\b(?!\.\d))
  | (?P<id>(?<![\w-])[A-Za-z%][\w%.$]*(?:-[\w%.$]+)+(?:~\d+)?)
  | (?P<symbol>@@[A-Za-z]+)
  | (?P<path>(?<![\w.$])[A-Za-z_$][\w$]*(?:(?:\.|\#|::)[\w$]+|(?=\s?\[\s?[%@]*Symbol\.))+
        (?:\s?\[\s?[%@]*Symbol\.\w+%?(?:\s?\])?)?)
  | (?P<camel>(?<![\w.$])(?:[A-Z][a-z0-9]*[A-Z]\w*|[a-z]+[A-Z]\w*))
    """,
    re.VERBOSE,
)
"""What looks like an identifier inside a longer question. `Set`, `Get`, `Call`, `Await`, `Statement`, `Type`
do not: they are English as often as they are names."""


def bare(query: str) -> str:
    """A query without what stands around a name: quotation marks, a section sign, a full stop, a web address.

    >>> bare(" §7.1.4. "), bare("`ToNumber`?"), bare("Annex B.3"), bare("spec.html#sec-a")
    ('7.1.4', 'ToNumber', 'B.3', 'sec-a')
    """
    text = query.strip(_WRAPPED).rstrip(_TRAILING).strip(_WRAPPED)
    if address := _ADDRESS.match(text):
        return unquote(address["fragment"])
    label = _LABELLED.match(text)
    return text[label.end() :] if label and _NUMBER.fullmatch(text, label.end()) else text


def spellings(name: str) -> Iterator[str]:
    """Other ways to write a name, the likeliest first and each once; compared after folding.

    >>> list(spellings("Array#sort()"))
    ['Array#sort()', 'Array#sort', 'Array.prototype.sort', '%Array%.prototype.sort']
    """
    seen: dict[str, None] = {name: None}
    plain = _PARAMETERS.sub("", _ARGUMENTS.sub("", name)).strip(_WRAPPED)
    path = re.sub(r"#|\.p(?:roto)?\.", ".prototype.", plain)
    for form in (plain, path, *_symbol_forms(path), *_percent_forms(path), *_prototype_forms(path)):
        seen.setdefault(form)
    yield from (form for form in seen if form)


def lone_spellings(name: str) -> Iterator[str]:
    """As `spellings`, for a name that stands alone; inside a question these are as often a variable.

    >>> list(lone_spellings("arr.map()"))[-2:]
    ['Array.prototype.map', '%Array%.prototype.map']
    """
    yield from spellings(name)
    if short := _VARIABLE.match(name):
        holder = _HOLDERS[short.lastgroup or ""]
        yield from spellings(f"{holder}.prototype.{name[short.end() :]}")


def wrapped(name: str) -> Iterator[str]:
    """A word as an intrinsic and as an internal slot: for exact look-up after everything else, not for
    slips."""
    if re.fullmatch(r"\w+", name):
        yield f"%{name}%"
        yield f"[[{name}]]"


def operation_and_production(text: str) -> Iterator[tuple[str, str]]:
    """`Evaluation of IfStatement`, `IfStatement Evaluation`, `IfStatement : Evaluation`.

    >>> list(operation_and_production("BoundNames of ForDeclaration"))
    [('BoundNames', 'ForDeclaration')]
    """
    named = re.sub(r"^(?:Static|Runtime) Semantics:\s*", "", text, flags=re.IGNORECASE)
    if of := re.fullmatch(r"(\w+)\s+(?:of|for|on)\s+(?:an?\s+|the\s+)?\|?(\w+)\|?", named):
        yield of[1], of[2]
    elif pair := re.fullmatch(r"\|?(\w+)\|?\s*(?:\s|:|,|/)\s*(\w+)", named):
        yield pair[2], pair[1]
        yield pair[1], pair[2]


def _symbol_forms(path: str) -> Iterator[str]:
    """`@@iterator` is the older, `Symbol.iterator` the programmer's spelling of `%Symbol.iterator%`."""
    newer = re.sub(r"@@(\w+)", r"%Symbol.\1%", path)
    yield newer
    yield re.sub(r"\[\s*Symbol\.(\w+)\s*(?:\]|$)", r"[%Symbol.\1%]", newer)
    yield re.sub(r"(?<=\w)\.Symbol\.(\w+)$", r"[%Symbol.\1%]", newer)


def _percent_forms(path: str) -> Iterator[str]:
    if path.startswith("%") and path.endswith("%"):
        yield path.strip("%")
    elif first := _FIRST.match(path):
        yield f"{first['accessor']}%{first['name']}%{path[first.end() :]}"
    elif wrapped := _WRAPPED_FIRST.match(path):
        yield f"{wrapped['accessor']}{wrapped['name']}{path[wrapped.end() :]}"


def _prototype_forms(path: str) -> Iterator[str]:
    """People say `String.split` for `String.prototype.split`."""
    if re.fullmatch(r"[A-Z]\w*\.[a-z]\w*", path) and not path.endswith(".prototype"):
        first, rest = path.split(".")
        yield f"{first}.prototype.{rest}"
        yield f"%{first}%.prototype.{rest}"


def mentions(question: str) -> list[tuple[str, str]]:
    """Identifier-like parts of a question as (shape, spelling), in order, each once.

    >>> mentions("Does Array.prototype.sort call ToNumber (7.1.4) or Get?")
    [('path', 'Array.prototype.sort'), ('camel', 'ToNumber'), ('number', '7.1.4')]
    """
    found: dict[tuple[str, str], None] = {}
    for match in _MENTION.finditer(question):
        shape = match.lastgroup or ""
        text = bare(match.group()) if shape in ("labelled", "id") else match.group()
        found.setdefault(("number" if shape == "labelled" else shape, text))
    return list(found)


def shorter_paths(path: str) -> Iterator[str]:
    """A path, then what it is called on: `Array.prototype.sort.call` names `Array.prototype.sort`."""
    parts = re.split(r"(\.|#|::)", path)
    for length in range(len(parts), 2, -2):
        yield "".join(parts[:length])


def is_number(text: str) -> bool:
    """Whether it is written as a section number: `7.1.4`, `B.3`."""
    return bool(_NUMBER.fullmatch(text))


def one_name(query: str) -> bool:
    """Whether the whole query is one name, so that a slip in it may be mended. The specification writes some
    with spaces: `get Map.prototype.size`, `Map.prototype [ %Symbol.iterator% ]`."""
    closed = re.sub(r"^[gs]et (?=\S*(?:\.| ?\[))| (?=[\[\]])|(?<=\[) ", "", query)
    return not re.search(r"\s", closed) and bool(re.search(r"[A-Za-z]", closed))


def allowed_slips(key: str) -> int:
    """Edits that may be slips: none in a short name, where every edit makes another word."""
    return 0 if len(key) < 5 else 1 if len(key) < 8 else 2


def same_numbers(one: str, other: str) -> bool:
    """Digits are never slips: `Int8Array` is not `Int16Array`, cell 2 is not cell 3."""
    return re.findall(r"\d+", one) == re.findall(r"\d+", other)


def distances(key: str, keys: Sequence[str], *, most: int) -> dict[int, int]:
    """Which of the keys are within `most` edits (insert, delete, replace, swap of neighbours: the optimal
    string alignment distance), by place, with their distance."""
    from rapidfuzz.distance import OSA

    lengths = range(len(key) - most, len(key) + most + 1)
    near = (
        (at, OSA.distance(key, one, score_cutoff=most)) for at, one in enumerate(keys) if len(one) in lengths
    )
    return {at: distance for at, distance in near if distance <= most}


def last_part(key: str) -> str:
    """The property that a path ends in, without arguments; empty for what is no path.

    >>> last_part("arr.prototype.flatmap()"), last_part("tonumber")
    ('flatmap', '')
    """
    path = _ARGUMENTS.sub("", key)
    return re.split(r"[.#]", path)[-1] if re.fullmatch(r"[^-]*[.#][\w$]+", path) else ""


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice coefficient of two sets of letter pairs."""
    return 2 * len(one & other) / (len(one) + len(other))


def letter_pairs(key: str) -> frozenset[str]:
    """Neighbouring letters, with the ends marked, so that even one letter has pairs."""
    padded = f"\0{key}\0"
    return frozenset(padded[at : at + 2] for at in range(len(padded) - 1))
