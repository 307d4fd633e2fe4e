"""One registry: what the model is offered, and that nothing it sends can end the loop."""

import json
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool

from storage.errors import Ask262Error, EmbedderError, StoreError
from tests.golden import matches_golden
from tests.test_tools.fake import FakeEmbedder, small
from tools.registry import TOOLS, by_command, langchain_tools
from tools.results import ToolResult
from tools.toolbox import Toolbox


class Session:
    read = ("sec-plant",)
    in_part = ()


@pytest.fixture
def offered() -> dict[str, StructuredTool]:
    return {tool.name: tool for tool in langchain_tools(Toolbox(small(), FakeEmbedder()), session=Session())}


def _without_titles(schema: Any) -> Any:
    """What pydantic adds by itself is its own, and changes with its versions."""
    if isinstance(schema, dict):
        return {key: _without_titles(value) for key, value in schema.items() if key != "title"}
    return [_without_titles(entry) for entry in schema] if isinstance(schema, list) else schema


def called(tool: StructuredTool, args: dict[str, Any]) -> ToolMessage:
    message = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": args})
    assert isinstance(message, ToolMessage)
    return message


def test_names_and_commands_are_those_of_the_design() -> None:
    assert {tool.command: tool.name for tool in TOOLS} == {
        "search": "search_spec",
        "fetch": "fetch_section_chunks",
        "subsections": "check_subsections",
    }
    assert by_command("fetch").name == "fetch_section_chunks"


def test_names_descriptions_and_schemas_for_the_model_are_the_golden_ones(
    offered: dict[str, StructuredTool],
) -> None:
    told = [
        {"name": tool.name, "description": tool.description, "parameters": _without_titles(tool.args)}
        for tool in offered.values()
    ]
    assert matches_golden("test_tools/golden/schemas.json", json.dumps(told, indent=2, ensure_ascii=False))


def test_a_call_gives_text_to_the_model_and_the_result_to_the_program(
    offered: dict[str, StructuredTool],
) -> None:
    message = called(offered["search_spec"], {"query": "2.1"})
    assert isinstance(message.artifact, ToolResult)
    assert message.content == message.artifact.text
    assert message.artifact.data["hits"][0]["sectionid"] == "sec-rain"


def test_what_the_session_has_read_reaches_the_outline(offered: dict[str, StructuredTool]) -> None:
    assert "already read" in called(offered["check_subsections"], {"sectionid": "sec-garden"}).text


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("search_spec", {}),
        ("search_spec", {"query": None}),
        ("search_spec", {"query": "bed", "limit": "many"}),
        ("fetch_section_chunks", {"sectionid": ["sec-plant"]}),
        ("check_subsections", {"section": "sec-plant"}),
    ],
)
def test_arguments_that_do_not_fit_are_answered_in_one_line(
    offered: dict[str, StructuredTool], name: str, args: dict[str, Any]
) -> None:
    message = called(offered[name], args)
    assert message.text.startswith("The arguments cannot be used: `")
    assert "\n" not in message.text
    assert message.status == "error"


@pytest.mark.parametrize(
    "text", ["", " ", "\x1b[31m", "\x00", "x" * 100_000, "sec-%", "x' OR '1'='1", "_", "\ud800"]
)
@pytest.mark.parametrize("name", ["search_spec", "fetch_section_chunks", "check_subsections"])
def test_hostile_text_is_answered_and_never_raises(
    offered: dict[str, StructuredTool], name: str, text: str
) -> None:
    tool = offered[name]
    message = called(tool, {"query" if name == "search_spec" else "sectionid": text})
    assert message.text
    if name != "search_spec" or not message.artifact.ok:
        assert message.artifact.ok is False
        assert "\n" not in message.text
        assert len(message.text) < 500


def test_every_id_that_a_tool_prints_is_accepted_by_every_tool() -> None:
    box = Toolbox(small(), FakeEmbedder())
    printed: set[str] = set()
    for query in ("bed", "seed water", "Evaluation", "2.1", "rain"):
        for hit in box.search_spec(query).data["hits"]:
            printed |= {hit["sectionid"], *(unit["unitid"] for unit in hit["matched"])}
    for chunk in box.fetch_section_chunks("page-page", recursive=True).data["chunks"]:
        printed |= {chunk["sectionid"], *chunk["subsections"]}
    assert len(printed) > 10
    for unitid in printed:
        assert box.fetch_section_chunks(unitid).data["sectionid"] == unitid
        assert box.check_subsections(unitid).data["sectionid"] == unitid


def test_a_bug_keeps_its_traceback() -> None:
    class Broken(FakeEmbedder):
        def embed_query(self, text: str, /) -> list[float]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Toolbox(small(), Broken()).search_spec("bed")


class Broken:
    """An embedder that fails as it is told to."""

    def __init__(self, failure: Ask262Error) -> None:
        self._failure = failure

    def embed_query(self, text: str, /) -> list[float]:
        raise self._failure


@pytest.mark.parametrize("failure", [StoreError("part of it is gone"), EmbedderError("no vectors")])
def test_what_no_call_can_mend_is_raised_and_not_told_to_the_model(failure: Ask262Error) -> None:
    with pytest.raises(type(failure), match=str(failure)):
        Toolbox(small(), Broken(failure)).search_spec("How is a seed planted?")
