"""Sections by any id that a model may write, for verification; remembers what it looked up. Reads, never
writes."""

import re
from collections.abc import Sequence

from agent.variables import bare_name
from storage.model import Level, Unit
from tools.lookup import look_up
from tools.ports import Reader

MENTIONS = 20
"""Units in which a name is looked for: those that share most with it."""
_PLURAL = re.compile(r"(?<=[a-z])s$")
_DOT, _SPACED = r"\.", r"\s*\.\s*"


class Stored:
    """One edition's sections. A block's id leads to the section or piece that the block belongs to."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._sections: dict[str, Unit | None] = {}
        self._blocks: dict[str, Sequence[Unit]] = {}

    def section(self, sectionid: str, /) -> Unit | None:
        """The section or piece of this id, legacy id, number or name; None when there is none, or several."""
        if sectionid not in self._sections:
            self._sections[sectionid] = self._look_up(sectionid)
        return self._sections[sectionid]

    def blocks(self, sectionid: str, /) -> Sequence[Unit]:
        """The blocks of a section's or piece's own text, in document order."""
        if sectionid not in self._blocks:
            self._blocks[sectionid] = self._reader.blocks(sectionid)
        return self._blocks[sectionid]

    def mentions(self, name: str, /) -> bool:
        """Whether a name occurs in the edition's text or headings: as it is written, without the arguments
        of its call, in the singular, or with white space around its dots."""
        plain = bare_name(name)
        return any(self._occurs(form) for form in dict.fromkeys((plain, _PLURAL.sub("", plain))))

    def _occurs(self, name: str) -> bool:
        asked = dict.fromkeys((name, name.replace(".", " ")))
        ids = [one.unitid for query in asked for one in self._reader.search_text(query, limit=MENTIONS)]
        found = self._reader.units(list(dict.fromkeys(ids)))
        word = re.compile(rf"(?<![\w$]){re.escape(name).replace(_DOT, _SPACED)}(?![\w$])")
        return any(word.search(unit.text) or word.search(unit.title) for unit in found)

    def _look_up(self, sectionid: str) -> Unit | None:
        unit = self._reader.unit(sectionid) or self._named(sectionid)
        return self._reader.unit(unit.sectionid) if unit and unit.level is Level.BLOCK else unit

    def _named(self, name: str) -> Unit | None:
        """By exact spelling only: an id with a slip in it is an id that does not exist."""
        found = look_up(name, self._reader.names())
        exact = [match for match in found.of_best_kind() if found.whole and not match.mended]
        meant = {match.name.sectionid for match in exact}
        return self._reader.unit(meant.pop()) if len(meant) == 1 else None
