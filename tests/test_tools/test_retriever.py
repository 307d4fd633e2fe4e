"""The retriever in LangChain's own terms, over the sample in a real store."""

import asyncio
import json

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnablePassthrough

from storage.errors import InputError, NoStoreError, StoreError
from storage.model import METADATA_KEYS
from storage.reader import LanceReader
from storage.settings import Settings
from tools.budget import Budget
from tools.packet import Order
from tools.retriever import PACKET, SpecRetriever
from tools.strategies.table import NEEDS, STRATEGIES

QUERY = "What happens when a bed is watered with a reading of another unit?"
NAMES = ("default", *(name for name in STRATEGIES if name not in NEEDS))


@pytest.fixture(scope="module")
def by_search(sample_settings: Settings) -> SpecRetriever:
    return SpecRetriever.from_store(settings=sample_settings)


def of(name: str, like: SpecRetriever, *, budget: Budget | None = None) -> SpecRetriever:
    return SpecRetriever(
        reader=like.reader, embedder=like.embedder, strategy=name, budget=budget or Budget(6, 3_000)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_document_has_the_whole_metadata_its_packet_and_nothing_else(
    name: str, by_search: SpecRetriever
) -> None:
    documents = of(name, by_search).invoke(QUERY)
    assert documents
    for one in documents:
        assert tuple(one.metadata) == (*METADATA_KEYS, PACKET)
        assert one.metadata[PACKET]["strategy"] == name
        assert one.metadata[PACKET]["query"] == QUERY
    assert [one.id for one in documents] == [
        entry["id"] for entry in documents[0].metadata[PACKET]["selected"]
    ]
    assert len({one.id for one in documents}) == len(documents)
    assert json.loads(json.dumps(documents[0].metadata)) == documents[0].metadata


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_a_document_is_the_text_of_the_specification(
    name: str, by_search: SpecRetriever, sample_reader: LanceReader
) -> None:
    for one in of(name, by_search).invoke(QUERY):
        entry = next(e for e in one.metadata[PACKET]["selected"] if e["id"] == one.id)
        for start, end in entry["spans"]:
            assert sample_reader.slice(one.metadata["source"], start, end) in one.page_content
        assert (one.metadata["start"], one.metadata["end"]) == (entry["spans"][0][0], entry["spans"][-1][1])
        assert entry["children"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", [Budget(), Budget(1, 120), Budget(20, 20_000)], ids=str)
def test_the_budget_holds_for_the_documents_together(
    name: str, budget: Budget, by_search: SpecRetriever
) -> None:
    documents = of(name, by_search, budget=budget).invoke(QUERY)
    assert len(documents) <= budget.units
    assert len("\n".join(one.page_content for one in documents)) <= budget.characters


def test_the_search_gives_a_section_that_fits_its_share_and_the_snippet_of_one_that_does_not(
    by_search: SpecRetriever,
) -> None:
    wide = of("default", by_search, budget=Budget(2, 30_000)).invoke(QUERY)
    narrow = of("default", by_search, budget=Budget(2, 700)).invoke(QUERY)
    assert wide[0].metadata["sectionid"] == narrow[0].metadata["sectionid"]
    assert narrow[0].page_content in wide[0].page_content
    assert len(narrow[0].page_content) < len(wide[0].page_content)


def test_a_name_alone_leads_to_its_definition_first(by_search: SpecRetriever) -> None:
    assert by_search.invoke("ConvertReading")[0].metadata["sectionid"] == "sec-convertreading"


def test_k_limits_the_documents_of_one_call(by_search: SpecRetriever) -> None:
    assert len(by_search.invoke(QUERY)) > 2
    assert len(by_search.invoke(QUERY, k=2)) == 2
    assert len(asyncio.run(by_search.ainvoke(QUERY, k=2))) == 2


def test_the_asynchronous_call_gives_the_same_documents_also_side_by_side(by_search: SpecRetriever) -> None:
    queries = [QUERY, "ConvertReading", "Which beds are hedged?", "What is a row walk?"]

    async def all_at_once() -> list[list[Document]]:
        return await asyncio.gather(*(by_search.ainvoke(query) for query in queries))

    assert asyncio.run(all_at_once()) == [by_search.invoke(query) for query in queries]


def test_documents_come_in_the_order_that_was_asked_for(sample_settings: Settings) -> None:
    def ids(order: Order) -> list[str]:
        retriever = SpecRetriever.from_store(strategy="flat_blocks", order=order, settings=sample_settings)
        return [f"{one.metadata['start']:09}" for one in retriever.invoke(QUERY)]

    assert ids(Order.DOCUMENT) == sorted(ids(Order.RANK)) != ids(Order.RANK)


def test_it_stands_in_a_chain(by_search: SpecRetriever) -> None:
    chain = {"found": by_search, "question": RunnablePassthrough()} | RunnablePassthrough.assign(
        sections=lambda given: [one.metadata["sectionid"] for one in given["found"]]
    )
    assert chain.invoke("ConvertReading")["sections"][0] == "sec-convertreading"


def test_what_cannot_be_retrieved_is_said_in_one_line(
    by_search: SpecRetriever, sample_settings: Settings, tmp_path: object
) -> None:
    with pytest.raises(InputError, match="is no strategy; there are default, flat_blocks"):
        of("flat_pages", by_search)
    with pytest.raises(InputError, match="query"):
        by_search.invoke("  ")
    with pytest.raises(InputError, match="holds nothing"):
        by_search.invoke(QUERY, k=0)
    with pytest.raises(NoStoreError, match=r"setup\.ingest"):
        SpecRetriever.from_store(settings=sample_settings.model_copy(update={"storage_dir": tmp_path}))


@pytest.mark.parametrize(("name", "option"), NEEDS.items())
def test_a_strategy_names_the_command_that_makes_what_it_searches(
    name: str, option: str, by_search: SpecRetriever
) -> None:
    with pytest.raises(StoreError, match=rf"python -m setup\.ingest --sample --edition sample --{option}$"):
        of(name, by_search).invoke(QUERY)
