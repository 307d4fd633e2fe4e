"""What a batch amounts to, counted line by line: for the progress, the summary and the exit status. Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.answer import Status, Verdict
from agent.batch.answers import ERROR

UNVERIFIED, REFUSED = "unverified", "refused"
REASONS = (UNVERIFIED, REFUSED, ERROR)
"""What `--fail-on` may name."""


@dataclass(slots=True)
class Tally:
    """Counts of the answers seen so far."""

    statuses: Counter[str] = field(default_factory=Counter)
    quotations: int = 0
    verified: int = 0
    unverified_answers: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    failure: str = ""
    """What the first question that failed was told."""

    @property
    def answers(self) -> int:
        """Lines counted."""
        return self.statuses.total()

    def add(self, line: Mapping[str, Any]) -> None:
        """Count one line."""
        verdicts = Counter(citation["verdict"] for citation in line["citations"])
        doubtful = verdicts.total() - verdicts[Verdict.VERIFIED]
        self.statuses[line["status"]] += 1
        self.quotations += verdicts.total()
        self.verified += verdicts[Verdict.VERIFIED]
        # A claim without any quotation is as unverified as one whose quotation failed.
        self.unverified_answers += bool(doubtful) or any(not claim["citations"] for claim in line["claims"])
        self.calls += line["calls"]
        self.failure = self.failure or line.get("error", "")
        usage = line["usage"]
        self.tokens += usage["input_tokens"] + usage["output_tokens"]
        if usage["cost"] is not None:
            self.cost = (self.cost or 0.0) + usage["cost"]

    def note(self) -> str:
        """For the end of a progress line: only what there is."""
        parts = [
            f"{self.statuses[status]:,} {status}"
            for status in (Status.REFUSED, ERROR)
            if self.statuses[status]
        ]
        if self.unverified_answers:
            parts.append(f"{self.unverified_answers:,} unverified")
        if self.cost is not None:
            parts.append(f"cost {self.cost:.4f}")
        return ", ".join(parts)

    def summary(self) -> Iterator[str]:
        """The lines of a summary."""
        shown = [
            f"{self.statuses[status]:,} {status}" for status in (*Status, ERROR) if self.statuses[status]
        ]
        yield f"{self.answers:,} answers: {', '.join(shown) or 'none'}"
        yield f"{self.verified:,} of {self.quotations:,} quotations verified; {self.calls:,} tool calls"
        if self.failure:
            yield f"the first failure: {self.failure}"
        if self.tokens:
            spent = "" if self.cost is None else f", cost {self.cost:.4f}"
            yield f"{self.tokens:,} tokens{spent}"

    def failed(self, reasons: Collection[str]) -> bool:
        """Whether anything happened that the caller calls a failure."""
        happened = {
            UNVERIFIED: self.unverified_answers,
            REFUSED: self.statuses[Status.REFUSED],
            ERROR: self.statuses[ERROR],
        }
        return any(happened[reason] for reason in reasons)
