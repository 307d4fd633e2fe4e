"""The rows of a build, table by table: what the writer stages, and no writing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from storage.generated import Generated, row
from storage.model import BuiltEdition
from storage.passages import EmbeddedWindow
from storage.schema import NAMES, PAGES, UNITS, WINDOWS, name_row, page_row, unit_row
from storage.staging import Row


@dataclass(frozen=True, slots=True)
class Content:
    """What the tables of one build are made of."""

    built: BuiltEdition
    windows: Sequence[EmbeddedWindow]
    generated: Generated

    @property
    def embedded_texts(self) -> list[str]:
        """What is embedded, in the order in which `rows` wants the vectors."""
        generated = (text.indexed for texts in self.generated.by_role.values() for text in texts)
        return [*(window.text for window in self.windows), *generated]

    @property
    def counts(self) -> dict[str, int]:
        """Rows by role."""
        built = {UNITS: self.built.units, PAGES: self.built.pages, NAMES: self.built.names}
        return {
            role: len(values)
            for role, values in {**built, WINDOWS: self.windows, **self.generated.by_role}.items()
        }

    def rows(self, vectors: Any) -> dict[str, Iterator[Row]]:
        """The rows of each role; `vectors` has one for each of `embedded_texts`, in their order."""
        built, at = self.built, len(self.windows)
        pages = {page.source: page.text for page in built.pages}
        embedded = zip(self.windows, vectors[:at], strict=True)
        rows: dict[str, Iterator[Row]] = {
            UNITS: (unit_row(unit, pages[unit.source]) for unit in built.units),
            PAGES: (page_row(page) for page in built.pages),
            NAMES: (name_row(name) for name in built.names),
            WINDOWS: (_window_row(window, vector) for window, vector in embedded),
        }
        for role, texts in self.generated.by_role.items():
            rows[role] = map(row, texts, vectors[at : at + len(texts)])
            at += len(texts)
        return rows


def _window_row(window: EmbeddedWindow, vector: Any) -> Row:
    unit = window.unit
    return {
        "windowid": window.windowid,
        "unitid": unit.unitid,
        "clauseid": unit.clauseid,
        "level": unit.level.value,
        "kind": unit.kind.value,
        "start": window.start,
        "end": window.end,
        "chapter": unit.chapter,
        "annex": unit.annex,
        "vector": vector,
    }
