"""Where the specification's HTML comes from: a folder, a file, an address, the sample. Reads; parses nothing.

With nothing named, the configured source; else the public multipage specification, fetched once and pinned
by SHA-256 (`setup.download`).
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from storage.errors import SourceError

if TYPE_CHECKING:
    from storage.progress import Progress
    from storage.settings import Settings

SAMPLE = Path(__file__).resolve().parent / "sample" / "spec.html"
"""The small specification of an invented language that ships with the project."""

_LONGEST_SHOWN = 200

_HTML = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One HTML file as it was read."""

    name: str
    html: bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """All files of one edition."""

    origin: str
    """For people, and for ingesting it again from anywhere: an absolute path or an address."""
    name: str
    """What an edition is called if its title says nothing: the folder's or file's name."""
    files: tuple[SourceFile, ...]
    sample: bool = False


def read_source(
    location: str | None,
    *,
    sample: bool,
    settings: "Settings",
    progress: "Progress",
    refresh: bool = False,
) -> Source:
    """The files that `location` names; see the module for what is read without one.

    Raises SourceError in one line with the remedy.
    """
    if sample:
        return Source("the sample specification", "sample", (_read(SAMPLE),), sample=True)
    if location is not None and not location.strip():
        raise SourceError("SOURCE is empty; name a folder, a file or an address, or leave it out")
    wanted = location if location is not None else settings.source
    if wanted is None or wanted.startswith(("http://", "https://")):
        from setup.download import fetch_source

        return fetch_source(wanted, settings=settings, progress=progress, refresh=refresh)
    if "://" in wanted:
        raise SourceError(f"only http and https addresses are fetched, not {wanted[:_LONGEST_SHOWN]!r}")
    return _from_disk(Path(wanted).expanduser().resolve())


def _from_disk(path: Path) -> Source:
    try:
        if path.is_dir():
            return _from_folder(path)
        if path.is_file():
            return Source(str(path), path.stem, (_read(path),))
    except OSError as error:
        raise SourceError(f"cannot read {_shown(path)}: {error.strerror}") from None
    raise SourceError(
        f"no file or folder {_shown(path)}; name a folder of HTML pages, one HTML file or an address, "
        "or try the sample with `python -m setup.ingest --sample`"
    )


def _shown(path: Path) -> str:
    """A path in a message: no control characters, and not longer than a line."""
    text = str(path)
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")


def _from_folder(folder: Path) -> Source:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in _HTML and path.is_file())
    if not paths:
        raise SourceError(
            f"no .html file in {_shown(folder)}; name the folder that holds the specification's pages"
        )
    return Source(str(folder), folder.resolve().name, tuple(_read(path) for path in paths))


def _read(path: Path) -> SourceFile:
    try:
        html = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read {_shown(path)}: {error.strerror}") from None
    return source_file(path.name, html)


def source_file(name: str, html: bytes) -> SourceFile:
    """A file with its digest."""
    return SourceFile(name, html, hashlib.sha256(html).hexdigest())
