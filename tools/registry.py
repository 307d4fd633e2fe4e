"""The one list of tools: name, command, arguments, function. The agent, the command line and notebooks use
it.

Descriptions are the docstrings of `Toolbox`. LangChain is imported only where its tools are made.
"""

import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, Field, ValidationError

from storage.model import Kind
from tools.fetch import FETCH_LIMIT, LEAST, MOST
from tools.results import ToolResult
from tools.search import MOST_HITS, SEARCH_LIMIT
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool


class Session(Protocol):
    """What one question has been shown so far; the agent's ledger has this shape."""

    @property
    def read(self) -> Collection[str]:
        """Ids whose text was fetched."""
        ...

    @property
    def in_part(self) -> Collection[str]:
        """Those of them of which a rest was not."""
        ...


class SearchArgs(BaseModel):
    """Arguments of `search_spec`. Ranges are checked by the tool, which then says what to do."""

    query: str = Field(description="A question, terms, or a name alone.")
    limit: int = Field(SEARCH_LIMIT, description=f"Sections to return, 1 to {MOST_HITS}.")
    chapter: str | None = Field(None, description="Only this outermost section: its id, number or title.")
    kind: str | None = Field(None, description=f"Only units of this kind: {', '.join(sorted(Kind))}.")
    annex: bool | None = Field(None, description="true: only annexes; false: none. Leave out for both.")


class FetchArgs(BaseModel):
    """Arguments of `fetch_section_chunks`."""

    sectionid: str = Field(description="An id as printed by a tool, a section number, or a name.")
    recursive: bool = Field(False, description="Also the subsections, breadth first, each once.")
    limit: int = Field(FETCH_LIMIT, description=f"Characters of one answer, {LEAST:,} to {MOST:,}.")
    cursor: str | None = Field(None, description="From the end of the last answer, to go on there.")


class SubsectionsArgs(BaseModel):
    """Arguments of `check_subsections`."""

    sectionid: str = Field(description="An id as printed by a tool, a section number, or a name.")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `run` takes the toolbox, what the question has read, and the checked arguments."""

    name: str
    command: str
    """Its name on the command line: `python -m tools COMMAND`."""
    args: type[BaseModel]
    method: Callable[..., ToolResult]
    wants_read: bool = False
    """Whether `method` also takes the ids that the question has read, in whole and in part."""

    @property
    def description(self) -> str:
        """What the model reads."""
        return inspect.cleandoc(self.method.__doc__ or "")

    def call(
        self,
        toolbox: Toolbox,
        *,
        read: Collection[str] = (),
        in_part: Collection[str] = (),
        **arguments: Any,
    ) -> ToolResult:
        """Run the tool with plain arguments."""
        extra = {"read": read, "in_part": in_part} if self.wants_read else {}
        return self.method(toolbox, **arguments, **extra)


TOOLS = (
    Tool("search_spec", "search", SearchArgs, Toolbox.search_spec),
    Tool("fetch_section_chunks", "fetch", FetchArgs, Toolbox.fetch_section_chunks),
    Tool("check_subsections", "subsections", SubsectionsArgs, Toolbox.check_subsections, wants_read=True),
)


def by_command(command: str) -> Tool:
    """The tool behind a command of `python -m tools`."""
    return next(tool for tool in TOOLS if tool.command == command)


def langchain_tools(toolbox: Toolbox, *, session: Session) -> list["StructuredTool"]:
    """The tools as LangChain calls them: text for the model, the ToolResult as artifact for the program."""
    return [_structured(tool, toolbox, session) for tool in TOOLS]


def _structured(tool: Tool, toolbox: Toolbox, session: Session) -> "StructuredTool":
    from langchain_core.tools import StructuredTool

    def run(**arguments: Any) -> tuple[str, ToolResult]:
        result = tool.call(toolbox, read=session.read, in_part=session.in_part, **arguments)
        return result.text, result

    return StructuredTool.from_function(
        func=run,
        name=tool.name,
        description=tool.description,
        args_schema=tool.args,
        response_format="content_and_artifact",
        handle_validation_error=what_is_wrong,
    )


def what_is_wrong(error: Exception) -> str:
    """Arguments that do not fit, in one line, for the model that sent them."""
    if not isinstance(error, ValidationError):
        return f"The arguments cannot be used: {error}"
    faults = "; ".join(f"`{'.'.join(map(str, fault['loc']))}`: {fault['msg']}" for fault in error.errors())
    return f"The arguments cannot be used: {faults}. Call the tool again with these mended."
