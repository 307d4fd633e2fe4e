"""The page on the doctor's findings says what the code can find, and quotes what programs print."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from storage.settings import ROOT

PAGE = ROOT / "docs" / "troubleshooting.md"
FOUND = ("warn", "fail")
_ROW = re.compile(
    r"^\| `(?P<name>[^`]+)`(?: or `(?P<other>[^`]+)`)? \| (?P<severity>warn|fail) \|", re.MULTILINE
)
_SAID = re.compile(r"^\| `(?P<said>[^`]+)` \| [^|]+ \|$", re.MULTILINE)
SERVERS = "chat model, embedder"
NAMED_BY_VALUE = {"server.what": SERVERS, "name": "any"}
"""Names that the code takes from a value: of either server, and of whatever raised an unforeseen error."""


def test_every_finding_of_the_doctor_stands_on_the_page_as_often_as_the_code_makes_it() -> None:
    rows = Counter(
        (f"{row['name']}, {row['other']}" if row["other"] else row["name"], row["severity"])
        for row in _ROW.finditer(PAGE.read_text(encoding="utf-8"))
    )
    assert rows == Counter(_findings())


def test_messages_on_the_page_stand_in_the_code() -> None:
    part = PAGE.read_text(encoding="utf-8").partition("## What programs say")[2].partition("\n## ")[0]
    quoted = [one["said"] for one in _SAID.finditer(part)]
    pieces = [piece.strip() for said in quoted for piece in said.split("…") if piece.strip()]
    assert len(quoted) > 5
    assert [piece for piece in pieces if piece not in _words()] == []


def _findings() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "setup").glob("doctor*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                names = dict(_assigned(function))
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and ast.unparse(node.func) in FOUND:
                        first = ast.unparse(node.args[0])
                        yield _name(names.get(first, node.args[0])), ast.unparse(node.func)


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Variables and what they were given, tuples taken apart."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                yield from zip(map(ast.unparse, target.elts), value.elts, strict=True)
            else:
                yield ast.unparse(target), value


def _name(said: ast.expr) -> str:
    """A finding's name, with EDITION where an edition's stands."""
    if isinstance(said, ast.Constant):
        return str(said.value)
    if isinstance(said, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "EDITION" for one in said.values)
    return NAMED_BY_VALUE[ast.unparse(said)]


@cache
def _words() -> str:
    """All texts in the programs' code, joined where the code writes one in several strings."""
    files = [
        path for folder in ("agent", "setup", "storage", "tools") for path in (ROOT / folder).rglob("*.py")
    ]
    nodes = (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return "\n".join(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
