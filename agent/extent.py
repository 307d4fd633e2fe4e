"""How much of a section a question was shown. Pure: spans of its text come in as they are fetched."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Extent:
    """Grows page by page; characters that were shown twice count once."""

    size: int = 0
    """Characters of the section's text as it is fetched, markers included."""
    spans: list[tuple[int, int]] = field(default_factory=list)

    def add(self, start: int, end: int, *, size: int) -> None:
        """Characters `[start, end)` were shown, of a text of this size."""
        self.size = max(size, end)
        self.spans.append((start, end))

    @property
    def shown(self) -> int:
        """Characters that were shown."""
        total = reached = 0
        for start, end in sorted(self.spans):
            total += max(0, end - max(start, reached))
            reached = max(reached, end)
        return total

    @property
    def whole(self) -> bool:
        """Whether nothing is left."""
        return self.shown >= self.size
