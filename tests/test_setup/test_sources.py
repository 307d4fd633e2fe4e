"""Where HTML comes from, and what is said when it does not come."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from setup.pipeline import build, derived_edition
from setup.sources import Source, read_source, source_file
from storage.errors import SourceError
from storage.model import BreakdownRules
from storage.settings import Settings
from tests.test_setup.helpers import Silent

PAGE = (
    '<!DOCTYPE html><title>{title}</title><div id="spec-container">'
    '<emu-clause id="{id}"><h1>{h}</h1></emu-clause></div>'
)


def settings(tmp_path: Path, **changes: object) -> Settings:
    return Settings(storage_dir=tmp_path / "store", **changes)  # type: ignore[arg-type]


def write(folder: Path, name: str, *, title: str = "T", htmlid: str = "sec-a", heading: str = "1 A") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(PAGE.format(title=title, id=htmlid, h=heading))


def read(location: str, tmp_path: Path, **changes: object) -> Source:
    return read_source(location, sample=False, settings=settings(tmp_path, **changes), progress=Silent())


def test_a_folder_gives_its_html_files_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    write(folder, "b.html")
    write(folder, "a.htm")
    (folder / "notes.txt").write_text("x")
    assert [file.name for file in read(str(folder), tmp_path).files] == ["a.htm", "b.html"]


def test_a_single_file_is_a_source(tmp_path: Path) -> None:
    write(tmp_path / "spec", "index.html")
    assert len(read(str(tmp_path / "spec" / "index.html"), tmp_path).files) == 1


@pytest.mark.parametrize("name", ["nowhere", "../\x1b[31m", "a" * 5_000])
def test_what_is_not_there_is_one_line_with_the_remedy(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read(str(tmp_path / name), tmp_path)
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no \.html file"):
        read(str(tmp_path), tmp_path)


@pytest.mark.parametrize(
    ("location", "said"),
    [("", "SOURCE is empty"), ("  ", "SOURCE is empty"), ("ftp://x/y", "only http and https")],
)
def test_what_cannot_be_a_source_is_refused_and_nothing_else_read_for_it(
    location: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match=said):
        read(location, tmp_path, source=str(tmp_path))


def made(tmp_path: Path, location: str, *, edition: str | None = None):  # type: ignore[no-untyped-def]
    return build(read(location, tmp_path), edition=edition, rules=BreakdownRules(), progress=Silent())


def test_pages_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    write(folder, "a.html", htmlid="s10", heading="10 Ten")
    write(folder, "b.html", htmlid="s9", heading="9 Nine")
    (folder / "c.html").write_text(
        '<div id="spec-container"><emu-annex id="an"><h1>Annex A Extra</h1></emu-annex></div>'
    )
    (folder / "z.html").write_text(
        '<div id="spec-container"><emu-intro id="in"><h1>Intro</h1></emu-intro></div>'
    )
    pages = made(tmp_path, str(folder)).assembled.built.pages
    assert [page.source for page in pages] == ["z.html", "b.html", "a.html", "c.html"]


def test_files_without_a_specification_are_left_out_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    write(folder, "a.html")
    (folder / "404.html").write_text("<p>not here</p>")
    result = made(tmp_path, str(folder))
    assert result.skipped == ("404.html",)
    assert [page.source for page in result.assembled.built.pages] == ["a.html"]


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe" * 50, b"<p>hello</p>", b"PK\x03\x04"])
def test_a_file_that_is_no_specification_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(content)
    with pytest.raises(SourceError) as caught:
        made(tmp_path, str(tmp_path / "x.html"))
    assert "\n" not in str(caught.value)


def test_absurd_nesting_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text('<div id="spec-container">' + "<div>" * 20_000 + "x")
    with pytest.raises(SourceError, match="nested too deeply"):
        made(tmp_path, str(tmp_path / "x.html"))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("ECMAScript® 2026 Language Specification", "es2026"),
        ("ECMAScript® 2027 Internationalization API Specification", "ecma402-2027"),
        ("Some Proposal", "my-folder"),
    ],
)
def test_an_edition_is_called_after_its_title(title: str, expected: str) -> None:
    assert derived_edition(title, Source("x", "My Folder", (source_file("a.html", b""),))) == expected


# -- addresses --------------------------------------------------------------------------------------------


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    folder = tmp_path / "www"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", folder
    server.shutdown()
    server.server_close()
    thread.join()


def link(folder: Path, *targets: str) -> None:
    links = "".join(f'<a href="{target}">x</a>' for target in targets)
    (folder / "index.html").write_text(PAGE.format(title="T", id="sec-i", h="1 I") + links)


def test_a_multipage_address_gives_every_page_it_links_to(served: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = served
    link(folder, "a.html#sec-a", "../evil.html", "sub/b.html", "https://example.invalid/c.html", "gone.html")
    write(folder, "a.html")
    assert [file.name for file in read(url, tmp_path).files] == ["a.html", "index.html"]


def test_a_download_is_kept_and_read_without_a_network(served: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = served
    link(folder)
    first = read(url, tmp_path)
    (folder / "index.html").unlink()
    assert read(url, tmp_path, offline=True).files == first.files


def test_a_download_that_changed_on_disk_is_refused(served: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = served
    link(folder)
    read(url, tmp_path)
    (kept,) = (tmp_path / "store" / "downloads").glob("*/index.html")
    kept.write_text("tampered")
    with pytest.raises(SourceError, match=r"not what was fetched.*--refresh"):
        read(url, tmp_path)


@pytest.mark.parametrize("changes", [{}, {"offline": True}])
def test_an_address_out_of_reach_names_both_ways_out(changes: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"python -m setup\.ingest SOURCE.*ask262 --sample") as caught:
        read("http://127.0.0.1:9/", tmp_path, **changes)
    assert "\n" not in str(caught.value)
