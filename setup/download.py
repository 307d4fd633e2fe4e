"""Fetches a specification from an address, once, and pins every file by SHA-256.

A single page is one file; of a multipage specification every page beside the first that any page links to.
What was fetched is kept under `storage/data/downloads/` with a manifest of digests, and used again without a
network until `--refresh`.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from setup.sources import Source, source_file
from storage.errors import SourceError

if TYPE_CHECKING:
    import httpx

    from storage.progress import Progress
    from storage.settings import Settings

PUBLIC = "https://tc39.es/ecma262/multipage/"
"""The current specification, as its authors publish it."""

_MANIFEST = "manifest.json"
_PAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.html")
_LINK = re.compile(rb"""href=["']?(?P<page>[A-Za-z0-9][A-Za-z0-9._-]*\.html)(?=["'#?\s>])""")
"""Links to pages in the same folder. Only such names are ever written to disk."""

_MOST_PAGES = 500
_MOST_BYTES = 64 * 1024 * 1024
"""A page larger than this is no specification: the largest known one has 7 MB."""

_GONE = (404, 410)

_TIMEOUT = 30.0
"""Seconds for one request."""


def fetch_source(
    url: str | None, *, settings: "Settings", progress: "Progress", refresh: bool = False
) -> Source:
    """The files behind an address, from the last download if there is one.

    Raises SourceError naming both ways out if the address cannot be reached.
    """
    address = url or PUBLIC
    folder = Path(settings.storage_dir) / "downloads" / _slug(address)
    if not refresh and (kept := _kept(folder, address)) is not None:
        progress.say(f"using the copy of {address} under {folder} (`--refresh` fetches it anew)")
        return kept
    if settings.offline:
        raise SourceError(_unreachable(address, "ASK262_OFFLINE is set"))
    files = _download(address, progress)
    _keep(folder, address, files)
    return _source(address, files)


def _slug(address: str) -> str:
    readable = re.sub(r"[^a-z0-9]+", "-", address.lower()).strip("-")[:60]
    return f"{readable}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"


def _source(address: str, files: dict[str, bytes]) -> Source:
    name = (
        urlsplit(address).path.strip("/").replace("/", "-") or urlsplit(address).hostname or "specification"
    )
    return Source(address, name, tuple(source_file(n, html) for n, html in sorted(files.items())))


def _unreachable(address: str, reason: str) -> str:
    return (
        f"cannot fetch {address} ({reason}): name a local copy with `python -m setup.ingest SOURCE`, "
        'or try the sample with `ask262 --sample "QUESTION"`'
    )


def _download(address: str, progress: "Progress") -> dict[str, bytes]:
    import httpx

    progress.say(f"fetching {address}")
    try:
        with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
            return _pages(client, address, progress)
    except httpx.HTTPError as error:
        reason = str(error).split("\n")[0] or type(error).__name__
        raise SourceError(_unreachable(address, reason)) from None
    except httpx.InvalidURL as error:
        raise SourceError(f"{address!r} is no address: {error}") from None


def _pages(client: "httpx.Client", address: str, progress: "Progress") -> dict[str, bytes]:
    """The first page and, page by page, whatever they link to in the same folder."""
    import httpx

    first = urlsplit(address).path.rsplit("/", 1)[-1] or "index.html"
    name = first if _PAGE_NAME.fullmatch(first) else "index.html"
    files: dict[str, bytes] = {name: _get(client, address)}
    waiting = [page for page in _linked(files[name]) if page not in files]
    missing: set[str] = set()
    while waiting:
        page = waiting.pop(0)
        if page in files or page in missing:
            continue
        if len(files) >= _MOST_PAGES:
            raise SourceError(f"{address} links to more than {_MOST_PAGES} pages; is it a specification?")
        try:
            files[page] = _get(client, urljoin(address, page))
        except httpx.HTTPStatusError as error:
            if error.response.status_code not in _GONE:
                raise
            progress.say(f"{page} is linked to but not there; left out")
            missing.add(page)
            continue
        waiting += [found for found in _linked(files[page]) if found not in files and found not in waiting]
        progress("fetch", len(files), len(files) + len(waiting))
    return files


def _linked(html: bytes) -> Iterator[str]:
    seen: set[str] = set()
    for found in _LINK.finditer(html):
        page = found["page"].decode()
        if page not in seen:
            seen.add(page)
            yield page


def _get(client: "httpx.Client", address: str) -> bytes:
    with client.stream("GET", address) as response:
        response.raise_for_status()
        body = bytearray()
        for part in response.iter_bytes():
            body += part
            if len(body) > _MOST_BYTES:
                raise SourceError(f"{address} is larger than {_MOST_BYTES:,} bytes; is it a specification?")
    return bytes(body)


def _keep(folder: Path, address: str, files: dict[str, bytes]) -> None:
    """Write beside, then rename: a killed download leaves the copy before untouched."""
    fresh = folder.with_name(folder.name + ".part")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, html in files.items():
            (fresh / name).write_bytes(html)
        digests = {name: hashlib.sha256(html).hexdigest() for name, html in sorted(files.items())}
        (fresh / _MANIFEST).write_text(json.dumps({"address": address, "files": digests}, indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    except OSError as error:
        raise SourceError(f"cannot keep the download under {folder}: {error.strerror}") from None


def _kept(folder: Path, address: str) -> Source | None:
    """An earlier download whose every file still has its digest."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text())
        names = [name for name in manifest["files"] if _PAGE_NAME.fullmatch(name)]
        files = {name: (folder / name).read_bytes() for name in names}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    for name, html in files.items():
        if hashlib.sha256(html).hexdigest() != manifest["files"][name]:
            raise SourceError(
                f"{folder / name} is not what was fetched from {address}; fetch it anew with `--refresh`"
            )
    return _source(address, files)
