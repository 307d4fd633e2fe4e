"""The offline model's decisions without the loop around them: fast enough to try many thresholds.

Searches and fetches are remembered, so that only what differs from the last try is asked of the store. The
limits of calls and characters are those of the loop. That both come to the same answer is a test.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.draft import AnswerDraft
from agent.offline_compose import answer
from agent.offline_evidence import FETCH, SEARCH, Evidence, from_results
from agent.offline_plan import Search, next_step
from agent.offline_question import understand
from agent.offline_thresholds import THRESHOLDS, Thresholds
from tools.results import ToolResult
from tools.toolbox import Toolbox


@dataclass(slots=True)
class Replay:
    """An edition, asked again and again."""

    toolbox: Toolbox
    calls: int
    characters: int
    _known: dict[tuple[str, str], ToolResult] = field(default_factory=dict)

    def evidence(self, question: str, by: Thresholds = THRESHOLDS) -> Evidence:
        """What the model would have been shown when it answers."""
        understood, left = understand(question), self.characters
        results: list[tuple[dict[str, Any], ToolResult | None]] = []
        while True:
            shown = from_results(question, results)
            step = next_step(shown, understood, by) if len(results) < self.calls else None
            if step is None:
                return shown
            searching = isinstance(step, Search)
            what = step.query if isinstance(step, Search) else step.sectionid
            result = self._called(SEARCH if searching else FETCH, what)
            fits = result.ok and len(result.text) <= left
            left -= len(result.text) if fits else 0
            call = {
                "name": SEARCH if searching else FETCH,
                "args": {"query" if searching else "sectionid": what},
            }
            results.append((call, result if fits else None))

    def draft(self, question: str, by: Thresholds = THRESHOLDS) -> AnswerDraft:
        """What the model would answer."""
        return answer(self.evidence(question, by), understand(question), by)

    def _called(self, tool: str, what: str) -> ToolResult:
        if (tool, what) not in self._known:
            run: Callable[[str], ToolResult] = (
                self.toolbox.search_spec if tool == SEARCH else self.toolbox.fetch_section_chunks
            )
            self._known[tool, what] = run(what)
        return self._known[tool, what]
