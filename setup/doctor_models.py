"""Examines what turns text into vectors and answers: the embedder, the chat model's address, the prompts.

An address is asked once, with a short time to answer, and only if it is configured. Nothing is asked while
ASK262_OFFLINE is set, but for a server on this machine.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from setup.doctor_finding import Finding, fail, ok, warn
from storage.address import shown_address
from storage.errors import EmbedderError
from storage.identity import is_bundled
from storage.settings import ROOT

if TYPE_CHECKING:
    from pydantic import SecretStr

    from storage.settings import Settings

SECONDS = 3.0
"""What a server that is running needs at most to list its models."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_BUILT_IN = "offline"


def embedder(settings: "Settings") -> Iterator[Finding]:
    """The bundled model's files, or the address of another."""
    if is_bundled(settings):
        yield _bundled()
    elif settings.embedder_base_url is not None:
        server = _Server("embedder", settings.embedder_base_url, settings.embedder, "ASK262_EMBEDDER")
        yield _reached(server, settings.embedder_api_key, offline=settings.offline)
    elif settings.offline:
        what = f"{settings.embedder} needs the network, and ASK262_OFFLINE is set"
        yield fail("embedder", what, "export ASK262_EMBEDDER=minilm")
    else:
        yield ok("embedder", f"{settings.embedder}, through its provider; not asked here")


def _bundled() -> Finding:
    from storage.bundled import MODEL, TOKENIZER, read_verified

    try:
        for file in (MODEL, TOKENIZER):
            read_verified(file)
    except EmbedderError as error:
        what, _, remedy = str(error).rpartition(": ")
        return fail("embedder", what, remedy)
    return ok("embedder", "minilm, bundled; its two files are the pinned ones")


def chat_model(settings: "Settings") -> Iterator[Finding]:
    """Whether the configured chat model can be asked."""
    name, address = settings.model, settings.base_url
    if name == _BUILT_IN or (name is None and address is None):
        yield ok("chat model", "none configured: the built-in one answers by quoting")
    elif name is None:
        what = f"ASK262_BASE_URL is {shown_address(address or '')}, but no model is named"
        yield fail("chat model", what, "export ASK262_MODEL=NAME")
    elif address is not None:
        server = _Server("chat model", address, name, "ASK262_MODEL")
        yield _reached(server, settings.api_key, offline=settings.offline)
    elif settings.offline:
        what = f"{name} needs the network, and ASK262_OFFLINE is set"
        yield fail("chat model", what, f"export ASK262_MODEL={_BUILT_IN}")
    else:
        yield ok("chat model", f"{name}, through its provider; not asked here")


@dataclass(frozen=True, slots=True)
class _Server:
    """An OpenAI-compatible server, the model that is asked of it, and the setting that names that."""

    what: str
    address: str
    model: str
    setting: str


def _reached(server: _Server, key: "SecretStr | None", *, offline: bool) -> Finding:
    import httpx

    shown = shown_address(server.address)
    if offline and urlsplit(server.address).hostname not in _LOOPBACK:
        what = f"{shown} needs the network, and ASK262_OFFLINE is set"
        return fail(server.what, what, "unset ASK262_OFFLINE")
    headers = {"authorization": f"Bearer {key.get_secret_value()}"} if key is not None else {}
    try:
        answer = httpx.get(f"{server.address}/models", headers=headers, timeout=SECONDS)
    except httpx.HTTPError as error:
        why = " ".join(str(error).split())[:120] or type(error).__name__
        what = f"{shown} cannot be reached ({why}): start its server, or correct the address"
        return fail(server.what, what, f"curl {shlex.quote(shown + '/models')}")
    if answer.status_code in (401, 403):
        what = f"{shown} rejects the key (HTTP {answer.status_code})"
        setting = "ASK262_API_KEY" if server.setting == "ASK262_MODEL" else "ASK262_EMBEDDER_API_KEY"
        return fail(server.what, what, f"export {setting}=KEY")
    listed = _models(answer)
    wanted = server.model.removeprefix("openai:")
    if listed and wanted not in listed:
        what = f"{shown} answers, but does not list {wanted}: it has {', '.join(listed[:5])}"
        return warn(server.what, what, f"export {server.setting}={shlex.quote(listed[0])}")
    return ok(server.what, f"{wanted} at {shown} answers")


def _models(answer: object) -> list[str]:
    """Names from a server's list of models, those that can be shown; none where it has no such list."""
    try:
        entries = answer.json()["data"]  # type: ignore[attr-defined]
        return [name for entry in entries if (name := str(entry["id"])).isprintable()]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


CODE = tuple(ROOT / name for name in ("agent", "tools", "setup"))
"""Where prompts are rendered."""


def prompts(folder: Path = ROOT / "prompts", *code: Path) -> Iterator[Finding]:
    """Every prompt that is rendered by name is there, with exactly the placeholders that are filled in.

    Read off the source of `code`, by default of all that renders: setup does not import what talks.
    """
    files = [path for place in code or CODE for path in sorted(place.rglob("*.py"))]
    asked = {name: values for path in files for name, values in rendered(path)}
    faults = []
    for name, values in sorted(asked.items()):
        path = folder / f"{name}.md"
        try:
            found = set(_PLACEHOLDER.findall(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError):
            faults.append(f"{path.name} cannot be read")
            continue
        if found != values:
            faults.append(f"{path.name} has {sorted(found)}, the code gives {sorted(values)}")
    if faults:
        yield fail("prompts", "; ".join(faults), f"git checkout -- {folder.name}")
    elif not asked:
        yield fail("prompts", "no prompt is used anywhere: the code is missing", "git status")
    else:
        yield ok("prompts", f"{len(asked)} prompts, complete")


def rendered(path: Path) -> Iterator[tuple[str, set[str]]]:
    """The calls `render("name", placeholder=...)` of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        first = node.args[0]
        if node.func.id == "render" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value, {keyword.arg for keyword in node.keywords if keyword.arg}
