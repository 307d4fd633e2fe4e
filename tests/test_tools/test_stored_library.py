"""The strategies over the sample in a real store."""

import itertools
import random

import pytest

from setup.generation import Asked, generate
from storage.embedder import load_embedder
from storage.errors import StoreError
from storage.model import Level, Span
from storage.progress import Silent
from storage.reader import LanceReader, open_reader
from storage.settings import Settings
from storage.writer import write_edition
from tests.spec import edition
from tests.test_storage.small import LetterEmbedder
from tools.budget import Budget
from tools.stored_library import StoredLibrary
from tools.strategies.table import NEEDS, STRATEGIES, available, run
from tools.toolbox import Toolbox

QUERY = "What happens when a bed is watered with a reading of another unit?"


@pytest.fixture(scope="module")
def stored(sample_reader: LanceReader, sample_settings: Settings) -> StoredLibrary:
    return StoredLibrary(sample_reader, load_embedder(sample_settings))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> StoredLibrary:
    """The sample with summaries and contexts; embedded by letters, since blocks are many."""
    folder, built = tmp_path_factory.mktemp("generated"), edition("sample").assembled.built
    settings = Settings(storage_dir=folder, edition=None, source=None)
    made = generate(built, Asked("extractive", "headings"), settings, Silent())
    write_edition(folder, built, LetterEmbedder(), generated=made)
    return StoredLibrary(open_reader(settings), LetterEmbedder())


@pytest.fixture
def held(name: str, stored: StoredLibrary, generated: StoredLibrary) -> StoredLibrary:
    """A library that the strategy can search."""
    return generated if name in NEEDS else stored


def test_an_edition_answers_the_strategies_that_it_has_the_tables_for(
    stored: StoredLibrary, generated: StoredLibrary
) -> None:
    assert available(generated.record) == list(STRATEGIES)
    assert available(stored.record) == [name for name in STRATEGIES if name not in NEEDS]


@pytest.mark.parametrize(("name", "option"), NEEDS.items())
def test_a_strategy_without_its_tables_names_the_command_that_makes_them(
    name: str, option: str, stored: StoredLibrary
) -> None:
    with pytest.raises(StoreError, match=rf"built without .*: make them with .* --sample .* --{option}$"):
        run(name, QUERY, stored, Budget())


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_gives_evidence_within_the_budget_and_exact_to_the_letter(
    name: str, held: StoredLibrary
) -> None:
    budget = Budget(units=4, characters=900)
    packet = run(name, QUERY, held, budget)
    assert packet.selected
    assert packet.characters <= budget.characters
    assert len(packet.selected) <= budget.units
    for one in packet.selected:
        assert one.children
        for span in one.spans:
            assert held.slice(one.source, span.start, span.end) in one.text
    for one, other in itertools.permutations(packet.selected, 2):
        assert not one.covers(other)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_unit_in_a_packet_can_be_fetched(name: str, held: StoredLibrary, sample_tools: Toolbox) -> None:
    packet = run(name, QUERY, held, Budget(units=8, characters=4_000))
    ids = {*packet.sections(), *(one.unitid for one in packet.selected), *(hit.unitid for hit in packet.hits)}
    assert ids
    for unitid in ids:
        assert sample_tools.fetch_section_chunks(unitid).ok


def test_every_id_of_two_hundred_random_searches_can_be_fetched(
    stored: StoredLibrary, sample_tools: Toolbox
) -> None:
    words = sorted({word for unit in stored.below("sec-expressions") for word in unit.text.split()})
    chance = random.Random(262)
    seen: set[str] = set()
    for _ in range(200):
        found = sample_tools.search_spec(" ".join(chance.sample(words, 4)), limit=3)
        seen.update(hit["sectionid"] for hit in found.data["hits"])
    assert len(seen) > 5
    for unitid in seen:
        assert sample_tools.fetch_section_chunks(unitid).ok


def test_the_search_inside_ranks_only_blocks_of_the_parents(stored: StoredLibrary) -> None:
    (section, *_) = stored.search(QUERY, (Level.SECTION,), limit=1)
    inside = stored.search_inside(QUERY, [section.unitid], limit=5)
    assert inside
    span = Span(section.start, section.end)
    assert all(one.level is Level.BLOCK and span.contains(Span(one.start, one.end)) for one in inside)
