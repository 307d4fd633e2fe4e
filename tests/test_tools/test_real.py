"""Names, fetches and outlines over the whole real specification, from units in memory."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest

from storage.markers import MARKER, marker
from storage.model import BuiltEdition, Level, Name, NameKind, Unit
from storage.name_table import PREFERENCE
from tests.spec import edition, needs_spec
from tests.test_tools.fake import FakeEmbedder, FakeReader, small
from tools.definitions import definitions, meanings
from tools.lookup import look_up
from tools.toolbox import Toolbox

pytestmark = [needs_spec, pytest.mark.spec]


@dataclass
class Names:
    """By key, as the store gives them."""

    rows: tuple[Name, ...]

    @cached_property
    def by_folded(self) -> dict[str, list[Name]]:
        found: dict[str, list[Name]] = defaultdict(list)
        for name in sorted(self.rows, key=lambda name: PREFERENCE[name.kind]):
            found[name.key].append(name)
        return found

    def by_key(self, key: str, /) -> list[Name]:
        return self.by_folded.get(key, [])

    def by_keys(self, keys: Sequence[str], /) -> list[Name]:
        return [name for key in keys for name in self.by_key(key)]

    def __iter__(self) -> Iterator[Name]:
        return (name for name in self.rows if name.kind is not NameKind.ANCHOR)

    def __len__(self) -> int:
        return len(self.rows)


class BuiltReader(FakeReader):
    """The fake over an edition that was built and not stored; cannot search."""

    def __init__(self, built: BuiltEdition) -> None:
        self.record = small().record
        self.calls = []
        self.pages = {page.source: page.text for page in built.pages}
        self.by_id = {unit.unitid: unit for unit in built.units}
        self.table = Names(built.names)  # type: ignore[assignment]

    def unit(self, unitid: str, /) -> Unit | None:
        return self.by_id.get(unitid)

    def units(self, ids: Sequence[str], /) -> list[Unit]:
        return [self.by_id[unitid] for unitid in ids if unitid in self.by_id]

    def slice(self, source: str, start: int, end: int, /) -> str:
        return self.pages[source][start:end]


@pytest.fixture(scope="module")
def reader() -> BuiltReader:
    return BuiltReader(edition("es2026").assembled.built)


@pytest.fixture(scope="module")
def box(reader: BuiltReader) -> Toolbox:
    return Toolbox(reader, FakeEmbedder())


@pytest.mark.parametrize(
    ("asked", "sectionid"),
    [
        ("sec-%arrayiteratorprototype%.next", "sec-%arrayiteratorprototype%.next"),
        ("sec-object.prototype.__proto__", "sec-object.prototype.__proto__"),
        ("sec-HostLoadImportedModule", "sec-HostLoadImportedModule"),
        ("sec-numeric-types-bigint-leftShift", "sec-numeric-types-bigint-leftShift"),
        ("await", "await"),
        ("table-tonumber-conversions", "sec-tonumber"),
        ("prod-FieldDefinition", "sec-class-definitions"),
        ("table-well-known-symbols", "sec-well-known-symbols"),
        ("7.1.4", "sec-tonumber"),
        ("§B.3.1", "sec-labelled-function-declarations"),
        ("Annex B", "sec-additional-ecmascript-features-for-web-browsers"),
        ("ToNumber ( argument )", "sec-tonumber"),
        ("to number", "sec-tonumber"),
        ("ToNumbr", "sec-tonumber"),
        ("Array.prototype.sort", "sec-array.prototype.sort"),
        ("Map.prototype.size", "sec-get-map.prototype.size"),
        ("RegExp.prototype[Symbol.match]", "sec-regexp.prototype-%symbol.match%"),
        ("TypedArray.prototype.fill", "sec-%typedarray%.prototype.fill"),
        ("Number::toString", "sec-numeric-types-number-tostring"),
        ("%Array.prototype%", "sec-properties-of-the-array-prototype-object"),
        ("IfStatement", "sec-if-statement"),
        ("Set", "sec-set-o-p-v-throw"),
    ],
)
def test_a_name_leads_to_exactly_one_section(box: Toolbox, asked: str, sectionid: str) -> None:
    assert box.fetch_section_chunks(asked).data["sectionid"] == sectionid


@pytest.mark.parametrize("asked", ["sec-%", "x' OR '1'='1", "_"])
def test_what_is_no_name_is_answered_with_the_nearest(box: Toolbox, asked: str) -> None:
    result = box.fetch_section_chunks(asked)
    assert not result.ok
    assert "no such section" in result.text
    assert "Nearest: `" in result.text


def test_all_sections_called_evaluation_are_definitions_and_each_can_be_fetched(
    box: Toolbox, reader: BuiltReader
) -> None:
    lookup = look_up("Evaluation", reader.names())
    found = meanings(
        definitions(lookup.matches, reader.units([one.name.sectionid for one in lookup.matches]))
    )
    titled = {
        unit.unitid
        for unit in reader.by_id.values()
        if unit.level is Level.SECTION and unit.title == "Runtime Semantics: Evaluation"
    }
    assert len(titled) == 69
    assert titled <= {one.unit.unitid for one in found}
    assert all(box.fetch_section_chunks(unitid).data["sectionid"] == unitid for unitid in titled)


def test_every_internal_methods_name_gives_its_definitions_by_heading(reader: BuiltReader) -> None:
    lookup = look_up("[[Get]]", reader.names())
    found = meanings(
        definitions(lookup.matches, reader.units([one.name.sectionid for one in lookup.matches]))
    )
    assert [one.unit.secnum for one in found] == ["10.1.8", "10.4.4.3", "10.4.5.5", "10.4.6.8", "10.5.8"]


def test_every_id_is_accepted_by_both_tools_and_every_passage_is_its_slice(
    box: Toolbox, reader: BuiltReader
) -> None:
    wanted = [unit for unit in reader.by_id.values() if unit.level is not Level.BLOCK]
    assert len(wanted) > 2_256
    for unit in wanted:
        result = box.fetch_section_chunks(unit.unitid, limit=200_000)
        assert result.data["sectionid"] == unit.unitid
        assert not result.data["truncated"]
        told = [passage.text for passage in result.passages]
        assert told == [
            reader.slice(passage.source, passage.start, passage.end) for passage in result.passages
        ]
        own = [reader.slice(unit.source, span.start, span.end) for span in unit.segments]
        assert told == [text for text in own if text.strip()]
        children = [entry["sectionid"] for entry in box.check_subsections(unit.unitid).data["subsections"]]
        assert children == list(unit.subsections)
        marks = MARKER.finditer(result.data["chunks"][0]["text"])
        assert [mark["id"] for mark in marks] == children


def test_a_recursive_fetch_of_a_chapter_gives_every_descendant_once(
    box: Toolbox, reader: BuiltReader
) -> None:
    chapter = "sec-ordinary-and-exotic-objects-behaviours"
    expected = {
        unit.unitid
        for unit in reader.by_id.values()
        if unit.chapter == chapter and unit.level in (Level.SECTION, Level.PIECE)
    }
    seen: list[str] = []
    cursor = None
    while True:
        data = box.fetch_section_chunks(chapter, recursive=True, limit=12_000, cursor=cursor).data
        seen += [chunk["sectionid"] for chunk in data["chunks"] if chunk["offset"] == 0]
        cursor = data["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen))
    assert set(seen) == expected


def test_the_pages_of_a_chapter_joined_are_its_text(box: Toolbox, reader: BuiltReader) -> None:
    chapter = "sec-ordinary-and-exotic-objects-behaviours"
    texts: dict[str, str] = defaultdict(str)
    pages, cursor = 0, None
    while pages == 0 or cursor:
        result = box.fetch_section_chunks(chapter, recursive=True, cursor=cursor)
        for chunk in result.data["chunks"]:
            texts[chunk["sectionid"]] += chunk["text"]
        pages, cursor = pages + 1, result.data["next"]

    def whole(sectionid: str) -> str:
        unit = reader.by_id[sectionid]
        text = texts[sectionid].removeprefix(f"[Section {sectionid}: {unit.title}]\n\n---\n\n")
        for child in unit.subsections:
            (mark,) = (m for m in (marker(child, reader.by_id[child].title), marker(child)) if m in text)
            text = text.replace(mark, whole(child), 1)
        return text

    unit = reader.by_id[chapter]
    assert pages > 5
    assert len(unit.span) > 100_000
    assert whole(chapter) == reader.pages[unit.source][unit.start : unit.end]
