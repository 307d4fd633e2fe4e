"""What long work in the store reports to; who is told, and how it looks, is the program's business."""

from typing import Protocol


class Progress(Protocol):
    """Told how far each stage is, and lines that stand on their own."""

    def __call__(self, stage: str, done: int, total: int, /) -> None: ...
    def say(self, line: str, /) -> None: ...


class Silent:
    """Tells nobody."""

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Nothing."""

    def say(self, line: str, /) -> None:
        """Nothing."""
