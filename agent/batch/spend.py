"""What questions cost: tokens as the provider counts them, and money where prices are known.

LangChain adds up what each call of a model reports; the built-in model reports nothing, and costs nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in whatever money the limit is in."""

    read: float
    written: float

    def of(self, usage: "Usage") -> float:
        """What these tokens cost."""
        return (usage.read * self.read + usage.written * self.written) / _MILLION


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a model read and wrote."""

    read: int = 0
    written: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.read + other.read, self.written + other.written)

    def to_dict(self, prices: Prices | None) -> dict[str, Any]:
        """As in a line of a batch; the cost is null where no price is known."""
        cost = round(prices.of(self), 6) if prices else None
        return {"input_tokens": self.read, "output_tokens": self.written, "cost": cost}


def parse_prices(text: str) -> Prices:
    """`2.5/10` is 2.5 for a million tokens read and 10 for a million written. Raises InputError."""
    try:
        read, written = (float(part) for part in text.split("/"))
    except ValueError:
        raise InputError(
            f"--price is {text!r}, but must be two numbers such as 2.5/10:"
            " for a million tokens read, and for a million written"
        ) from None
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise InputError(f"--price is {text!r}, but a price is a number from 0 up")
    return Prices(read, written)


@contextmanager
def counted() -> Iterator[Callable[[], Usage]]:
    """Counts what models use inside the block, in this thread alone; call what comes out to read it."""
    from langchain_core.callbacks import get_usage_metadata_callback

    with get_usage_metadata_callback() as calls:
        yield lambda: _total(calls.usage_metadata)


def _total(by_model: dict[str, Any]) -> Usage:
    return Usage(
        sum(one["input_tokens"] for one in by_model.values()),
        sum(one["output_tokens"] for one in by_model.values()),
    )
