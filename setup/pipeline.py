"""The road from files to an edition: parse, render, put in order, cut, prove. Opens no store.

`build` is what every program and test uses; `documents` gives the LangChain Documents of an edition.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from setup.assemble import Assembled, SourceText, assemble
from setup.checks import CheckReport, check
from setup.nodes import Node, RenderedPage
from setup.pages import document_title, parse, render
from setup.sections import KINDS
from setup.sources import Source, SourceFile
from setup.tree import growing
from storage.editions import SAMPLE, edition_to_build
from storage.errors import InputError, SourceError
from storage.model import BreakdownRules, Kind

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from storage.progress import Progress

_TITLES = (
    (re.compile(r"ECMAScript\W+(\d{4}) Language"), "es{}"),
    (re.compile(r"ECMAScript\W+(\d{4}) Internationalization API"), "ecma402-{}"),
)
"""Titles of the specifications that the project is made for, and what their editions are called."""


@dataclass(frozen=True, slots=True)
class Build:
    """An edition, its parts, what the proofs say of it, and which files held no specification."""

    assembled: Assembled
    report: CheckReport
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The pages of a source, rendered and in order; they can be cut again and again."""

    source: Source
    texts: tuple[SourceText, ...]
    section_ids: tuple[str, ...]
    """Of every section element of the HTML; empty where one has no id."""
    skipped: tuple[str, ...]


def build(source: Source, *, edition: str | None, rules: BreakdownRules, progress: "Progress") -> Build:
    """Everything about an edition that needs no store.

    Raises SourceError if no file holds a specification, StructureError if two sections have one id,
    InputError for an edition name that cannot be one.
    """
    wanted = _wanted(edition, source) if edition is not None else None
    return cut(read(source, progress=progress), edition=wanted, rules=rules)


def read(source: Source, *, progress: "Progress") -> Reading:
    """Parse and render every file."""
    texts: list[SourceText] = []
    section_ids: list[str] = []
    skipped: list[str] = []
    for number, file in enumerate(source.files, start=1):
        with growing():
            page = _read(file, alone=len(source.files) == 1)
        if page is None:
            skipped.append(file.name)
        else:
            texts.append(SourceText(page[0], file.sha256))
            section_ids += page[1]
        progress("parse", number, len(source.files))
    if not texts:
        raise SourceError(f"no page of {source.origin} holds a specification (no #spec-container, no clause)")
    texts.sort(key=lambda text: _place(text.page))
    return Reading(source, tuple(texts), tuple(section_ids), tuple(skipped))


def cut(reading: Reading, *, edition: str | None, rules: BreakdownRules) -> Build:
    """Cut what was read by some rules, and prove that nothing is lost."""
    source = reading.source
    title = next((text.page.title for text in reading.texts if text.page.title), source.name)
    assembled = assemble(
        reading.texts,
        edition=edition or derived_edition(title, source),
        title=title,
        origin=source.origin,
        sample=source.sample,
        rules=rules,
    )
    return Build(assembled, check(assembled.built, section_ids=reading.section_ids), reading.skipped)


def documents(assembled: Assembled) -> "list[Document]":
    """The LangChain Documents of an edition: every page, section and piece, hierarchy in the metadata."""
    from storage.documents import to_document
    from storage.model import Level

    return [to_document(unit) for unit in assembled.built.units if unit.level is not Level.BLOCK]


def derived_edition(title: str, source: Source) -> str:
    """`es2026` from a specification's title; else the folder's or file's name."""
    if source.sample:
        return SAMPLE
    for pattern, form in _TITLES:
        if found := pattern.search(title):
            return form.format(found[1])
    slug = re.sub(r"[^a-z0-9.]+", "-", source.name.lower()).strip("-.")[:64]
    return edition_to_build(slug or "specification")


def _wanted(edition: str, source: Source) -> str:
    """The name asked for. `sample` is kept for the sample: an answer from it says that it is no real one."""
    name = edition_to_build(edition)
    if name == SAMPLE and not source.sample:
        raise InputError(f"`--edition {SAMPLE}` is the sample's name: give {source.origin} another one")
    return name


def _read(file: SourceFile, *, alone: bool) -> tuple[RenderedPage, list[str]] | None:
    """A rendered page and the ids of its section elements; None for a file that holds no specification."""
    try:
        container = parse(file.html, source=file.name)
    except SourceError:
        if alone:
            raise
        return None
    sections = [tag.attrs.get("id", "") for tag in container.named(*KINDS)]
    return render(container, source=file.name, title=document_title(file.html)), sections


def _place(page: RenderedPage) -> tuple[int, Sequence[int | str], str]:
    """Where a page stands in the specification: introduction, clauses, annexes, then what has no number."""
    first = next(_sections(page.root), None)
    if first is None or first.kind is Kind.INTRO:
        return (0 if first is not None else 4, (), page.source)
    if not first.secnum:
        return 3, (), page.source
    if first.kind is Kind.ANNEX:
        return 2, (first.secnum,), page.source
    return 1, tuple(int(part) for part in first.secnum.split(".") if part.isdigit()), page.source


def _sections(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.is_section:
            yield child
        else:
            yield from _sections(child)
