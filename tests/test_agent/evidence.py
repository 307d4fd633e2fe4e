"""Evidence made by hand for the parts of the offline model."""

from agent.offline_evidence import Evidence, Hit
from tests.test_agent.helpers import passage
from tools.results import Passage

ALGORITHM = """1.2 Alpha ( x )

The abstract operation Alpha takes x and returns a Number. It performs the following steps when called:

1. If x is a Bean, throw a TypeError exception.
2. If x is undefined, then
  a. Let y be Beta(x).
  b. Return y.
3. Return 7.

Note 1
Beans were never numbers. Peas are, i.e. they count.
"""

BRANCHES = """1.2 Alpha ( x )

The abstract operation Alpha takes argument x and returns a Number.
It performs the following steps when called:

1. If x is a green bean, then
  a. Let k be the green count.
2. Else,
  a. Let k be the count of dry beans.
  b. Return k.
3. Return 7.
"""


def hit(sectionid: str, *, rank: int = 1, title: str = "Alpha ( x )", named: bool = False) -> Hit:
    return Hit(sectionid, title, title, rank, named, 0, 0)


def evidence(
    question: str,
    *passages: Passage,
    hits: tuple[Hit, ...] = (),
    read: tuple[str, ...] | None = None,
    tried: frozenset[tuple[str, str]] = frozenset(),
) -> Evidence:
    shown = tuple(dict.fromkeys(one.sectionid for one in passages)) if read is None else read
    return Evidence(
        question=question, searches=((question, hits),) if hits else (), tried=tried, read=shown,
        passages=passages, markers=(),
    )  # fmt: skip


def shown(question: str, text: str = ALGORITHM, **given: object) -> Evidence:
    return evidence(question, passage(text), hits=(hit("sec-a"),), **given)  # type: ignore[arg-type]
