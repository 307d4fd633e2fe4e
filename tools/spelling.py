"""How people write the specification's names: other spellings, names inside a question, small slips.

Pure text; knows no store. `lookup.py` compares what is made here with the names of an edition.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

_WRAPPED = "`'\"“”‘’|* \t\n"
_TRAILING = ".?!,;:"
_LABELLED = re.compile(
    r"(?:§+|(?:section|clause|chapter|annex|appendix|sec\.)(?=[\s§]))\s*§?\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*")
_ARGUMENTS = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)$")
_PARAMETERS = re.compile(r"(?<=[A-Za-z])\s*\[(?!\s*(?:\[|%|Symbol\.|@@))[^\[\]]*\]$")
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
  | (?P<path>(?<![\w.$])[A-Za-z_$][\w$]*(?:(?:\.|\#|::)[\w$]+)+(?:\s?\[\s?[%@]*Symbol\.\w+%?\s?\])?)
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


def _symbol_forms(path: str) -> Iterator[str]:
    """`@@iterator` is the older, `Symbol.iterator` the programmer's spelling of `%Symbol.iterator%`."""
    newer = re.sub(r"@@(\w+)", r"%Symbol.\1%", path)
    yield newer
    yield re.sub(r"\[\s*Symbol\.(\w+)\s*\]", r"[%Symbol.\1%]", newer)


def _percent_forms(path: str) -> Iterator[str]:
    if path.startswith("%") and path.endswith("%"):
        yield path.strip("%")
    elif re.match(r"[A-Za-z]\w*\.", path):
        first, rest = path.split(".", 1)
        yield f"%{first}%.{rest}"


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


def one_name(query: str) -> bool:
    """Whether the whole query is one name, so that a slip in it may be mended."""
    return bool(query) and not re.search(r"\s", query) and bool(re.search(r"[A-Za-z]", query))


def allowed_slips(key: str) -> int:
    """Edits that may be slips: none in a short name, where every edit makes another word."""
    return 0 if len(key) < 5 else 1 if len(key) < 8 else 2


def same_numbers(one: str, other: str) -> bool:
    """Digits are never slips: `Int8Array` is not `Int16Array`, cell 2 is not cell 3."""
    return re.findall(r"\d+", one) == re.findall(r"\d+", other)


def edits(one: str, other: str, *, most: int) -> int:
    """Optimal string alignment distance (insert, delete, replace, swap); `most + 1` when larger."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        older, before, row = before, row, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice coefficient of two sets of letter pairs."""
    return 2 * len(one & other) / (len(one) + len(other))


def letter_pairs(key: str) -> frozenset[str]:
    """Neighbouring letters, with the ends marked, so that even one letter has pairs."""
    padded = f"\0{key}\0"
    return frozenset(padded[at : at + 2] for at in range(len(padded) - 1))
