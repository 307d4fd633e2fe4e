"""The tools as they are called: over one reader and one embedder. What a caller can mend is told in text.

The docstrings of the three methods are what a model reads; they are told once, here.
"""

from collections.abc import Callable, Collection

from storage.errors import Ask262Error, EmbedderError, StoreError
from tools import show
from tools.fetch import FETCH_LIMIT, fetch_section_chunks
from tools.filters import Filters
from tools.ports import Embedder, Reader
from tools.results import ToolResult
from tools.rewrite import ChatModel
from tools.search import SEARCH_LIMIT, search, search_data, search_passages
from tools.subsections import check_subsections


class Toolbox:
    """The tools over one edition. What another call mends is a result that says so.

    StoreError and EmbedderError are raised: no call mends a damaged store, and text about it would read as if
    the specification said nothing.
    """

    def __init__(self, reader: Reader, embedder: Embedder, *, rewriter: ChatModel | None = None) -> None:
        """`rewriter` is asked for search terms before each search."""
        self._reader = reader
        self._embedder = embedder
        self._rewriter = rewriter

    def search_spec(
        self,
        query: str,
        limit: int = SEARCH_LIMIT,
        chapter: str | None = None,
        kind: str | None = None,
        annex: bool | None = None,
    ) -> ToolResult:
        """Find the sections of the specification that bear on a question.

        Give a plain question, the specification's own terms, or a name alone: a section id, a number such as
        7.1.4, an operation, `Array.prototype.sort`, `[[Get]]`, `%Array.prototype%`, a nonterminal. A name is
        found exactly and comes first. Each hit has the section's id, number, title, where it stands, and a
        snippet. A snippet is a glimpse: read the section with fetch_section_chunks before you rely on it.
        """

        def run() -> ToolResult:
            filters = Filters(chapter=chapter, kind=kind, annex=annex)
            found = search(
                query, self._reader, self._embedder, limit=limit, filters=filters, model=self._rewriter
            )
            return ToolResult(
                text=show.search(found), data=search_data(found), passages=tuple(search_passages(found))
            )

        return _told(run)

    def fetch_section_chunks(
        self,
        sectionid: str,
        recursive: bool = False,
        limit: int = FETCH_LIMIT,
        cursor: str | None = None,
    ) -> ToolResult:
        """Read a section's exact text.

        Takes every id that a tool prints, and also a section number or a name. Where a subsection was cut out
        stands a marker `[Subsection available: ...]` with the id to fetch next; `recursive` brings the
        subsections too, level by level. Below the text stands what it refers to: the operations that it
        calls, with the ids to fetch. When there is more than `limit` characters the answer ends with a
        cursor: call again with the same section and that cursor.
        """
        return _told(
            lambda: fetch_section_chunks(
                self._reader, sectionid, recursive=recursive, limit=limit, cursor=cursor
            )
        )

    def check_subsections(
        self, sectionid: str, read: Collection[str] = (), in_part: Collection[str] = ()
    ) -> ToolResult:
        """List a section's immediate subsections without reading them.

        Each with its id, number, title, kind, size in characters, how many subsections it has itself, and
        whether this question has read it already. Use it to choose what to fetch from a large section.
        """
        return _told(
            lambda: check_subsections(
                self._reader, sectionid, read=frozenset(read), in_part=frozenset(in_part)
            )
        )


def _told(run: Callable[[], ToolResult]) -> ToolResult:
    try:
        return run()
    except (StoreError, EmbedderError):
        raise
    except Ask262Error as error:
        return ToolResult(text=str(error), data={"error": str(error)}, ok=False)
